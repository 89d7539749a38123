package builder_test

import (
	"testing"

	"github.com/clipspan/clipspan/builder"
	"github.com/clipspan/clipspan/clipspantest"
	"github.com/clipspan/clipspan/tokens"
)

func TestCapsKeepThePromisesOfABuilder(t *testing.T) {
	for _, s := range []builder.Stage{
		builder.Full(),
		builder.MaxBytes(1000), builder.MaxBytes(0), builder.MaxBytes(10), builder.MaxBytes(1000, builder.Tail()), builder.MaxBytes(1000, builder.HeadTail(0.5)),
		builder.MaxChars(1000), builder.MaxChars(77, builder.HeadTail(0.3), builder.OnGraphemes()),
		builder.MaxTokens(200, tokens.Estimate), builder.MaxTokens(200, nil, builder.HeadTail(0.8), builder.OnLines()), builder.MaxTokens(3, nil),
		builder.MaxLines(20, 2000), builder.MaxLines(1, 100), builder.MaxLines(20, 2000, builder.HeadTail(0.8)),
		builder.WindowShare(0.1, 2000, nil),
		builder.TurnBudget(builder.MaxBytes(700)),
	} {
		t.Run(s.String(), func(t *testing.T) {
			clipspantest.RunBuilder(t, builder.Chain("test", s), tokens.Estimate)
		})
	}
}
