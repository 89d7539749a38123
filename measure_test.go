package clipspan_test

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/clipspan/clipspan"
)

// record writes one span of a call that is over and returns it as the sink saw it.
func record(t *testing.T, out clipspan.Output, in clipspan.Injection) *clipspan.Span {
	t.Helper()
	sink := &memorySink{}
	_, err := clipspan.NewEmitter(sink, countBytes{}).Record(t.Context(), clipspan.Call{Name: "read_file"}, out, in, "v1")
	require.NoError(t, err)
	return sink.only(t)
}

func TestTheBuildersOwnTokenCountIsBelieved(t *testing.T) {
	s := record(t, clipspan.Output{Text: "abc"}, clipspan.Injection{
		Text: "abc", Tokens: clipspan.Known(1), TokenSource: clipspan.TokenizerSource("o200k_base"),
	})
	assert.Equal(t, clipspan.Known(1), s.InjectedTokens)
	assert.Equal(t, "o200k_base", s.TokenSource.Tokenizer())
}

func TestThePolicyThatDroppedTheMostStandsForAll(t *testing.T) {
	whole := strings.Repeat("x", 1000)
	for name, c := range map[string]struct {
		stages []clipspan.Stage
		want   clipspan.ClipReason
	}{
		"the bigger drop, though it came first": {[]clipspan.Stage{
			{Reason: clipspan.ReasonPromptTokenCap, BytesIn: 1000, BytesOut: 200},
			{Reason: clipspan.ReasonRedaction, BytesIn: 200, BytesOut: 100},
		}, clipspan.ReasonPromptTokenCap},
		"the later one of two equal drops": {[]clipspan.Stage{
			{Reason: clipspan.ReasonToolResultCharLimit, BytesIn: 1000, BytesOut: 550},
			{Reason: clipspan.ReasonRedaction, BytesIn: 550, BytesOut: 100},
		}, clipspan.ReasonRedaction},
	} {
		t.Run(name, func(t *testing.T) {
			s := record(t, clipspan.Output{Text: whole}, clipspan.Injection{Text: whole[:100], Stages: c.stages})
			assert.Equal(t, c.want, s.ClipReason)
			assert.Equal(t, c.stages, s.Stages)
		})
	}
}

func TestRenderingIsMeasuredBetweenTheTwoTexts(t *testing.T) {
	const observed = "app:\n  port: 8443\n"
	const numbered = "1\tapp:\n2\t  port: 8443\n"
	t.Run("rendered and not cut", func(t *testing.T) {
		s := record(t, clipspan.Output{Text: observed}, clipspan.Injection{
			Text: numbered, Rendered: &clipspan.Rendered{Text: numbered, ID: "line-numbers/1"},
		})
		assert.Equal(t, clipspan.Known(int64(len(numbered))), s.RenderedBytes)
		assert.Equal(t, sha(numbered), s.SHA256Rendered.String())
		assert.Equal(t, sha(observed), s.SHA256Observed.String())
		assert.True(t, s.RenderLossless)
		assert.Equal(t, clipspan.ReasonNone, s.ClipReason)
		assert.Equal(t, clipspan.Finding{Verdict: clipspan.VerdictOK}, clipspan.Classify(s))
	})
	t.Run("rendered, then cut in silence", func(t *testing.T) {
		s := record(t, clipspan.Output{Text: observed}, clipspan.Injection{
			Text: numbered[:7], Rendered: &clipspan.Rendered{Text: numbered, ID: "line-numbers/1"},
		})
		assert.Equal(t, clipspan.VerdictSilentClip, clipspan.Classify(s).Verdict)
		assert.Equal(t, []clipspan.Range{{From: 0, To: 7}}, s.KeptRanges, "ranges are of the rendered text")
	})
	t.Run("a renderer that drops something is no lossless one", func(t *testing.T) {
		s := record(t, clipspan.Output{Text: "\x1b[31mred\x1b[0m"}, clipspan.Injection{
			Text: "red", Rendered: &clipspan.Rendered{Text: "red", ID: "ansi-strip/1"},
		})
		assert.False(t, s.RenderLossless)
		assert.Equal(t, clipspan.VerdictClipped, clipspan.Classify(s).Verdict)
	})
	t.Run("a renderer that changed nothing is not mentioned", func(t *testing.T) {
		s := record(t, clipspan.Output{Text: "plain"}, clipspan.Injection{
			Text: "plain", Rendered: &clipspan.Rendered{Text: "plain", ID: "ansi-strip/1"},
		})
		assert.False(t, s.RenderedBytes.Known())
	})
}

