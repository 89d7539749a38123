package builder_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/builder"
	"github.com/clipspan/clipspan/clipspantest"
	"github.com/clipspan/clipspan/tokens"
	"github.com/clipspan/clipspan/tokens/bpe"
)

// build is what a chain of the stages makes of a text.
func build(tb testing.TB, text string, stages ...builder.Stage) clipspan.Injection {
	tb.Helper()
	return buildOf(tb, clipspan.Observation{Tool: "read_file", Text: text}, stages...)
}

func buildOf(tb testing.TB, o clipspan.Observation, stages ...builder.Stage) clipspan.Injection {
	tb.Helper()
	in, err := builder.Chain("test", stages...).Build(tb.Context(), o)
	require.NoError(tb, err)
	return in
}

// span is what an emitter writes of it.
func span(tb testing.TB, o clipspan.Observation, stages ...builder.Stage) *clipspan.Span {
	tb.Helper()
	em, rec := clipspantest.New(tb)
	b := builder.Chain("test", stages...)
	in, err := b.Build(tb.Context(), o)
	require.NoError(tb, err)
	out := clipspan.Output{Text: o.Text, Parts: o.Parts, Err: o.Err}
	_, err = em.Record(tb.Context(), clipspan.Call{Name: "read_file"}, out, in, b.Version())
	require.NoError(tb, err)
	return rec.Span(tb, "read_file")
}

// lined is a text of n numbered lines of nine bytes.
func lined(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line %03d\n", i+1)
	}
	return b.String()
}

func TestCapsCutAsTheySay(t *testing.T) {
	for _, c := range []struct {
		name string
		cap  builder.Stage
		text string
		want string
	}{
		{"a text that fits stays", builder.MaxBytes(5), "12345", "12345"},
		{"a head in bytes", builder.MaxBytes(60), lined(20), "line 001\nline 002\nline 003\nli\n[... 151 of 180 bytes cut ...]"},
		{"a marker begins a line of its own", builder.MaxBytes(60), strings.Repeat("x", 200), strings.Repeat("x", 29) + "\n[... 171 of 200 bytes cut ...]"},
		{"a tail in bytes", builder.MaxBytes(60, builder.Tail()), lined(20), "[... 151 of 180 bytes cut ...]\n7\nline 018\nline 019\nline 020\n"},
		{"a tail on lines", builder.MaxBytes(60, builder.Tail(), builder.OnLines()), lined(20), "[... 153 of 180 bytes cut ...]\nline 018\nline 019\nline 020\n"},
		{"head and tail", builder.MaxBytes(75, builder.HeadTail(0.5), builder.OnLines()), lined(20), "line 001\nline 002\n[... 144 of 180 bytes cut ...]\nline 019\nline 020\n"},
		{"characters are code points", builder.MaxChars(40), strings.Repeat("的", 100), strings.Repeat("的", 10) + "\n[... 90 of 100 chars cut ...]"},
		{"lines, the marker being one of them", builder.MaxLines(3, 1000), lined(20), "line 001\nline 002\n[... 18 of 20 lines cut ...]"},
		{"lines at both ends", builder.MaxLines(5, 1000, builder.HeadTail(0.5)), lined(20), "line 001\nline 002\n[... 16 of 20 lines cut ...]\nline 019\nline 020\n"},
		{"one line that is too long is cut in bytes", builder.MaxLines(3, 60), strings.Repeat("x", 200), strings.Repeat("x", 29) + "\n[... 171 of 200 bytes cut ...]"},
		{"too small for the marker: a short one", builder.MaxBytes(12), lined(20), "line 0\n[...]"},
		{"too small for any marker", builder.MaxBytes(3), lined(20), "lin"},
		{"a marker longer than what it stands for is not put", builder.MaxLines(3, 1000), "1\n2\n3\n4\n", "1\n2\n3\n"},
		{"a cap of 0 lets nothing through", builder.MaxBytes(0), "x", ""},
		{"a cap below 0 lets nothing through", builder.MaxTokens(-1, nil), "x", ""},
		{"a rune that does not fit is left out", builder.MaxBytes(2), "的", ""},
		{"a byte that is no UTF-8 is a rune of its own", builder.MaxBytes(1), "0\xbb", "0"},
		{"and so is one at the end", builder.MaxBytes(1, builder.Tail()), "\xf0\x9f", "\x9f"},
		{"full is full", builder.Full(), lined(20), lined(20)},
		{"no marker on demand", builder.MaxBytes(20, builder.Marker("")), lined(20), "line 001\nline 002\nli"},
		{
			"a resume hint of the tool", builder.MaxLines(4, 1000, builder.Marker("[{lost} {unit} of {tool} left: offset={line}, bytes {from}-{to}]")), lined(20),
			"line 001\nline 002\nline 003\n[17 lines of read_file left: offset=4, bytes 27-180]",
		},
		{"graphemes stay whole", builder.MaxChars(9, builder.OnGraphemes(), builder.Marker("")), "report 👨‍👩‍👧 end", "report "},
		{"graphemes at the end too", builder.MaxChars(6, builder.OnGraphemes(), builder.Marker(""), builder.Tail()), "report 👨‍👩‍👧 end", " end"},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := build(t, c.text, c.cap)
			assert.Equal(t, c.want, in.Text)
			assert.Equal(t, c.want == c.text, len(in.Stages) == 0)
		})
	}
}

