package builder

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/clipspan/clipspan"
)

// ruler measures text in the unit of a cap. Only a context that is done and a
// token counter that fails make errors.
type ruler interface {
	unit() clipspan.CapUnit
	measure(ctx context.Context, text string) (int64, error)
	// head is the size in bytes of a beginning of text that measures at most n, and
	// is as long as can be without cutting a rune. Its cost grows with n.
	head(ctx context.Context, text string, n int64) (int, error)
	// tail is that of an end of text.
	tail(ctx context.Context, text string, n int64) (int, error)
}

type byteRuler struct{}

func (byteRuler) unit() clipspan.CapUnit { return clipspan.CapBytes }

func (byteRuler) measure(_ context.Context, text string) (int64, error) {
	return int64(len(text)), nil
}

func (byteRuler) head(_ context.Context, text string, n int64) (int, error) {
	return runeBefore(text, clamp(n, len(text))), nil
}

func (byteRuler) tail(_ context.Context, text string, n int64) (int, error) {
	return len(text) - runeAfter(text, len(text)-clamp(n, len(text))), nil
}

func clamp(n int64, most int) int { return int(min(max(n, 0), int64(most))) }

// runeBefore is i, or the beginning of the rune that i would cut. Bytes that are no
// UTF-8 are runes of their own.
func runeBefore(text string, i int) int {
	for back := 1; back < utf8.UTFMax && back <= i && i < len(text); back++ {
		if _, size := utf8.DecodeRuneInString(text[i-back:]); size > back {
			return i - back
		}
	}
	return i
}

// runeAfter is i, or the end of the rune that i would cut.
func runeAfter(text string, i int) int {
	from := runeBefore(text, i)
	if from == i {
		return i
	}
	_, size := utf8.DecodeRuneInString(text[from:])
	return from + size
}

type charRuler struct{}

func (charRuler) unit() clipspan.CapUnit { return clipspan.CapChars }

func (charRuler) measure(_ context.Context, text string) (int64, error) {
	return int64(utf8.RuneCountInString(text)), nil
}

func (charRuler) head(_ context.Context, text string, n int64) (int, error) {
	for i := range text {
		if n <= 0 {
			return i, nil
		}
		n--
	}
	return len(text), nil
}

func (charRuler) tail(_ context.Context, text string, n int64) (int, error) {
	rest := text
	for ; n > 0 && rest != ""; n-- {
		_, size := utf8.DecodeLastRuneInString(rest)
		rest = rest[:len(rest)-size]
	}
	return len(text) - len(rest), nil
}

// lineRuler counts lines as an editor does: a last one without an end is one too.
type lineRuler struct{}

func (lineRuler) unit() clipspan.CapUnit { return clipspan.CapLines }

func (lineRuler) measure(_ context.Context, text string) (int64, error) {
	return countLines(text), nil
}

func countLines(text string) int64 {
	n := strings.Count(text, "\n")
	if text != "" && !strings.HasSuffix(text, "\n") {
		n++
	}
	return int64(n)
}

func (lineRuler) head(_ context.Context, text string, n int64) (int, error) {
	size := 0
	for ; n > 0; n-- {
		i := strings.IndexByte(text[size:], '\n')
		if i < 0 {
			return len(text), nil
		}
		size += i + 1
	}
	return size, nil
}

func (lineRuler) tail(_ context.Context, text string, n int64) (int, error) {
	at := len(text)
	for ; n > 0 && at > 0; n-- {
		at = strings.LastIndexByte(text[:at-1], '\n') + 1
	}
	return len(text) - at, nil
}
