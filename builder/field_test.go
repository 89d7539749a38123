package builder_test

import (
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/builder"
	"github.com/clipspan/clipspan/clipspantest"
	"github.com/clipspan/clipspan/tokens"
	"github.com/clipspan/clipspan/tokens/bpe"
)

// The tests here stand for failures that people have met, where no test of a stage
// does. Each is named after its case.

func TestField02ACapIsMadeOfTheWindow(t *testing.T) {
	text := strings.Repeat("the port is 8080, ", 4000) // 72,000 characters, 28,000 tokens
	s := span(t, clipspan.Observation{Text: text}, builder.WindowShare(0.25, 272_000, bpe.O200kBase()))
	assert.Equal(t, clipspan.ReasonNone, s.ClipReason, "a cap of 50,000 characters would have cut it")

	remaining := builder.ContextWithRemaining(t.Context(), 40_000)
	in, err := builder.Chain("v1", builder.WindowShare(0.25, 272_000, bpe.O200kBase())).Build(remaining, clipspan.Observation{Text: text})
	require.NoError(t, err)
	assert.Equal(t, clipspan.Cap{Unit: clipspan.CapTokens, Value: 10_000}, in.Cap, "the cap is on the record")
}

func TestField03EachCutResultSaysItsSizes(t *testing.T) {
	for _, size := range []int{65_536, 21_000} {
		s := span(t, clipspan.Observation{Text: strings.Repeat("x", size)}, builder.MaxBytes(10_240))
		assert.Equal(t, clipspan.Known(int64(size)), s.ObservedBytes)
		assert.Equal(t, clipspan.Known(10_240), s.InjectedBytes)
		assert.Equal(t, clipspan.VerdictClipped, clipspan.Classify(s).Verdict)
		assert.Equal(t, clipspan.NoticeGiven, s.Notice)
	}
}

func TestField05OneToolIsExemptAndTheMarkerAsksForNothing(t *testing.T) {
	capped := builder.Chain("v1", builder.MaxChars(8_000))
	b := builder.ByTool(map[string]clipspan.Builder{"load_skill": builder.Chain("v1", builder.Full())}, capped)
	skill := clipspan.Observation{Tool: "load_skill", Text: strings.Repeat("x", 21_046)}
	in, err := b.Build(t.Context(), skill)
	require.NoError(t, err)
	assert.Equal(t, skill.Text, in.Text)

	skill.Tool = "other"
	in, err = b.Build(t.Context(), skill)
	require.NoError(t, err)
	assert.Regexp(t, `\[\.\.\. \d+ of 21046 chars cut \.\.\.\]$`, in.Text)
}

func TestField10AChangedCapIsAnotherVersion(t *testing.T) { // and field case F11
	versions := map[string]bool{}
	for _, s := range []builder.Stage{
		builder.MaxBytes(10_240), builder.MaxBytes(10_000), builder.MaxLines(256, 10_240), builder.MaxTokens(40_000, nil), builder.Full(),
	} {
		versions[builder.Chain("0.56", s).Version()] = true
	}
	assert.Len(t, versions, 5, "though all are named 0.56")
}

func TestField13AToolThatStopsReadingNeverLearnsTheTotal(t *testing.T) {
	em, rec := clipspantest.New(t)
	open := em.Start(t.Context(), clipspan.Call{Name: "read_file"})
	body := open.ObserveReader(strings.NewReader(strings.Repeat("x", 200_000)))
	head, err := io.ReadAll(io.LimitReader(body, 51_200))
	require.NoError(t, err)
	b := builder.Chain("v1", builder.MaxBytes(51_200))
	in, err := b.Build(t.Context(), clipspan.Observation{Text: string(head), Partial: true})
	require.NoError(t, err)
	require.NoError(t, open.Inject(in, b.Version()))
	assert.False(t, rec.Span(t, "read_file").ObservedBytes.Known())
}