func TestHintedRangesThatAreWrongAreReportedAndNotBelieved(t *testing.T) {
	var told error
	sink := &memorySink{}
	em := clipspan.NewEmitter(sink, countBytes{}, clipspan.WithErrorHandler(func(err error) { told = err }))
	_, err := em.Record(t.Context(), clipspan.Call{}, clipspan.Output{Text: "0123456789"},
		clipspan.Injection{Text: "0123", Kept: []clipspan.Range{{From: 0, To: 9}}}, "cap-v1")
	require.NoError(t, err)
	assert.ErrorContains(t, told, `kept ranges of prompt builder "cap-v1" do not fit its text`)
	assert.Equal(t, clipspan.Known(4), sink.only(t).KeptBytes, "what the texts prove counts")
}

func TestMoreThan64RangesAreCountedButNotListed(t *testing.T) {
	base := strings.Repeat("ab", 100)
	var kept []clipspan.Range
	for i := range int64(100) {
		kept = append(kept, clipspan.Range{From: 2 * i, To: 2*i + 1})
	}
	s := record(t, clipspan.Output{Text: base}, clipspan.Injection{Text: strings.Repeat("a", 100), Kept: kept})
	assert.Equal(t, clipspan.Known(100), s.KeptBytes)
	assert.Empty(t, s.KeptRanges)
}

func TestPartsAreCountedAndMeasuredAsRawBytes(t *testing.T) {
	text := clipspan.Part{MediaType: "text/plain", Text: strings.Repeat("t", 400)}
	data := clipspan.Part{MediaType: "application/json", Text: strings.Repeat("j", 120)}
	image := clipspan.Part{MediaType: "image/png", Data: bytes.Repeat([]byte{0x89}, 14396)}
	for name, c := range map[string]struct {
		observed []clipspan.Part
		injected clipspan.Injection
		kept     clipspan.Count
		ranges   []clipspan.Range
		verdict  clipspan.Verdict
	}{
		"the text part is dropped beside structured content": {
			[]clipspan.Part{text, data},
			clipspan.Injection{Parts: []clipspan.Part{data}},
			clipspan.Known(120),
			[]clipspan.Range{{From: 400, To: 520}},
			clipspan.VerdictSilentClip,
		},
		"an image is left out and said so": {
			[]clipspan.Part{text, image},
			clipspan.Injection{Text: text.Text, Reason: clipspan.ReasonBinaryOmitted},
			clipspan.Known(400),
			[]clipspan.Range{{From: 0, To: 400}},
			clipspan.VerdictClipped,
		},
		"all parts arrive": {
			[]clipspan.Part{text, image},
			clipspan.Injection{Parts: []clipspan.Part{text, image}},
			clipspan.Known(14796),
			[]clipspan.Range{{From: 0, To: 14796}},
			clipspan.VerdictOK,
		},
		"parts joined to one text": {
			[]clipspan.Part{{Text: "ab"}, {Text: "c"}},
			clipspan.Injection{Text: "abc"},
			clipspan.Known(3),
			[]clipspan.Range{{From: 0, To: 3}},
			clipspan.VerdictOK,
		},
		"parts joined by line ends, which is only decoration": {
			[]clipspan.Part{{Text: "ab"}, {Text: "c"}},
			clipspan.Injection{Text: "ab\nc", Reason: clipspan.ReasonNone},
			clipspan.Known(3),
			[]clipspan.Range{{From: 0, To: 3}},
			clipspan.VerdictOK,
		},
		"a text part is cut beside an image, and the prompt builder says where": {
			[]clipspan.Part{text, image},
			clipspan.Injection{
				Parts:  []clipspan.Part{{Text: text.Text[:90] + "[...]"}, image},
				Reason: clipspan.ReasonToolResultCharLimit,
				Kept:   []clipspan.Range{{From: 0, To: 90}, {From: 400, To: 14796}},
			},
			clipspan.Known(14486),
			[]clipspan.Range{{From: 0, To: 90}, {From: 400, To: 14796}},
			clipspan.VerdictClipped,
		},
		"an image becomes a sentence": {
			[]clipspan.Part{image},
			clipspan.Injection{Text: "[image of 14,396 bytes]", Reason: clipspan.ReasonNone},
			clipspan.Count{},
			nil, clipspan.VerdictSilentClip,
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := record(t, clipspan.Output{Parts: c.observed}, c.injected)
			assert.Equal(t, clipspan.Known(int64(len(c.observed))), s.PartsObserved)
			assert.Equal(t, c.kept, s.KeptBytes)
			assert.Equal(t, c.ranges, s.KeptRanges)
			assert.Equal(t, c.verdict, clipspan.Classify(s).Verdict)
		})
	}
}

