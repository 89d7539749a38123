package clipspan_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/clipspan/clipspan"
)

// members decodes what must be one line with one JSON object.
func members(t *testing.T, line []byte) map[string]any {
	t.Helper()
	// Characters that some reader takes for the end of a line, or a terminal for a command.
	for _, r := range string(line) {
		require.False(t, r < ' ' || 0x7f <= r && r < 0xa0 || r == '\u2028' || r == '\u2029', "%q holds a raw %U", line, r)
	}
	require.True(t, utf8.Valid(line))
	m := map[string]any{}
	require.NoError(t, json.Unmarshal(line, &m), string(line))
	return m
}

// fill sets every string within v, and one element in every list, to text.
func fill(v reflect.Value, text string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), text)
	case reflect.Struct:
		switch v.Addr().Interface().(type) {
		case *clipspan.Hash:
			v.Set(reflect.ValueOf(clipspan.ParseHash(text)))
		case *clipspan.Field, *time.Time, *clipspan.Count:
		default:
			for i := range v.NumField() {
				fill(v.Field(i), text)
			}
		}
	}
}

// texts collects all strings of a decoded record but the kind.
func texts(v any) (list []string) {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		for _, e := range v {
			list = append(list, texts(e)...)
		}
	case map[string]any:
		for k, e := range v {
			if k != "kind" {
				list = append(list, texts(e)...)
			}
		}
	}
	return list
}

func TestAnyTextInAnyFieldIsOneLineAndComesBack(t *testing.T) {
	var nasty []string
	for c := range 0x100 {
		nasty = append(nasty, "a"+string([]byte{byte(c)})+"b", string(rune(c)))
	}
	nasty = append(nasty, "\u0085\u2028\u2029", "\xff\xfe\x00", "\xed\xa0\x80", "\xe6\xbc", "漢字😀", "\u202e\u200b", `\u0041`, `"},{"`, "\r\n", strings.Repeat("\\\"", 40))
	for _, text := range nasty {
		for fields, rec := range map[int]clipspan.Record{19: &clipspan.Span{}, 15: &clipspan.Turn{}, 2: &clipspan.Gap{}, 1: &clipspan.RunEnd{}} {
			fill(reflect.ValueOf(rec).Elem(), text)
			rec.Envelope().Extra = nil
			got := texts(members(t, rec.AppendJSON(nil)))
			require.GreaterOrEqual(t, len(got), fields, "%T: every field was written", rec)
			for _, s := range got {
				require.Equal(t, strings.ToValidUTF8(each(text), "\ufffd"), s, "%T: %q", rec, text)
			}
		}
	}
}

// each takes invalid bytes apart: each of them becomes a U+FFFD of its own.
func each(text string) string {
	var b strings.Builder
	for _, r := range text {
		b.WriteRune(r)
	}
	return b.String()
}

func TestTheSeedsFieldsComeFirstAndInItsOrder(t *testing.T) {
	s := okSpan()
	s.ParentID, s.Status, s.InjectedPreview, s.PromptBuilderVersion = "turn-3", clipspan.StatusOK, "01", "cap-v3"
	s.Version, s.RunID, s.Seq = 1, "r", 2
	hash := sha("0123456789")
	assert.Equal(t, `{"span_id":"a","parent_id":"turn-3","name":"t","status":"ok","observed_bytes":10,"injected_bytes":10,"injected_tokens":3,`+
		`"clip_reason":"none","sha256_observed":"`+hash+`","sha256_injected":"`+hash+`","injected_preview":"01","prompt_builder_version":"cap-v3",`+
		`"v":1,"run_id":"r","seq":2}`, string(s.AppendJSON(nil)))
}

func TestUnknownLengthsAreNullAndOtherAbsentFieldsAreNot(t *testing.T) {
	assert.Equal(t, `{"observed_bytes":null,"injected_bytes":null,"injected_tokens":null}`, string((&clipspan.Span{}).AppendJSON(nil)))
	assert.Equal(t, `{"kind":"turn"}`, string((&clipspan.Turn{}).AppendJSON(nil)))
	assert.Equal(t, `{"kind":"gap"}`, string((&clipspan.Gap{}).AppendJSON(nil)))
	assert.Equal(t, `{"kind":"run_end"}`, string((&clipspan.RunEnd{}).AppendJSON(nil)))
	assert.Equal(t, `{"kind":"turn","provider_edits":{}}`, string((&clipspan.Turn{ProviderEdits: &clipspan.ProviderEdits{}}).AppendJSON(nil)))
}

func TestAKnownZeroIsWritten(t *testing.T) {
	s := &clipspan.Span{ObservedBytes: clipspan.Known(0), KeptBytes: clipspan.Known(0)}
	m := members(t, s.AppendJSON(nil))
	assert.InDelta(t, 0, m["observed_bytes"], 0)
	assert.InDelta(t, 0, m["kept_bytes"], 0)
}

