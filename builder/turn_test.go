package builder_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/builder"
	"github.com/clipspan/clipspan/clipspantest"
)

// results are observations of that many bytes each.
func results(sizes ...int) (list []clipspan.Observation) {
	for _, n := range sizes {
		list = append(list, clipspan.Observation{Tool: "read_file", Text: strings.Repeat("x", n)})
	}
	return list
}

func sizes(injections []clipspan.Injection) (list []int) {
	for _, in := range injections {
		list = append(list, len(in.Text))
	}
	return list
}

func TestATurnBudgetIsSharedMaxMinFair(t *testing.T) {
	b := builder.Chain("v1", builder.TurnBudget(builder.MaxBytes(1000)))
	for _, c := range []struct {
		name     string
		observed []int
		want     []int
	}{
		{"all fit", []int{300, 700}, []int{300, 700}},
		{"equal parts for the large ones", []int{5000, 900, 600, 5000}, []int{250, 250, 250, 250}},
		{"a small one stays whole, the others share the rest", []int{5000, 100, 700}, []int{450, 100, 450}},
		{"who wants less than his part leaves it to the others", []int{10, 20, 5000}, []int{10, 20, 970}},
		{"a lone call has it all", []int{5000}, []int{1000}},
		{"an empty result wants nothing", []int{0, 5000}, []int{0, 1000}},
		{"no calls", nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			injections, err := builder.BuildTurn(t.Context(), b, results(c.observed...))
			require.NoError(t, err)
			assert.Equal(t, c.want, sizes(injections))
		})
	}
}

func TestATurnBudgetDeclaresThePartThatTheCallGot(t *testing.T) {
	injections, err := builder.BuildTurn(t.Context(), builder.Chain("v1", builder.TurnBudget(builder.MaxBytes(1000))), results(5000, 100))
	require.NoError(t, err)
	assert.Equal(t, clipspan.Cap{Unit: clipspan.CapBytes, Value: 900}, injections[0].Cap)
	assert.Equal(t, clipspan.ReasonPromptTokenCap, injections[0].Stages[0].Reason, "whatever its unit (RECORDS, Tool span)")
	assert.Equal(t, "turn_budget(max_bytes(1000, head))", injections[0].Stages[0].Policy)
	assert.Empty(t, injections[1].Stages)
}

func TestParallelCallsMeetAtTheirTurnBudget(t *testing.T) {
	em, rec := clipspantest.New(t)
	b := builder.Chain("v1", builder.TurnBudget(builder.MaxBytes(1000)))
	tool := em.Wrap(clipspan.ToolFunc("read_file", func(_ context.Context, size string) (string, error) {
		if size == "fails" {
			return "", errors.New("no such file")
		}
		return strings.Repeat("x", len(size)*100), nil
	}), b)

	for range 50 {
		ctx := builder.ContextWithTurn(t.Context(), 3)
		var wg sync.WaitGroup
		texts := make([]string, 3)
		for i, input := range []string{strings.Repeat("1", 40), "22", "fails"} {
			wg.Go(func() { texts[i], _ = tool.Call(ctx, input) })
		}
		wg.Wait()
		assert.Len(t, texts[0], 1000-200-len("no such file"))
		assert.Len(t, texts[1], 200)
		assert.Equal(t, "no such file", texts[2])
	}
	clipspantest.AssertTrusted(t, rec.Records())
}

func TestATurnBudgetWaitsNoLongerThanItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(builder.ContextWithTurn(t.Context(), 2))
	cancel()
	_, err := builder.Chain("v1", builder.TurnBudget(builder.MaxBytes(10))).Build(ctx, results(50)[0])
	assert.ErrorIs(t, err, context.Canceled)
}

func TestNobodyWaitsForACallThatHasNoPartInTheBudget(t *testing.T) {
	broken := errors.New("no network")
	b := builder.ByTool(map[string]clipspan.Builder{
		"whole":  builder.Chain("v1", builder.Full()),
		"broken": builder.Chain("v1", builder.MaxTokens(5, other{broken}), builder.TurnBudget(builder.MaxBytes(100))),
		"own": clipspan.BuilderFunc("own", func(_ context.Context, o clipspan.Observation) (clipspan.Injection, error) {
			return clipspan.Injection{Text: o.Text}, nil
		}),
	}, builder.Chain("v1", builder.TurnBudget(builder.MaxBytes(100))))
	calls := results(300, 50, 50, 50)
	calls[1].Tool, calls[2].Tool, calls[3].Tool = "whole", "broken", "own"

	injections, err := builder.BuildTurn(t.Context(), b, calls)
	require.ErrorIs(t, err, broken)
	assert.Equal(t, []int{100, 50, 0, 50}, sizes(injections))
}

func TestMoreCallsThanTheTurnHasGetWhatIsLeft(t *testing.T) {
	b := builder.Chain("v1", builder.TurnBudget(builder.MaxBytes(100)))
	ctx := builder.ContextWithTurn(t.Context(), 1)
	for _, want := range []int{60, 30, 10, 0} {
		in, err := b.Build(ctx, results(max(want, 30))[0])
		require.NoError(t, err)
		assert.Len(t, in.Text, want)
	}
}

func TestAPanicOfATokenCounterReachesTheCallerOfBuildTurn(t *testing.T) {
	b := builder.Chain("v1", builder.MaxTokens(5, panicking{}), builder.TurnBudget(builder.MaxBytes(100)))
	assert.Panics(t, func() { _, _ = builder.BuildTurn(t.Context(), b, results(300, 300)) })
}

type panicking struct{ other }

func (panicking) CountTokens(context.Context, string) (int64, error) { panic("boom") }

func TestAChainHasOneTurnBudget(t *testing.T) {
	assert.Panics(t, func() {
		builder.Chain("v1", builder.TurnBudget(builder.MaxBytes(1)), builder.TurnBudget(builder.MaxChars(1)))
	})
}
