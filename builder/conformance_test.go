package builder_test

import (
	"testing"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/builder"
	"github.com/clipspan/clipspan/clipspantest"
	"github.com/clipspan/clipspan/tokens"
)

// everyStage is one of each kind, with caps that cut and caps that don't.
func everyStage() []builder.Stage {
	return append(otherStages(),
		builder.MaxTokens(100, tokens.Estimate, builder.HeadTail(0.8)),
		builder.MaxBytes(100, builder.Tail()),
		builder.MaxBytes(1<<30),
		builder.MaxBytes(0),
		builder.MaxChars(100, builder.OnGraphemes(), builder.Marker("")),
		builder.MaxChars(300, builder.JSONItems()),
		builder.MaxLines(20, 1000, builder.OnLines()),
		builder.WindowShare(0.5, 1000, tokens.Estimate),
		builder.TurnBudget(builder.MaxBytes(200)),
	)
}

func TestEveryBuilderAndEveryChainOfTwoIsHonest(t *testing.T) {
	honest := func(name string, b clipspan.Builder) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clipspantest.RunBuilder(t, b, tokens.Estimate)
		})
	}
	stages := everyStage()
	for i, first := range stages {
		honest(first.String(), builder.Chain("one", first))
		for j, second := range stages {
			if i == j && j == len(stages)-1 {
				continue // a chain has one turn budget
			}
			honest(first.String()+" "+second.String(), builder.Chain("two", first, second))
		}
	}
	honest("by tool", builder.ByTool(map[string]clipspan.Builder{
		"read_file": builder.Chain("files", builder.MaxLines(10, 1000)),
	}, builder.Chain("others", builder.MaxBytes(50))))
}