func TestRenderedPartsAreTheBaseOfWhatIsCut(t *testing.T) {
	image := clipspan.Part{MediaType: "image/png", Data: []byte{0x89, 0x50}}
	observed := []clipspan.Part{{Text: "a\nb\n"}, image}
	rendered := []clipspan.Part{{Text: "1\ta\n2\tb\n"}, image}

	s := record(t, clipspan.Output{Parts: observed}, clipspan.Injection{
		Parts:    []clipspan.Part{{Text: "1\ta\n"}, image},
		Rendered: &clipspan.Rendered{Parts: rendered, ID: "line-numbers/1"},
		Reason:   clipspan.ReasonToolResultCharLimit,
		Kept:     []clipspan.Range{{From: 0, To: 4}, {From: 8, To: 10}},
	})
	assert.Equal(t, sha("1\ta\n2\tb\n\x89\x50"), s.SHA256Rendered.String())
	assert.Equal(t, clipspan.Known(10), s.RenderedBytes)
	assert.Equal(t, clipspan.Known(6), s.KeptBytes)
	assert.True(t, s.RenderLossless)
	assert.Equal(t, clipspan.VerdictClipped, clipspan.Classify(s).Verdict)
}

func TestInvalidUTF8IsMeasuredAsItIs(t *testing.T) {
	for _, text := range []string{"\xff\xfe\x00", "a\xed\xa0\x80b"} {
		s := record(t, clipspan.Output{Text: text}, clipspan.Injection{Text: text})
		assert.Equal(t, sha(text), s.SHA256Observed.String())
		assert.Equal(t, clipspan.Known(int64(len(text))), s.InjectedBytes)
		assert.Equal(t, clipspan.VerdictOK, clipspan.Classify(s).Verdict)

		repaired := record(t, clipspan.Output{Text: text}, clipspan.Injection{Text: strings.ToValidUTF8(text, "\uFFFD"), Reason: clipspan.ReasonNone})
		assert.NotEqual(t, clipspan.VerdictOK, clipspan.Classify(repaired).Verdict, "repair is a change")
	}
}

func TestAPrefixIsHashedInOnePassWithTheWhole(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		b := make([]byte, rng.IntN(20000))
		for i := range b {
			b[i] = byte(rng.Uint32())
		}
		whole := string(b)
		cut := whole[:rng.IntN(len(whole)+1)]
		s := record(t, clipspan.Output{Text: whole}, clipspan.Injection{Text: cut})
		require.Equal(t, sha(whole), s.SHA256Observed.String())
		require.Equal(t, sha(cut), s.SHA256Injected.String())
	}
}

func TestAStreamIsHashedAsTheHostReadsIt(t *testing.T) {
	whole := strings.Repeat("0123456789abcdef", 6026)[:96412]
	for name, read := range map[string]func(io.Reader) (string, error){
		"in one go": func(r io.Reader) (string, error) { b, err := io.ReadAll(r); return string(b), err },
		"byte by byte": func(r io.Reader) (string, error) {
			b, err := io.ReadAll(iotest.OneByteReader(r))
			return string(b), err
		},
		"with data and EOF": func(r io.Reader) (string, error) {
			b, err := io.ReadAll(iotest.DataErrReader(r))
			return string(b), err
		},
		"past the EOF again": func(r io.Reader) (string, error) { b, err := io.ReadAll(r); _, _ = r.Read(nil); return string(b), err },
	} {
		t.Run(name, func(t *testing.T) {
			sink := &memorySink{}
			o := clipspan.NewEmitter(sink, countBytes{}).Start(t.Context(), clipspan.Call{Name: "stream"})
			text, err := read(o.ObserveReader(strings.NewReader(whole)))
			require.NoError(t, err)
			require.NoError(t, o.Inject(clipspan.Injection{Text: text[:12040], Reason: clipspan.ReasonPromptTokenCap}, "cap-v3"))
			s := sink.only(t)
			assert.Equal(t, clipspan.Known(96412), s.ObservedBytes)
			assert.Equal(t, sha(whole), s.SHA256Observed.String())
			assert.False(t, s.KeptBytes.Known(), "the text is gone")
			assert.Equal(t, clipspan.VerdictClipped, clipspan.Classify(s).Verdict)
		})
	}
}

