package trace

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// cutAll is every line of r: its text, or what is wrong with it.
func cutAll(t *testing.T, r io.Reader, maxLine int) (lines []string) {
	t.Helper()
	cut := newCutter(r)
	cut.maxLine = maxLine
	var c chunk
	for {
		err := cut.next(&c)
		if errors.Is(err, io.EOF) {
			return lines
		}
		require.NoError(t, err)
		for l := range c.lines() {
			switch {
			case l.tooLong:
				lines = append(lines, "too long")
			case l.ended:
				lines = append(lines, string(l.text))
			default:
				lines = append(lines, string(l.text)+" (no end)")
			}
		}
	}
}

func TestALineThatIsTooLongIsToldAndTheNextIsRead(t *testing.T) {
	long := func(n int) string { return strings.Repeat("x", n) }
	for _, c := range []struct {
		name, text string
		lines      []string
	}{
		{"as long as is allowed", "a\n" + long(100) + "\nb\n", []string{"a", long(100), "b"}},
		{"one byte more", "a\n" + long(101) + "\nb\n", []string{"a", "too long", "b"}},
		{"longer than any buffer", "a\n" + long(900_000) + "\nb\nc\n", []string{"a", "too long", "b", "c"}},
		{"the first line", long(900_000) + "\nb", []string{"too long", "b (no end)"}},
		{"the last line", "a\n" + long(900_000), []string{"a", "too long"}},
		{"one after the other", long(600_000) + "\n" + long(600_000) + "\n\nb", []string{"too long", "too long", "", "b (no end)"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.lines, cutAll(t, strings.NewReader(c.text), 100))
			assert.Equal(t, c.lines, cutAll(t, iotest.HalfReader(strings.NewReader(c.text)), 100))
			assert.Equal(t, c.lines, cutAll(t, iotest.DataErrReader(strings.NewReader(c.text)), 100))
		})
	}
}

func TestTheBufferStaysNearTheLongestLine(t *testing.T) {
	cut := newCutter(strings.NewReader(strings.Repeat("x", 3<<20)))
	cut.maxLine = 1 << 20
	var c chunk
	require.NoError(t, cut.next(&c))
	assert.True(t, c.tooLong)
	assert.LessOrEqual(t, cap(c.buf), 2<<20)
}

func TestABufferThatALongLineMadeGrowIsLetGo(t *testing.T) {
	cut := newCutter(strings.NewReader(strings.Repeat("x", 3<<20) + "\n" + "a\n"))
	var c chunk
	for cut.next(&c) == nil {
	}
	assert.LessOrEqual(t, cap(c.buf), 2*chunkSize)
}

// However the text is cut into reads, the lines are the same.
func TestLinesDoNotDependOnReads(t *testing.T) {
	var text strings.Builder
	var want []string
	for i := range 3000 {
		line := fmt.Sprintf("%d %s", i, strings.Repeat("y", i%700))
		want = append(want, line)
		text.WriteString(line + "\n")
	}
	assert.Equal(t, want, cutAll(t, strings.NewReader(text.String()), MaxLine))
	assert.Equal(t, want, cutAll(t, iotest.HalfReader(strings.NewReader(text.String())), MaxLine))
	assert.Equal(t, want, cutAll(t, iotest.OneByteReader(strings.NewReader(text.String())), MaxLine))
}
