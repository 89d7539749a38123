package builder

import (
	"context"
	"fmt"
	"math"

	"github.com/clipspan/clipspan"
)

// WindowShare caps the text at a share (0…1) of what remains of the model's
// context window of so many tokens. What remains is said by the host, call by
// call, with [ContextWithRemaining]; where it says nothing, it is the whole
// window. The counter and the reason are those of [MaxTokens].
func WindowShare(share float64, window int64, counter clipspan.TokenCounter, options ...CutOption) *Cap {
	return newCap("window_share", windowShare{share, window}, newTokenRuler(counter), clipspan.ReasonPromptTokenCap, options)
}

type windowShare struct {
	share  float64
	window int64
}

func (w windowShare) String() string { return fmt.Sprintf("%g of %d", w.share, w.window) }

func (w windowShare) value(ctx context.Context) int64 {
	remaining := w.window
	if said, ok := ctx.Value(remainingKey{}).(int64); ok {
		remaining = min(said, w.window)
	}
	share := min(w.share, 1)
	if remaining <= 0 || math.IsNaN(share) || share <= 0 {
		return 0
	}
	return int64(share * float64(remaining))
}

type remainingKey struct{}

// ContextWithRemaining says how many tokens of the model's context window are left
// for the results of the calls that are made with the context: a [WindowShare]
// takes its share of them.
func ContextWithRemaining(ctx context.Context, tokens int64) context.Context {
	return context.WithValue(ctx, remainingKey{}, tokens)
}