func TestField14TheWordsOfANoticeInAFileAreNoNotice(t *testing.T) {
	text := "[... 5 of 9 bytes cut ...]\n<output truncated>\n" + strings.Repeat("x", 1_150)
	s := span(t, clipspan.Observation{Text: text}, builder.MaxBytes(2_000))
	assert.Equal(t, clipspan.ReasonNone, s.ClipReason)
	assert.Equal(t, clipspan.VerdictOK, clipspan.Classify(s).Verdict)
}

func TestField18ACutThatGainsNothingIsNotMade(t *testing.T) {
	const marker = "<<< the rest of the output is not shown here >>>"
	text := strings.Repeat("a", 2_010)
	in := build(t, text, builder.MaxChars(2_000, builder.Marker(marker)))
	assert.LessOrEqual(t, len(in.Text), 2_000, "with its marker")
	assert.Less(t, len(in.Text), len(text))

	short := "1\n2\n3\n" // one line too much, and a marker would be longer than it
	assert.Equal(t, "1\n2\n", build(t, short, builder.MaxLines(2, 1_000, builder.Marker(marker))).Text)
}

func TestField22TokensOfChineseAreNotAQuarterOfItsCharacters(t *testing.T) {
	text := strings.Repeat("漢", 16_000)
	for _, counter := range []clipspan.TokenCounter{tokens.Estimate, bpe.O200kBase()} {
		s := span(t, clipspan.Observation{Text: text}, builder.MaxTokens(4_000, counter))
		assert.Equal(t, clipspan.ReasonPromptTokenCap, s.ClipReason)
		assert.Equal(t, counter.Source(), s.TokenSource)
	}
}

func TestField24ChineseIsNotOverCut(t *testing.T) {
	text := strings.Repeat("的文件在这里。", 2_000)
	in := build(t, text, builder.MaxTokens(4_000, bpe.O200kBase()))
	used, known := in.Tokens.Value()
	require.True(t, known)
	assert.InDelta(t, 4_000, used, 40, "the cap is used")
}

func TestField27FourParallelCallsShareTheirTurnsBudget(t *testing.T) {
	b := builder.Chain("v1", builder.MaxBytes(51_200), builder.TurnBudget(builder.MaxBytes(65_536)))
	injections, err := builder.BuildTurn(t.Context(), b, results(51_394, 35_556, 3_236, 40_115))
	require.NoError(t, err)
	got := sizes(injections)
	total := 0
	for _, n := range got {
		total += n
	}
	assert.LessOrEqual(t, total, 65_536)
	assert.Equal(t, 3_236, got[2], "the small one is untouched")
	assert.Equal(t, got[0], got[1])
	assert.Equal(t, got[1], got[3])
}

func TestField29NoCapCutsARune(t *testing.T) {
	for _, text := range []string{"aé€🦊", strings.Repeat("€", 20), strings.Repeat("🦊", 20), strings.Repeat("的", 20), "nineteen bytes here✓"} {
		for limit := range int64(len(text) + 1) {
			in := build(t, text, builder.MaxBytes(limit, builder.Marker("")))
			require.True(t, utf8.ValidString(in.Text))
			require.LessOrEqual(t, int64(len(in.Text)), limit)
			require.Greater(t, int64(len(in.Text)), limit-utf8.UTFMax, "as much as fits")
			require.True(t, strings.HasPrefix(text, in.Text))
		}
	}
}

func TestField30NoHalfEmojiIsLeft(t *testing.T) {
	in := build(t, strings.Repeat("a", 9)+"🦊"+strings.Repeat("b", 100), builder.MaxChars(10, builder.Marker("")))
	assert.Equal(t, strings.Repeat("a", 9)+"🦊", in.Text, "an emoji is one character, not two")
}

func TestField34AFamilyIsNotTornApartOnDemand(t *testing.T) {
	const family = "👨‍👩‍👧"
	text := "report " + family + " end"
	assert.Equal(t, "report ", build(t, text, builder.MaxChars(9, builder.Marker(""), builder.OnGraphemes())).Text)
	assert.Equal(t, "report 👨\u200d", build(t, text, builder.MaxChars(9, builder.Marker(""))).Text)
}
