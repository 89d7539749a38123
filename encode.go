package clipspan

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/clipspan/clipspan/internal/rawjson"
)

// AppendJSON implements [Record]. The seed's twelve fields come first, in the
// seed's order; unknown lengths are written as null, other absent fields not at
// all.
func (s *Span) AppendJSON(b []byte) []byte {
	o := object{b: append(b, '{'), extra: s.Extra}
	o.str(`,"span_id":`, s.SpanID)
	o.str(`,"parent_id":`, s.ParentID)
	o.str(`,"name":`, s.Name)
	o.str(`,"status":`, string(s.Status))
	o.countOrNull(`,"observed_bytes":`, s.ObservedBytes)
	o.countOrNull(`,"injected_bytes":`, s.InjectedBytes)
	o.countOrNull(`,"injected_tokens":`, s.InjectedTokens)
	o.str(`,"clip_reason":`, string(s.ClipReason))
	o.hash(`,"sha256_observed":`, &s.SHA256Observed)
	o.hash(`,"sha256_injected":`, &s.SHA256Injected)
	o.str(`,"injected_preview":`, s.InjectedPreview)
	o.str(`,"prompt_builder_version":`, s.PromptBuilderVersion)
	o.count(`,"model_context_limit_tokens":`, s.ModelContextLimitTokens)
	o.header(&s.Header)
	o.str(`,"source":`, s.Source)
	o.str(`,"tool_call_id":`, s.ToolCallID)
	o.hash(`,"sha256_args":`, &s.SHA256Args)
	o.str(`,"trace_id":`, s.TraceID)
	o.str(`,"otel_span_id":`, s.OTelSpanID)
	o.time(`,"started_at":`, s.StartedAt)
	o.time(`,"ended_at":`, s.EndedAt)
	o.str(`,"token_source":`, string(s.TokenSource))
	o.count(`,"kept_bytes":`, s.KeptBytes)
	o.ranges(`,"kept_ranges":`, s.KeptRanges)
	o.count(`,"added_bytes":`, s.AddedBytes)
	o.notice(`,"notice":`, s.Notice)
	o.count(`,"rendered_bytes":`, s.RenderedBytes)
	o.hash(`,"sha256_rendered":`, &s.SHA256Rendered)
	o.str(`,"render":`, s.Render)
	o.flag(`,"render_lossless":`, s.RenderLossless)
	o.stages(`,"stages":`, s.Stages)
	o.str(`,"cap_unit":`, string(s.CapUnit))
	o.count(`,"cap_value":`, s.CapValue)
	o.str(`,"media_type":`, s.MediaType)
	o.count(`,"parts_observed":`, s.PartsObserved)
	o.count(`,"parts_injected":`, s.PartsInjected)
	o.str(`,"error":`, s.Error)
	return o.end()
}

// MarshalJSON writes what [Span.AppendJSON] writes.
func (s *Span) MarshalJSON() ([]byte, error) { return s.AppendJSON(nil), nil }

// AppendJSON implements [Record].
func (t *Turn) AppendJSON(b []byte) []byte {
	o := object{b: append(b, '{'), extra: t.Extra}
	o.str(`,"kind":`, KindTurn)
	o.header(&t.Header)
	o.str(`,"turn_id":`, t.TurnID)
	o.str(`,"conversation":`, t.Conversation)
	o.str(`,"extends":`, t.Extends)
	o.time(`,"started_at":`, t.StartedAt)
	o.time(`,"ended_at":`, t.EndedAt)
	o.str(`,"provider":`, t.Provider)
	o.str(`,"model":`, t.Model)
	o.count(`,"request_bytes":`, t.RequestBytes)
	o.count(`,"http_status":`, t.HTTPStatus)
	o.str(`,"stop_reason":`, t.StopReason)
	o.str(`,"error":`, t.Error)
	o.count(`,"input_tokens":`, t.InputTokens)
	o.count(`,"output_tokens":`, t.OutputTokens)
	o.flag(`,"reasoning":`, t.Reasoning)
	o.count(`,"model_context_limit_tokens":`, t.ModelContextLimitTokens)
	o.str(`,"truncation":`, t.Truncation)
	o.edits(`,"provider_edits":`, t.ProviderEdits)
	o.deliveries(`,"delivered":`, t.Delivered)
	o.strs(`,"evicted":`, t.Evicted)
	o.strs(`,"not_visible":`, t.NotVisible)
	o.str(`,"unread":`, t.Unread)
	return o.end()
}

// MarshalJSON writes what [Turn.AppendJSON] writes.
func (t *Turn) MarshalJSON() ([]byte, error) { return t.AppendJSON(nil), nil }

// AppendJSON implements [Record].
func (g *Gap) AppendJSON(b []byte) []byte {
	o := object{b: append(b, '{'), extra: g.Extra}
	o.str(`,"kind":`, KindGap)
	o.header(&g.Header)
	o.count(`,"from_seq":`, g.FromSeq)
	o.count(`,"to_seq":`, g.ToSeq)
	o.count(`,"count":`, g.Count)
	o.str(`,"error":`, g.Error)
	return o.end()
}

// MarshalJSON writes what [Gap.AppendJSON] writes.
func (g *Gap) MarshalJSON() ([]byte, error) { return g.AppendJSON(nil), nil }

// AppendJSON implements [Record].
func (r *RunEnd) AppendJSON(b []byte) []byte {
	o := object{b: append(b, '{'), extra: r.Extra}
	o.str(`,"kind":`, KindRunEnd)
	o.header(&r.Header)
	o.count(`,"spans":`, r.Spans)
	o.count(`,"turns":`, r.Turns)
	o.count(`,"gaps":`, r.Gaps)
	return o.end()
}

