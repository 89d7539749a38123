// Package clipspan records, for every tool call of an AI agent, how many bytes
// the tool returned, how many of them were put into the prompt, and why the two
// differ.
//
// An [Emitter] is one run. [Emitter.Wrap] joins a [Tool] with the prompt
// [Builder] that cuts its results; calling the [Wrapped] tool returns only the
// injected text, and by then its [Span] has been handed to the [Sink]. A loop
// that cuts inline calls [Emitter.Record] instead, and a framework in which
// observing and injecting are two hooks calls [Emitter.Start].
//
// [Classify] judges one span. Package trace judges whole runs.
//
// "Injected" means: put into the prompt. It has nothing to do with prompt
// injection. Lengths are bytes of the raw text, before any JSON encoding.
package clipspan

import (
	"slices"
	"time"
)

// SchemaVersion is the version of the record format that this package writes.
// Version 1 only ever gains optional fields.
const SchemaVersion = 1

// Record is one line of a trace: a [*Span], a [*Turn], a [*Gap] or a [*RunEnd].
// A record handed to a [Sink] is valid until Emit returns; [Clone] it to keep it.
type Record interface {
	// AppendJSON appends the record as one JSON object without a line end.
	// Fields in Extra are written last, verbatim.
	AppendJSON(b []byte) []byte
	// Kind is the record's kind: KindTool, KindTurn, KindGap or KindRunEnd.
	Kind() string
	// Envelope is the part that all kinds of record share.
	Envelope() *Header

	sealed()
}

// Header is what every record carries.
type Header struct {
	Version int64   // schema version ("v"); 0 = absent
	RunID   string  // the run, or ""
	Seq     int64   // position in the run, from 1, without holes; 0 = absent
	Extra   []Field // fields that this version does not know, in their order
}

// Envelope implements [Record].
func (h *Header) Envelope() *Header { return h }

// Field is a JSON member kept as it was read: one that this version does not
// know, or one of its own whose value is of another type. A field of Extra is
// written in place of the record's own field of that name.
type Field struct {
	Name string
	Raw  string // the value as JSON text
}

// Span is the record of one tool call (RECORDS, Tool span). The zero value is
// incomplete: what nobody filled in is unknown.
type Span struct {
	Header

	SpanID   string
	ParentID string // the turn, or the parent agent's span
	Name     string // the tool
	Status   Status

	ObservedBytes  Count // raw bytes the tool returned
	InjectedBytes  Count // raw bytes put into the prompt, markers included
	InjectedTokens Count // tokens of the injected text, counted as TokenSource says
	TokenSource    TokenSource

	ClipReason     ClipReason
	SHA256Observed Hash
	SHA256Injected Hash

	InjectedPreview         string // at most 128 leading bytes of the injected text
	PromptBuilderVersion    string
	ModelContextLimitTokens Count

	Source     string // "" = Wrap or a hand-written emitter, "wire", "import:NAME"
	ToolCallID string
	SHA256Args Hash

	TraceID    string // surrounding OpenTelemetry trace
	OTelSpanID string

	StartedAt time.Time
	EndedAt   time.Time

	KeptBytes  Count   // bytes of the base text that survive; unknown unless exact
	KeptRanges []Range // where they stood in the base text, ascending
	AddedBytes Count   // InjectedBytes - KeptBytes
	Notice     Notice

	RenderedBytes  Count // size between rendering and cutting
	SHA256Rendered Hash
	Render         string // the renderer's id
	RenderLossless bool

	Stages   []Stage
	CapUnit  CapUnit
	CapValue Count

	MediaType     string
	PartsObserved Count
	PartsInjected Count

	Error string // short class of what went wrong, never the content
}

// Range is a half-open range of bytes [From, To).
type Range struct{ From, To int64 }

// Stage is one policy of a prompt builder that fired.
type Stage struct {
	Reason   ClipReason
	Policy   string // the exact policy, in the builder's own words
	BytesIn  int64
	BytesOut int64
}

// Turn is the record of one model request and its response (RECORDS, Turn).
type Turn struct {
	Header

	TurnID       string
	Conversation string // tells apart what shares a run; "" = the run's only one
	Extends      string // the turn whose every message this request repeats

	StartedAt time.Time
	EndedAt   time.Time

	Provider     string
	Model        string
	RequestBytes Count
	HTTPStatus   Count
	StopReason   string
	Error        string

	InputTokens  Count // the provider's own count, cached tokens included
	OutputTokens Count
	Reasoning    bool // the request carries reasoning items

	ModelContextLimitTokens Count
	Truncation              string
	ProviderEdits           *ProviderEdits

	Delivered  []Delivery // results that are new or changed in this request
	Evicted    []string   // tool call ids that an earlier request carried
	NotVisible []string   // tool call ids that server-side state may carry
	Unread     string     // why the request body was not read; "" = it was
}

// ProviderEdits counts what the provider says it removed from the request.
type ProviderEdits struct {
	ClearedToolUses    Count
	ClearedInputTokens Count
}

// Delivery is one tool result in a request body. Bytes and hash are those of the
// text that its JSON decodes to.
type Delivery struct {
	ToolCallID string
	SpanID     string
	Bytes      Count
	SHA256     Hash
	Repaired   bool // the injected text held invalid UTF-8; compared in its U+FFFD form
}

// Gap says that records were lost: written when the sink works again.
type Gap struct {
	Header

	FromSeq Count
	ToSeq   Count
	Count   Count // records lost between them, both included
	Error   string
}

// RunEnd is the last record of a run and says how many records it wrote.
type RunEnd struct {
	Header

	Spans Count // distinct spans
	Turns Count
	Gaps  Count
}

// The values of the "kind" field. A record without one is a tool span.
const (
	KindTool   = "tool"
	KindTurn   = "turn"
	KindGap    = "gap"
	KindRunEnd = "run_end"
)

// Kind implements [Record].
func (*Span) Kind() string { return KindTool }

// Kind implements [Record].
func (*Turn) Kind() string { return KindTurn }

// Kind implements [Record].
func (*Gap) Kind() string { return KindGap }

// Kind implements [Record].
func (*RunEnd) Kind() string { return KindRunEnd }

func (*Span) sealed()   {}
func (*Turn) sealed()   {}
func (*Gap) sealed()    {}
func (*RunEnd) sealed() {}

// Clone returns a deep copy of r, for a sink that keeps records.
func Clone[R Record](r R) R {
	switch v := any(r).(type) {
	case *Span:
		return any(v.clone()).(R)
	case *Turn:
		return any(v.clone()).(R)
	case *Gap:
		c := *v
		c.Extra = slices.Clone(v.Extra)
		return any(&c).(R)
	case *RunEnd:
		c := *v
		c.Extra = slices.Clone(v.Extra)
		return any(&c).(R)
	default:
		return r
	}
}

func (s *Span) clone() *Span {
	c := *s
	c.Extra = slices.Clone(s.Extra)
	c.KeptRanges = slices.Clone(s.KeptRanges)
	c.Stages = slices.Clone(s.Stages)
	return &c
}

func (t *Turn) clone() *Turn {
	c := *t
	c.Extra = slices.Clone(t.Extra)
	c.Delivered = slices.Clone(t.Delivered)
	c.Evicted = slices.Clone(t.Evicted)
	c.NotVisible = slices.Clone(t.NotVisible)
	if t.ProviderEdits != nil {
		edits := *t.ProviderEdits
		c.ProviderEdits = &edits
	}
	return &c
}