func TestASpanSaysWhatAChainDid(t *testing.T) {
	text := strings.Repeat("0123456789", 100)
	s := span(t, clipspan.Observation{Text: text}, builder.MaxBytes(100, builder.HeadTail(0.5)))
	assert.Equal(t, clipspan.ReasonToolResultCharLimit, s.ClipReason)
	assert.Equal(t, []clipspan.Stage{{
		Reason: clipspan.ReasonToolResultCharLimit, Policy: "max_bytes(100, head_tail 0.5)", BytesIn: 1000, BytesOut: 100,
	}}, s.Stages)
	assert.Equal(t, clipspan.CapBytes, s.CapUnit)
	assert.Equal(t, clipspan.Known(100), s.CapValue)
	assert.Equal(t, []clipspan.Range{{From: 0, To: 33}, {From: 966, To: 1000}}, s.KeptRanges)
	assert.Equal(t, clipspan.Known(33), s.AddedBytes)
	assert.Equal(t, clipspan.NoticeGiven, s.Notice)
	assert.Regexp(t, `^test\+[0-9a-f]{4}$`, s.PromptBuilderVersion)
	clipspantest.AssertClip(t, s, clipspan.VerdictClipped, clipspan.Span{})
}

func TestAnUntouchedResultDeclaresNothing(t *testing.T) {
	s := span(t, clipspan.Observation{Text: "port: 8443\n"}, builder.MaxBytes(100), builder.MaxTokens(50, nil))
	assert.Equal(t, clipspan.ReasonNone, s.ClipReason)
	assert.Empty(t, s.Stages)
	assert.Equal(t, clipspan.NoticeUnknown, s.Notice)
	assert.Empty(t, s.CapUnit)
	clipspantest.AssertClip(t, s, clipspan.VerdictOK, clipspan.Span{})
}

func TestTheModelIsNotToldWithoutAMarker(t *testing.T) {
	assert.Equal(t, clipspan.NoticeMissing, build(t, lined(20), builder.MaxBytes(20, builder.Marker(""))).Notice)
	assert.Equal(t, clipspan.NoticeMissing, build(t, lined(20), builder.MaxBytes(0)).Notice)
	assert.Equal(t, clipspan.NoticeMissing, build(t, lined(20), builder.MaxBytes(60), builder.MaxBytes(2)).Notice)
}

func TestASecondCutSaysHowMuchIsGoneInAll(t *testing.T) {
	in := build(t, lined(20), builder.MaxLines(10, 1000), builder.MaxBytes(60, builder.OnLines()))
	assert.Equal(t, "line 001\nline 002\nline 003\n[... 153 of 180 bytes cut ...]", in.Text)
	assert.Len(t, in.Stages, 2)
	assert.Equal(t, []clipspan.Range{{From: 0, To: 27}}, in.Kept)
	assert.Equal(t, clipspan.Cap{Unit: clipspan.CapLines, Value: 10}, in.Cap, "the cap that dropped the most stands for the cut")
}