func TestExtraFieldsComeLastAndReplaceOwnOnes(t *testing.T) {
	s := okSpan()
	s.Version = 1
	s.Extra = []clipspan.Field{
		{Name: "eino.node", Raw: `{"a": 1, "a": 2}`},
		{Name: "observed_bytes", Raw: `"ten"`},
		{Name: "v", Raw: `1.0`},
		{Name: "kept_ranges", Raw: `[]`},
	}
	line := string(s.AppendJSON(nil))
	assert.True(t, strings.HasSuffix(line, `,"eino.node":{"a": 1, "a": 2},"observed_bytes":"ten","v":1.0,"kept_ranges":[]}`), line)
	for _, name := range []string{"observed_bytes", "v", "kept_ranges"} {
		assert.Equal(t, 1, strings.Count(line, `"`+name+`":`), line)
	}
	turn := &clipspan.Turn{TurnID: "t", Header: clipspan.Header{Extra: []clipspan.Field{{Name: "kind", Raw: `"turn"`}}}}
	assert.Equal(t, `{"turn_id":"t","kind":"turn"}`, string(turn.AppendJSON(nil)))
}

func TestNoExtraFieldCanBreakALine(t *testing.T) {
	for _, raw := range []string{"", "{", "1,2", `1}{"x":1`, "1\n2", "[1,\n2]", "\r1", "nope", "\xff", `"a` + "\u2028" + `"`, `"` + "\x7f" + `"`, "\"\xff\"", "\u0085"} {
		for _, name := range []string{"x", "a\"b", "a\nb", "\u2028", "\xff", ""} {
			s := &clipspan.Span{Header: clipspan.Header{Extra: []clipspan.Field{{Name: name, Raw: raw}}}}
			line := s.AppendJSON(nil)
			require.NotContains(t, string(line), "\n")
			require.NotContains(t, string(line), "\r")
			m := map[string]any{}
			require.NoError(t, json.Unmarshal(line, &m), string(line))
			assert.Len(t, m, 4, "%q: %q", name, raw)
			if !json.Valid([]byte(raw)) {
				assert.Equal(t, strings.ToValidUTF8(raw, "\ufffd"), m[each(name)], "what is no JSON is told as text")
			}
		}
	}
}

func TestRecordsAreJSONMarshalers(t *testing.T) {
	s := okSpan()
	for _, rec := range []clipspan.Record{s, &clipspan.Turn{TurnID: "t"}, &clipspan.Gap{Error: "x"}, &clipspan.RunEnd{Spans: clipspan.Known(1)}} {
		out, err := json.Marshal(rec)
		require.NoError(t, err)
		assert.JSONEq(t, string(rec.AppendJSON(nil)), string(out))
	}
}

func TestEncodingAllocatesNothing(t *testing.T) {
	s := okSpan()
	s.InjectedPreview, s.StartedAt, s.Stages = "app:\n  é", time.Now(), []clipspan.Stage{{Policy: "p"}}
	b := make([]byte, 0, 4096)
	assert.Zero(t, testing.AllocsPerRun(100, func() { b = s.AppendJSON(b[:0]) }))
}

func TestACloneSharesNothing(t *testing.T) {
	s := okSpan()
	s.Extra = []clipspan.Field{{Name: "x", Raw: "1"}}
	s.KeptRanges, s.Stages = []clipspan.Range{{To: 1}}, []clipspan.Stage{{Policy: "p"}}
	turn := &clipspan.Turn{
		Header:    clipspan.Header{Extra: []clipspan.Field{{Name: "x", Raw: "1"}}},
		Delivered: []clipspan.Delivery{{SpanID: "a"}}, Evicted: []string{"e"}, NotVisible: []string{"n"},
		ProviderEdits: &clipspan.ProviderEdits{ClearedToolUses: clipspan.Known(1)},
	}
	for _, rec := range []clipspan.Record{s, turn, &clipspan.Gap{Header: s.Header}, &clipspan.RunEnd{Header: s.Header}} {
		want := string(rec.AppendJSON(nil))
		c := clipspan.Clone(rec)
		c.Envelope().Extra[0].Raw = "2"
		switch c := c.(type) {
		case *clipspan.Span:
			c.KeptRanges[0].To, c.Stages[0].Policy = 2, "q"
		case *clipspan.Turn:
			c.Delivered[0].SpanID, c.Evicted[0], c.NotVisible[0] = "b", "f", "m"
			c.ProviderEdits.ClearedToolUses = clipspan.Known(2)
		}
		assert.Equal(t, want, string(rec.AppendJSON(nil)))
		assert.NotEqual(t, want, string(c.AppendJSON(nil)))
		s.Extra[0].Raw = "1"
	}
}
