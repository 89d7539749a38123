package trace_test

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/trace"
)

// fullSpan has a value in every field.
func fullSpan() *clipspan.Span {
	return &clipspan.Span{
		Header: clipspan.Header{
			Version: 1, RunID: "run-1", Seq: 7,
			Extra: []clipspan.Field{{Name: "eino.node", Raw: `"n1"`}, {Name: "x", Raw: `{"k":1,"k":2}`}},
		},
		SpanID: "tool-14", ParentID: "turn-3", Name: "read_file", Status: clipspan.StatusOK,
		ObservedBytes: clipspan.Known(96412), InjectedBytes: clipspan.Known(12040), InjectedTokens: clipspan.Known(8192),
		TokenSource: clipspan.TokenizerSource("o200k_base"), ClipReason: clipspan.ReasonPromptTokenCap,
		SHA256Observed: clipspan.ParseHash(okHash), SHA256Injected: clipspan.ParseHash("hmac-sha256:k1:" + okHash),
		InjectedPreview: "app:\n  name: \"billing\" é 漢 \u2028\x7f", PromptBuilderVersion: "cap-v3",
		ModelContextLimitTokens: clipspan.Known(200_000), Source: "import:codex", ToolCallID: "call_1",
		SHA256Args: clipspan.ParseHash("AB12"), TraceID: "4bf92f3577b34da6a3ce929d0e0e4736", OTelSpanID: "00f067aa0ba902b7",
		StartedAt: time.Date(2026, 3, 1, 2, 11, 0, 1, time.UTC), EndedAt: time.Date(2026, 3, 1, 2, 11, 0, 999, time.UTC),
		KeptBytes: clipspan.Known(12000), KeptRanges: []clipspan.Range{{From: 0, To: 6000}, {From: 90_412, To: 96_412}},
		AddedBytes: clipspan.Known(40), Notice: clipspan.NoticeMissing,
		RenderedBytes: clipspan.Known(97_000), SHA256Rendered: clipspan.ParseHash(okHash[:16]), Render: "line-numbers/1", RenderLossless: true,
		Stages:  []clipspan.Stage{{Reason: clipspan.ReasonRedaction, Policy: "mask", BytesIn: 97_000, BytesOut: 97_000}, {BytesIn: 97_000, BytesOut: 12_040}},
		CapUnit: clipspan.CapTokens, CapValue: clipspan.Known(8192),
		MediaType: "text/yaml", PartsObserved: clipspan.Known(1), PartsInjected: clipspan.Known(0), Error: "late",
	}
}

// fullTurn has a value in every field.
func fullTurn() *clipspan.Turn {
	return &clipspan.Turn{
		Header: clipspan.Header{Version: 1, RunID: "run-1", Seq: 8, Extra: []clipspan.Field{{Name: "adk.x", Raw: "null"}}},
		TurnID: "turn-3", Conversation: "main", Extends: "turn-2",
		StartedAt: time.Date(2026, 3, 1, 2, 11, 0, 1, time.UTC), EndedAt: time.Date(2026, 3, 1, 2, 11, 1, 0, time.UTC),
		Provider: "openai", Model: "m", RequestBytes: clipspan.Known(61_000), HTTPStatus: clipspan.Known(200),
		StopReason: "stop", Error: "late", InputTokens: clipspan.Known(14_000), OutputTokens: clipspan.Known(0), Reasoning: true,
		ModelContextLimitTokens: clipspan.Known(200_000), Truncation: "auto",
		ProviderEdits: &clipspan.ProviderEdits{ClearedToolUses: clipspan.Known(2), ClearedInputTokens: clipspan.Known(0)},
		Delivered: []clipspan.Delivery{
			{ToolCallID: "c1", SpanID: "a", Bytes: clipspan.Known(0), SHA256: clipspan.ParseHash(okHash), Repaired: true},
			{},
		},
		Evicted: []string{"c0", ""}, NotVisible: []string{"c7"}, Unread: "too_large",
	}
}

func fullGap() *clipspan.Gap {
	return &clipspan.Gap{
		Header:  clipspan.Header{Version: 1, RunID: "r", Seq: 9},
		FromSeq: clipspan.Known(4), ToSeq: clipspan.Known(6), Count: clipspan.Known(2), Error: "enospc",
	}
}

func fullEnd() *clipspan.RunEnd {
	return &clipspan.RunEnd{
		Header: clipspan.Header{Version: 1, RunID: "r", Seq: 10},
		Spans:  clipspan.Known(4), Turns: clipspan.Known(1), Gaps: clipspan.Known(0),
	}
}