func TestAllCapsHoldAtOnce(t *testing.T) {
	// The marker of the second cap has more tokens than what it stands for.
	text := strings.Repeat("internationalization ", 200)
	in := build(t, text, builder.MaxTokens(40, nil), builder.MaxBytes(300))
	n, err := tokens.Estimate.CountTokens(t.Context(), in.Text)
	require.NoError(t, err)
	assert.LessOrEqual(t, n, int64(40))
	assert.LessOrEqual(t, len(in.Text), 300)
}

func TestTheVersionChangesWithEverySetting(t *testing.T) {
	seen := map[string]builder.Stage{}
	for _, s := range []builder.Stage{
		builder.Full(), builder.MaxBytes(10), builder.MaxBytes(11), builder.MaxChars(10), builder.MaxTokens(10, nil),
		builder.MaxBytes(10, builder.Tail()), builder.MaxBytes(10, builder.HeadTail(0.25)), builder.MaxBytes(10, builder.OnLines()),
		builder.MaxBytes(10, builder.OnGraphemes()), builder.MaxBytes(10, builder.JSONItems()), builder.MaxBytes(10, builder.Marker("cut")),
		builder.MaxLines(10, 10), builder.MaxLines(10, 11), builder.WindowShare(0.5, 10, nil), builder.WindowShare(0.5, 11, nil),
		builder.TurnBudget(builder.MaxBytes(10)), builder.MaxTokens(10, other{}),
	} {
		version := builder.Chain("cap-v4", s).Version()
		assert.Regexp(t, `^cap-v4\+[0-9a-f]{4}$`, version)
		assert.Nil(t, seen[version], "%s has the version of %s", s, seen[version])
		seen[version] = s
	}
}

// other is a token counter that can't do much.
type other struct{ err error }

func (o other) CountTokens(_ context.Context, text string) (int64, error) {
	return int64(len(text)+1) / 2, o.err
}

func (other) Source() clipspan.TokenSource { return clipspan.TokenizerSource("halves") }

func TestTokensAreThoseOfTheCounterOfTheCap(t *testing.T) {
	in := build(t, lined(100), builder.MaxTokens(50, other{}, builder.HeadTail(0.5)))
	assert.Equal(t, clipspan.Known(int64(len(in.Text)+1)/2), in.Tokens)
	assert.Equal(t, clipspan.TokenizerSource("halves"), in.TokenSource)
	assert.Greater(t, len(in.Text), 90, "the cap is used")

	in = build(t, "short", builder.MaxTokens(50, other{}))
	assert.Equal(t, clipspan.Known(3), in.Tokens)

	in = build(t, lined(100), builder.MaxTokens(50, other{}), builder.MaxBytes(60))
	assert.Equal(t, clipspan.Known(int64(len(in.Text)+1)/2), in.Tokens, "counted again after the second cut")
}

func TestACounterThatFailsEndsTheChain(t *testing.T) {
	broken := errors.New("no network")
	_, err := builder.Chain("v1", builder.MaxTokens(50, other{broken})).Build(t.Context(), clipspan.Observation{Text: lined(100)})
	require.ErrorIs(t, err, broken)
	assert.ErrorContains(t, err, "prompt builder v1+")
	assert.ErrorContains(t, err, "max_tokens(50, tokenizer:halves, head)")
}

