package builder

import (
	"context"
	"unicode/utf8"

	"github.com/clipspan/clipspan"
)

// Cutter is a token counter that can stop at a cap. Without it a cap has to search
// for the place by counting several times.
type Cutter interface {
	clipspan.TokenCounter
	// Cut is the size in bytes of a beginning of text that by itself has at most n
	// tokens, on a rune boundary. Its cost grows with n, not with the text.
	Cut(text string, n int64) int
}

type tokenRuler struct{ counter clipspan.TokenCounter }

func (tokenRuler) unit() clipspan.CapUnit { return clipspan.CapTokens }

func (r tokenRuler) measure(ctx context.Context, text string) (int64, error) {
	return r.counter.CountTokens(ctx, text)
}

func (r tokenRuler) head(ctx context.Context, text string, n int64) (int, error) {
	if n <= 0 {
		return 0, nil
	}
	if c, ok := r.counter.(Cutter); ok {
		return c.Cut(text, n), nil
	}
	return search(len(text), clamp(n, len(text)/bytesPerToken)*bytesPerToken, n, func(size int) (int, int64, error) {
		size = runeBefore(text, size)
		count, err := r.measure(ctx, text[:size])
		return size, count, err
	})
}

// bytesPerToken is the usual size of a token: where a search begins.
const bytesPerToken = 4

// tail cuts what is too much from the beginning of a window at the end of the
// text, which grows until it holds enough.
func (r tokenRuler) tail(ctx context.Context, text string, n int64) (int, error) {
	if n <= 0 {
		return 0, nil
	}
	window := text
	for size := n * bytesPerToken; ; size *= 2 {
		window = text[runeAfter(text, len(text)-clamp(size, len(text))):]
		count, err := r.measure(ctx, window)
		if err != nil {
			return 0, err
		}
		if count >= n || len(window) == len(text) {
			return r.shrink(ctx, window, count, n)
		}
	}
}

// shrink is the size of an end of window that has at most n of its count tokens.
// What is cut away first may leave another number of tokens than the difference,
// since the rest begins in another way; each round cuts at least one rune.
func (r tokenRuler) shrink(ctx context.Context, window string, count, n int64) (int, error) {
	for count > n && window != "" {
		size, err := r.head(ctx, window, count-n)
		if err != nil {
			return 0, err
		}
		if size == 0 {
			_, size = utf8.DecodeRuneInString(window)
		}
		window = window[size:]
		if count, err = r.measure(ctx, window); err != nil {
			return 0, err
		}
	}
	return len(window), nil
}

// search looks for a large size whose measure is at most n, between 0 and most.
// The measure may be taken of a size near by, which try returns with it. It need
// not grow evenly: the guess is mended by what was measured.
func search(most, guess int, n int64, try func(size int) (int, int64, error)) (best int, err error) {
	const tries = 24
	tooMuch := most + 1
	size := min(max(guess, 1), most)
	for range tries {
		got, measure, err := try(size)
		if err != nil {
			return 0, err
		}
		if measure <= n {
			best = max(best, got)
		} else {
			tooMuch = size
		}
		near := measure <= n && n-measure <= n/128
		if best >= most || near || tooMuch-best <= 1 {
			break
		}
		next := 4 * size
		if measure > 0 {
			next = min(next, int(float64(size)*float64(n)/float64(measure)))
		}
		if next <= best || next >= tooMuch {
			next = best + (tooMuch-best)/2
		}
		if size = min(next, most); size == best {
			break
		}
	}
	return best, nil
}