// MarshalJSON writes what [RunEnd.AppendJSON] writes.
func (r *RunEnd) MarshalJSON() ([]byte, error) { return r.AppendJSON(nil), nil }

// object appends the members of one JSON object. Absent values are left out.
// Names are given as they stand behind another member, such as `,"name":`, so
// that each is appended at once.
type object struct {
	b     []byte
	extra []Field
}

// member begins a member and reports whether its value is to be written: a field
// of Extra with that name takes its place.
func (o *object) member(name string) bool {
	for i := range o.extra {
		if o.extra[i].Name == name[len(`,"`):len(name)-len(`":`)] {
			return false
		}
	}
	if o.b[len(o.b)-1] == '{' {
		name = name[1:]
	}
	o.b = append(o.b, name...)
	return true
}

func (o *object) end() []byte {
	for _, f := range o.extra {
		if o.b[len(o.b)-1] != '{' {
			o.b = append(o.b, ',')
		}
		o.b = append(rawjson.AppendString(o.b, f.Name), ':')
		o.b = appendRaw(o.b, f.Raw)
	}
	return append(o.b, '}')
}

// appendRaw appends a value that a reader kept or a host supplied. What is not
// one line of JSON is written as a string, so that no record can break a trace.
func appendRaw(b []byte, raw string) []byte {
	if strings.ContainsAny(raw, "\n\r") || !json.Valid([]byte(raw)) {
		return rawjson.AppendString(b, raw)
	}
	return append(b, raw...)
}

func (o *object) header(h *Header) {
	if h.Version != 0 {
		o.int(`,"v":`, h.Version)
	}
	o.str(`,"run_id":`, h.RunID)
	if h.Seq != 0 {
		o.int(`,"seq":`, h.Seq)
	}
}

func (o *object) str(name, v string) {
	if v != "" && o.member(name) {
		o.b = rawjson.AppendString(o.b, v)
	}
}

func (o *object) strs(name string, list []string) {
	if len(list) == 0 || !o.member(name) {
		return
	}
	for i, v := range list {
		o.b = append(o.b, separator(i))
		o.b = rawjson.AppendString(o.b, v)
	}
	o.b = append(o.b, ']')
}

// separator is what stands before element i of an array.
func separator(i int) byte {
	if i == 0 {
		return '['
	}
	return ','
}

func (o *object) int(name string, v int64) {
	if o.member(name) {
		o.b = rawjson.AppendInt(o.b, v)
	}
}

func (o *object) count(name string, c Count) {
	if n, known := c.Value(); known {
		o.int(name, n)
	}
}

func (o *object) countOrNull(name string, c Count) {
	if o.member(name) {
		o.b = c.appendJSON(o.b)
	}
}

func (o *object) flag(name string, v bool) {
	if v && o.member(name) {
		o.b = rawjson.AppendBool(o.b, v)
	}
}

func (o *object) notice(name string, n Notice) {
	if n != NoticeUnknown && o.member(name) {
		o.b = rawjson.AppendBool(o.b, n == NoticeGiven)
	}
}

func (o *object) hash(name string, h *Hash) {
	switch {
	case !h.set || !o.member(name):
	case h.text != "" || h.keyID != "":
		o.b = rawjson.AppendString(o.b, h.String())
	default:
		o.b = append(h.append(append(o.b, '"')), '"')
	}
}

func (o *object) time(name string, t time.Time) {
	if !t.IsZero() && o.member(name) {
		o.b = append(t.UTC().AppendFormat(append(o.b, '"'), time.RFC3339Nano), '"')
	}
}

func (o *object) ranges(name string, list []Range) {
	if len(list) == 0 || !o.member(name) {
		return
	}
	for i, r := range list {
		o.b = append(o.b, separator(i), '[')
		o.b = rawjson.AppendInt(o.b, r.From)
		o.b = rawjson.AppendInt(append(o.b, ','), r.To)
		o.b = append(o.b, ']')
	}
	o.b = append(o.b, ']')
}

func (o *object) stages(name string, list []Stage) {
	if len(list) == 0 || !o.member(name) {
		return
	}
	for i, s := range list {
		e := object{b: append(o.b, separator(i), '{')}
		e.str(`,"reason":`, string(s.Reason))
		e.str(`,"policy":`, s.Policy)
		e.int(`,"bytes_in":`, s.BytesIn)
		e.int(`,"bytes_out":`, s.BytesOut)
		o.b = e.end()
	}
	o.b = append(o.b, ']')
}

func (o *object) edits(name string, edits *ProviderEdits) {
	if edits == nil || !o.member(name) {
		return
	}
	e := object{b: append(o.b, '{')}
	e.count(`,"cleared_tool_uses":`, edits.ClearedToolUses)
	e.count(`,"cleared_input_tokens":`, edits.ClearedInputTokens)
	o.b = e.end()
}

func (o *object) deliveries(name string, list []Delivery) {
	if len(list) == 0 || !o.member(name) {
		return
	}
	for i, d := range list {
		e := object{b: append(o.b, separator(i), '{')}
		e.str(`,"tool_call_id":`, d.ToolCallID)
		e.str(`,"span_id":`, d.SpanID)
		e.count(`,"bytes":`, d.Bytes)
		e.hash(`,"sha256":`, &d.SHA256)
		e.flag(`,"repaired":`, d.Repaired)
		o.b = e.end()
	}
	o.b = append(o.b, ']')
}