func TestEveryFieldComesBackAsItWasWritten(t *testing.T) {
	for _, rec := range []clipspan.Record{
		fullSpan(), fullTurn(), fullGap(), fullEnd(),
		&clipspan.Span{}, &clipspan.Turn{}, &clipspan.Gap{}, &clipspan.RunEnd{},
	} {
		line := rec.AppendJSON(nil)
		again, err := trace.Parse(line)
		require.NoError(t, err, string(line))
		assert.Equal(t, rec, again)
		assert.Equal(t, string(line), string(again.AppendJSON(nil)))
	}
}

// Whoever edits a trace must not lose what others wrote into it.
func TestWritingAgainLosesNothing(t *testing.T) {
	for _, line := range []string{
		`{"span_id":"a","name":"t","observed_bytes":1e3,"injected_bytes":null,"injected_tokens":"3","z":[1, 2],"a":{"b" : "\u00e9"}}`,
		`{"name":"t","observed_bytes":null,"injected_bytes":null,"injected_tokens":null,"clip_reason":5,"stages":[{"reason":"none","bytes_in":1,"bytes_out":1,"more":true}]}`,
		`{"kind":"turn","delivered":[{"tool_call_id":"c","eino.x":1}],"evicted":[1]}`,
	} {
		rec, err := trace.Parse([]byte(line))
		require.NoError(t, err)
		again := rec.AppendJSON(nil)
		var want, got map[string]json.RawMessage
		require.NoError(t, json.Unmarshal([]byte(line), &want))
		require.NoError(t, json.Unmarshal(again, &got))
		assert.Equal(t, want, got, line)
	}
}

// source takes values of all kinds from fuzzed bytes.
type source struct{ data []byte }

func (s *source) byte() byte {
	if len(s.data) == 0 {
		return 0
	}
	b := s.data[0]
	s.data = s.data[1:]
	return b
}

func (s *source) bool() bool { return s.byte()&1 == 1 }

func (s *source) int() int64 {
	var b [8]byte
	for i := range b {
		b[i] = s.byte()
	}
	return int64(binary.LittleEndian.Uint64(b[:]) >> 1 >> (s.byte() % 63))
}

func (s *source) count() clipspan.Count {
	if s.bool() {
		return clipspan.Count{}
	}
	return clipspan.Known(s.int())
}

// str is any text that is UTF-8: other bytes are written as U+FFFD.
func (s *source) str() string {
	n := min(int(s.byte())%24, len(s.data))
	text := strings.ToValidUTF8(string(s.data[:n]), "\ufffd")
	s.data = s.data[n:]
	return text
}

func (s *source) hash() clipspan.Hash { return clipspan.ParseHash(s.str()) }

func (s *source) time() time.Time {
	if s.bool() {
		return time.Time{}
	}
	return time.Unix(s.int()%(1<<37), s.int()%1e9).UTC()
}

func (s *source) header() clipspan.Header {
	return clipspan.Header{Version: s.int(), RunID: s.str(), Seq: s.int()}
}

func list[T any](s *source, item func() T) (items []T) {
	for range s.byte() % 4 {
		items = append(items, item())
	}
	return items
}

func (s *source) span() *clipspan.Span {
	return &clipspan.Span{
		Header: s.header(), SpanID: s.str(), ParentID: s.str(), Name: s.str(), Status: clipspan.Status(s.str()),
		ObservedBytes: s.count(), InjectedBytes: s.count(), InjectedTokens: s.count(), TokenSource: clipspan.TokenSource(s.str()),
		ClipReason: clipspan.ClipReason(s.str()), SHA256Observed: s.hash(), SHA256Injected: s.hash(),
		InjectedPreview: s.str(), PromptBuilderVersion: s.str(), ModelContextLimitTokens: s.count(),
		Source: s.str(), ToolCallID: s.str(), SHA256Args: s.hash(), TraceID: s.str(), OTelSpanID: s.str(),
		StartedAt: s.time(), EndedAt: s.time(), KeptBytes: s.count(),
		KeptRanges: list(s, func() clipspan.Range { return clipspan.Range{From: s.int(), To: s.int()} }),
		AddedBytes: s.count(), Notice: clipspan.Notice(s.byte() % 3), RenderedBytes: s.count(), SHA256Rendered: s.hash(),
		Render: s.str(), RenderLossless: s.bool(),
		Stages: list(s, func() clipspan.Stage {
			return clipspan.Stage{Reason: clipspan.ClipReason(s.str()), Policy: s.str(), BytesIn: s.int(), BytesOut: s.int()}
		}),
		CapUnit: clipspan.CapUnit(s.str()), CapValue: s.count(), MediaType: s.str(),
		PartsObserved: s.count(), PartsInjected: s.count(), Error: s.str(),
	}
}

