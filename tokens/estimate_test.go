package tokens_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/tokens"
)

var _ clipspan.TokenCounter = tokens.Estimate

func count(tb testing.TB, text string) int64 {
	tb.Helper()
	n, err := tokens.Estimate.CountTokens(tb.Context(), text)
	require.NoError(tb, err)
	return n
}

func TestEstimateSaysThatItIsOne(t *testing.T) {
	assert.Equal(t, clipspan.TokensEstimated, tokens.Estimate.Source())
	assert.False(t, tokens.Estimate.Source().Exact())
}

func TestEstimateOfTextsThatAreKnownExactly(t *testing.T) {
	for _, tc := range []struct {
		name string
		text string
		want int64
	}{
		{"an empty text has no token", "", 0},
		{"anything else has one at least", "a", 1},
		{"a lone space is a token", " ", 1},
		{"a lone line end is a token", "\n", 1},
		{"three digits are a token", "123456789", 3},
		{"a space before a number is a token of its own", "7 42", 3},
		{"a space before a word is not", "no thing", 2},
		{"a sign before a word often is not", "foo.bar", 2},
		{"signs take the line ends behind them along", "};\n\n", 1},
		{"an indentation is a token, but for its last space", "a\n        b", 4},
		{"a ruler is a token", strings.Repeat("-", 64), 1},
		{"a control character is a token", "\x01\x02\x03", 3},
		{"the same ideograph again and again is a token each", strings.Repeat("漢", 100), 100},
	} {
		t.Run(tc.name, func(t *testing.T) {
			assert.Equal(t, tc.want, count(t, tc.text))
		})
	}
}

// Four bytes to a token let four times the text through here.
func TestEstimateOfChineseIsNotAQuarterOfItsLetters(t *testing.T) {
	assert.InDelta(t, 16_000, count(t, strings.Repeat("漢", 16_000)), 4_000)
}

func TestEstimateAcceptsWhatIsNotUTF8(t *testing.T) {
	for _, text := range []string{"\xff", "a\xc3", "\xe6\xbc", "\xf0\x9f\x98 ok", strings.Repeat("\x80", 1000), "é\xed\xa0\x80é"} {
		n := count(t, text)
		assert.Positive(t, n, "%q", text)
		assert.LessOrEqual(t, n, int64(len(text)), "%q", text)
	}
}

func TestEstimateAllocatesNothing(t *testing.T) {
	text := readReference(t, "fit/mixed-zh-code.txt")
	assert.Zero(t, testing.AllocsPerRun(100, func() { count(t, text) }))
}

func FuzzEstimate(f *testing.F) {
	for _, text := range []string{"", "The port is 9443.\n", "getUserID(ctx)", "文件已保存", "\t\tx := 1 // \xff", "🎉🎉🎉🎉", "aaaaaAAAAA00000", " \n \n\t\n "} {
		f.Add(text, 3)
	}
	f.Fuzz(func(t *testing.T, text string, cut int) {
		n := count(t, text)
		assert.LessOrEqual(t, n, int64(len(text)))
		assert.Equal(t, text == "", n == 0)

		// More text is not less tokens, but for the pieces at the cut.
		if cut >= 0 && cut <= len(text) {
			assert.LessOrEqual(t, count(t, text[:cut]), n+8)
		}
	})
}

func BenchmarkEstimate(b *testing.B) {
	for _, name := range []string{"heldout/prose-en-garden.txt", "heldout/code-javascript.txt", "heldout/data-base64-wrapped.txt", "heldout/prose-ru-otchet.txt", "heldout/prose-zh-hant-shuju.txt"} {
		b.Run(name, func(b *testing.B) {
			text := readReference(b, name)
			text = strings.Repeat(text, 1+96<<10/len(text))
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				count(b, text)
			}
		})
	}
}