func TestTextPartsShareACapAndImagesPass(t *testing.T) {
	image := clipspan.Part{MediaType: "image/png", Data: []byte{1, 2, 3}}
	text := func(s string) clipspan.Part { return clipspan.Part{MediaType: "text/plain", Text: s} }
	o := clipspan.Observation{Parts: []clipspan.Part{text(lined(10)), image, text(lined(10))}}

	in := buildOf(t, o, builder.MaxBytes(120, builder.HeadTail(0.4), builder.OnLines()))
	assert.Equal(t, []clipspan.Part{
		text("line 001\nline 002\nline 003\nline 004\n[... 90 of 180 bytes cut ...]\n"), image, text("line 005\nline 006\nline 007\nline 008\nline 009\nline 010\n"),
	}, in.Parts)
	assert.Equal(t, []clipspan.Range{{From: 0, To: 36}, {From: 90, To: 93}, {From: 129, To: 183}}, in.Kept)

	s := span(t, o, builder.MaxBytes(60))
	assert.Equal(t, clipspan.Known(3), s.PartsObserved)
	assert.Equal(t, clipspan.Known(2), s.PartsInjected, "of the last text nothing is left")
	clipspantest.AssertClip(t, s, clipspan.VerdictClipped, clipspan.Span{})
}

func TestAWindowShareFollowsWhatRemains(t *testing.T) {
	text := lined(1000)
	c := builder.Chain("v1", builder.WindowShare(0.5, 1000, other{}))
	for _, tc := range []struct {
		name string
		ctx  context.Context
		want int64
	}{
		{"nothing is said: a share of the window", t.Context(), 500},
		{"a share of what remains", builder.ContextWithRemaining(t.Context(), 200), 100},
		{"never more than the window has", builder.ContextWithRemaining(t.Context(), math.MaxInt64), 500},
		{"a full window lets nothing through", builder.ContextWithRemaining(t.Context(), 0), 0},
		{"an overfull one neither", builder.ContextWithRemaining(t.Context(), -5), 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			in, err := c.Build(tc.ctx, clipspan.Observation{Text: text})
			require.NoError(t, err)
			assert.Equal(t, clipspan.Cap{Unit: clipspan.CapTokens, Value: tc.want}, in.Cap)
			assert.LessOrEqual(t, in.Tokens.Or(math.MaxInt64), tc.want)
			assert.GreaterOrEqual(t, in.Tokens.Or(0), tc.want*9/10)
		})
	}
}

func TestAMarkerWithAnUnknownPlaceholderIsRefused(t *testing.T) {
	for _, template := range []string{"{", "{lots} cut", "{lost", "a {} b", "{lost}{"} {
		assert.Panics(t, func() { builder.Marker(template) }, template)
	}
}

func TestAHostileToolNameStaysOnItsLine(t *testing.T) {
	o := clipspan.Observation{Tool: "evil\n{lost}\x1b[31m" + strings.Repeat("x", 500), Text: lined(100)}
	in := buildOf(t, o, builder.MaxBytes(200, builder.Marker("[cut of {tool}]")))
	last := in.Text[strings.LastIndex(in.Text, "\n")+1:]
	assert.Equal(t, "[cut of evil__lost__[31m"+strings.Repeat("x", 48)+"]", last)
}

// keptIn reports whether the ranges ascend and what they hold stands in the
// injected text in that order.
func keptIn(base, injected string, kept []clipspan.Range) bool {
	at := int64(0)
	for i, r := range kept {
		if r.From >= r.To || r.From < at || i > 0 && r.From == at || r.To > int64(len(base)) {
			return false
		}
		at = r.To
		piece := base[r.From:r.To]
		found := strings.Index(injected, piece)
		if found < 0 {
			return false
		}
		injected = injected[found+len(piece):]
	}
	return true
}

func TestTheTokensAreThoseThatTheDeclaredCapCounts(t *testing.T) {
	text := strings.Repeat("的文件 ", 500)
	for _, c := range []struct {
		name   string
		stages []builder.Stage
	}{
		{"another counter's cap behind it", []builder.Stage{builder.MaxTokens(100, bpe.O200kBase()), builder.MaxTokens(90, tokens.Estimate)}},
		{"a cap in bytes behind it", []builder.Stage{builder.MaxTokens(100, bpe.O200kBase()), builder.MaxBytes(300)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := build(t, text, c.stages...)
			assert.Equal(t, clipspan.Cap{Unit: clipspan.CapTokens, Value: 100}, in.Cap)
			assert.Equal(t, bpe.O200kBase().Source(), in.TokenSource)
			used, known := in.Tokens.Value()
			assert.True(t, known)
			assert.LessOrEqual(t, used, int64(100))
		})
	}
}
