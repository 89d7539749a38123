//go:build !race

// The race detector makes pools forget, so allocations are counted without it.

package clipspan_test

import (
	"context"
	"io"
	"runtime"
	"strings"
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

// allocated is how many bytes f puts on the heap.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func TestAGigabyteIsHashedWithoutBeingCopied(t *testing.T) {
	em := clipspan.NewEmitter(&memorySink{}, countBytes{})
	result := strings.Repeat("x", 1<<30)
	tool := em.Wrap(returns(result, nil), headOf(8192, clipspan.ReasonPromptTokenCap))
	var text string
	n := allocated(func() { text, _ = tool.Call(t.Context(), "") })
	assert.Len(t, text, 8192)
	assert.Less(t, n, uint64(1<<20))
}

func TestAStreamIsHashedInBoundedMemory(t *testing.T) {
	em := clipspan.NewEmitter(&memorySink{}, countBytes{})
	endless := io.LimitReader(zeroes{}, 1<<28)
	n := allocated(func() {
		o := em.Start(t.Context(), clipspan.Call{})
		_, _ = io.Copy(io.Discard, o.ObserveReader(endless))
		_ = o.Inject(clipspan.Injection{}, "v1")
	})
	assert.Less(t, n, uint64(1<<20))
}

// zeroes never ends.
type zeroes struct{}

func (zeroes) Read(p []byte) (int, error) { clear(p); return len(p), nil }