func (s *source) turn() *clipspan.Turn {
	t := &clipspan.Turn{
		Header: s.header(), TurnID: s.str(), Conversation: s.str(), Extends: s.str(), StartedAt: s.time(), EndedAt: s.time(),
		Provider: s.str(), Model: s.str(), RequestBytes: s.count(), HTTPStatus: s.count(), StopReason: s.str(), Error: s.str(),
		InputTokens: s.count(), OutputTokens: s.count(), Reasoning: s.bool(), ModelContextLimitTokens: s.count(), Truncation: s.str(),
		Delivered: list(s, func() clipspan.Delivery {
			return clipspan.Delivery{ToolCallID: s.str(), SpanID: s.str(), Bytes: s.count(), SHA256: s.hash(), Repaired: s.bool()}
		}),
		Evicted: list(s, s.str), NotVisible: list(s, s.str), Unread: s.str(),
	}
	if s.bool() {
		t.ProviderEdits = &clipspan.ProviderEdits{ClearedToolUses: s.count(), ClearedInputTokens: s.count()}
	}
	return t
}

// What is written is one line, and reading it gives what was written.
func FuzzRoundTrip(f *testing.F) {
	f.Add([]byte(nil))
	f.Add([]byte("\x01\x02\x03 some bytes \n\"\\ \u2028 é and more of them, to fill a few fields with"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &source{data}
		var rec clipspan.Record = s.span()
		if s.bool() {
			rec = s.turn()
		}
		line := rec.AppendJSON(nil)
		if strings.ContainsAny(string(line), "\n\r\u0085\u2028\u2029\x7f") {
			t.Fatalf("more than a line: %q", line)
		}
		again, err := trace.Parse(line)
		require.NoError(t, err, "%s", line)
		require.Equal(t, rec, again, "%s", line)
	})
}

// Reading never panics, and takes for JSON what encoding/json does.
func FuzzRead(f *testing.F) {
	f.Add(okSpan("a") + "\n" + okSpan("b"))
	f.Add("\ufeff{}\r\n\n{\"kind\":\"turn\",\"delivered\":[{\"span_id\":\"a\"}]}\n[1]\n{\"name\":\"\xff\"}\n{\"na")
	f.Add(string(fullSpan().AppendJSON(nil)) + "\n" + string(fullTurn().AppendJSON(nil)))
	f.Add(string(fullGap().AppendJSON(nil)) + "\n" + string(fullEnd().AppendJSON(nil)) + "\n\x00\x00")
	f.Fuzz(func(t *testing.T, text string) {
		wrong := map[int]trace.Damage{}
		for rec, err := range trace.Read("f", strings.NewReader(text)) {
			var bad *trace.LineError
			switch {
			case errors.As(err, &bad):
				wrong[bad.Line] = bad.Damage
			case err != nil:
				require.ErrorIs(t, err, trace.ErrUTF16)
				return
			default:
				again, err := trace.Parse(rec.AppendJSON(nil))
				require.NoError(t, err, "%q", text)
				require.Equal(t, rec, again, "%q", text)
			}
		}
		for i, line := range strings.Split(strings.TrimPrefix(text, "\ufeff"), "\n") {
			compareWithJSON(t, line, wrong[i+1])
		}
	})
}

func compareWithJSON(t *testing.T, line string, damage trace.Damage) {
	switch {
	case strings.Trim(line, " \t\r") == "":
		require.Empty(t, damage, "%q", line)
	case strings.Count(line, "{")+strings.Count(line, "[") > 90:
	case !json.Valid([]byte(line)) || !utf8.ValidString(line):
		require.Contains(t, []trace.Damage{trace.DamageSyntax, trace.DamageUTF8, trace.DamageTorn}, damage, "%q", line)
	default:
		require.Contains(t, []trace.Damage{"", trace.DamageKey, trace.DamageNoObject}, damage, "%q", line)
	}
}

func TestALineMayBreakOffAnywhere(t *testing.T) {
	for name, rec := range map[string]clipspan.Record{
		"a span": fullSpan(), "a turn": fullTurn(), "a gap": fullGap(), "a run end": fullEnd(),
	} {
		t.Run(name, func(t *testing.T) {
			compact := string(rec.AppendJSON(nil))
			for _, line := range []string{compact, strings.NewReplacer(":", ": ", ",", ", ").Replace(compact)} {
				for n := 1; n < len(line); n++ {
					_, err := trace.Parse([]byte(line[:n]))
					var bad *trace.LineError
					require.ErrorAs(t, err, &bad, "%q", line[:n])
					require.NotEmpty(t, bad.Damage)
				}
			}
		})
	}
}