func TestAStreamThatWasNotReadToItsEndIsUnknown(t *testing.T) {
	sink := &memorySink{}
	o := clipspan.NewEmitter(sink, countBytes{}).Start(t.Context(), clipspan.Call{})
	head := make([]byte, 8192)
	_, err := io.ReadFull(o.ObserveReader(strings.NewReader(strings.Repeat("x", 96412))), head)
	require.NoError(t, err)
	require.NoError(t, o.Inject(clipspan.Injection{Text: string(head)}, "v1"))
	s := sink.only(t)
	assert.False(t, s.ObservedBytes.Known(), "8,192 is what was read, not what there was")
	assert.Equal(t, clipspan.StatusIncomplete, s.Status)
	assert.Equal(t, "not_read_to_end", s.Error)
	assert.Equal(t, clipspan.VerdictIncomplete, clipspan.Classify(s).Verdict)
}

func TestAWholeStreamThatIsInjectedWholeIsOK(t *testing.T) {
	sink := &memorySink{}
	o := clipspan.NewEmitter(sink, countBytes{}).Start(t.Context(), clipspan.Call{})
	b, err := io.ReadAll(o.ObserveReader(strings.NewReader("all of it")))
	require.NoError(t, err)
	require.NoError(t, o.Inject(clipspan.Injection{Text: string(b)}, "v1"))
	s := sink.only(t)
	assert.Equal(t, clipspan.ReasonNone, s.ClipReason)
	assert.Equal(t, clipspan.VerdictOK, clipspan.Classify(s).Verdict)
}

func TestTheLastObservationCounts(t *testing.T) {
	sink := &memorySink{}
	o := clipspan.NewEmitter(sink, countBytes{}).Start(t.Context(), clipspan.Call{})
	o.Observe(clipspan.Output{Text: "first sentence", Partial: true})
	o.Observe(clipspan.Output{Text: "first sentence, and the rest"})
	require.NoError(t, o.Inject(clipspan.Injection{Text: "first sentence, and the rest"}, "v1"))
	s := sink.only(t)
	assert.Equal(t, clipspan.Known(28), s.ObservedBytes)
	assert.Equal(t, clipspan.StatusOK, s.Status)
}

func TestASpanIsWrittenOnce(t *testing.T) {
	sink := &memorySink{}
	o := clipspan.NewEmitter(sink, countBytes{}).Start(t.Context(), clipspan.Call{})
	o.Observe(clipspan.Output{Text: "x"})
	require.NoError(t, o.Inject(clipspan.Injection{Text: "x"}, "v1"))
	require.ErrorIs(t, o.Inject(clipspan.Injection{Text: "y"}, "v1"), clipspan.ErrSettled)
	require.ErrorIs(t, o.Abandon(nil), clipspan.ErrSettled)
	assert.Equal(t, clipspan.Known(1), sink.only(t).InjectedBytes)
}

func TestWhatEndsWithoutAResultIsIncomplete(t *testing.T) {
	for name, c := range map[string]struct {
		end    func(*clipspan.Open) error
		status clipspan.Status
		class  string
	}{
		"partial output": {func(o *clipspan.Open) error {
			o.Observe(clipspan.Output{Text: "half", Partial: true})
			return o.Inject(clipspan.Injection{Text: "half"}, "v1")
		}, clipspan.StatusIncomplete, ""},
		"injected without an observation": {func(o *clipspan.Open) error {
			return o.Inject(clipspan.Injection{Text: "?"}, "v1")
		}, clipspan.StatusIncomplete, ""},
		"abandoned":           {func(o *clipspan.Open) error { return o.Abandon(nil) }, clipspan.StatusIncomplete, "abandoned"},
		"cancelled":           {func(o *clipspan.Open) error { return o.Abandon(context.Canceled) }, clipspan.StatusIncomplete, "cancelled"},
		"timed out":           {func(o *clipspan.Open) error { return o.Abandon(context.DeadlineExceeded) }, clipspan.StatusIncomplete, "timeout"},
		"failed with a panic": {func(o *clipspan.Open) error { return o.Abandon(&clipspan.PanicError{Value: "secret"}) }, clipspan.StatusIncomplete, "panic"},
	} {
		t.Run(name, func(t *testing.T) {
			sink := &memorySink{}
			require.NoError(t, c.end(clipspan.NewEmitter(sink, countBytes{}).Start(t.Context(), clipspan.Call{})))
			s := sink.only(t)
			assert.Equal(t, c.status, s.Status)
			assert.Equal(t, c.class, s.Error)
			assert.Equal(t, name == "partial output", s.ObservedBytes.Known())
			assert.Equal(t, clipspan.VerdictIncomplete, clipspan.Classify(s).Verdict)
		})
	}
}
