package builder_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/builder"
	"github.com/clipspan/clipspan/clipspantest"
)

func TestLinesAreNumberedAsCatDoes(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"no line", "", ""},
		{"one without an end", "a", "     1\ta"},
		{"some", "a\n\nb\r\n", "     1\ta\n     2\t\n     3\tb\r\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.want, build(t, c.text, builder.NumberLines()).Text)
		})
	}
	assert.True(t, strings.HasSuffix(build(t, strings.Repeat("\n", 1_000_000), builder.NumberLines()).Text, "\n1000000\t\n"),
		"more digits than columns")
}

func TestNumberedLinesAreProvedToHoldAllThatWasObserved(t *testing.T) {
	s := span(t, clipspan.Observation{Text: lined(100)}, builder.NumberLines())
	assert.Equal(t, "line-numbers/1", s.Render)
	assert.True(t, s.RenderLossless)
	got := clipspan.Classify(s)
	assert.Equal(t, clipspan.VerdictOK, got.Verdict, got.Detail)
}

func TestACutOfNumberedLinesIsOneOfThem(t *testing.T) {
	s := span(t, clipspan.Observation{Text: lined(100)}, builder.NumberLines(), builder.MaxLines(11, 10_000))
	assert.Equal(t, clipspan.Known(10*(7+9)), s.KeptBytes, "of the numbered text")
	assert.Equal(t, clipspan.Known(100*(7+9)), s.RenderedBytes)
	assert.Equal(t, clipspan.VerdictClipped, clipspan.Classify(s).Verdict)
}

func TestNumberLinesTellsTheTruth(t *testing.T) {
	clipspantest.RunBuilder(t, builder.Chain("v1", builder.NumberLines(), builder.MaxChars(1000)), nil)
}

func FuzzNumberLines(f *testing.F) {
	f.Add("a\n\nb")
	f.Add("     1\ta\n")
	f.Fuzz(func(t *testing.T, text string) {
		var back strings.Builder
		for line := range strings.Lines(build(t, text, builder.NumberLines()).Text) {
			number, content, found := strings.Cut(line, "\t")
			require.True(t, found, number)
			back.WriteString(content)
		}
		assert.Equal(t, text, back.String())
	})
}
