//go:build !race

// The race detector makes pools forget, so allocations are counted without it.

package clipspan_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/clipspan/clipspan"
)

func TestASpanCostsTwoAllocations(t *testing.T) {
	sink := clipspan.Bounded(clipspan.SinkFunc(func(context.Context, clipspan.Record) error { return nil }))
	em := clipspan.NewEmitter(sink, nil)
	counted := clipspan.BuilderFunc("cap-v3", func(_ context.Context, o clipspan.Observation) (clipspan.Injection, error) {
		return clipspan.Injection{Text: o.Text[:5], Reason: clipspan.ReasonPromptTokenCap, Tokens: clipspan.Known(2)}, nil
	})
	tool := em.Wrap(returns("port: 8443", nil), counted)
	ctx := t.Context()
	allocs := testing.AllocsPerRun(100, func() { _, _ = tool.Call(ctx, `{"path":"production.yaml"}`) })
	assert.LessOrEqual(t, allocs, 2.0, "the open call and its id")
}
