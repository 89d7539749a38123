package builder

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/clipspan/clipspan"
)

// TurnBudget makes of a cap one that the parallel calls of a turn share: results
// that are small stay whole, and the large ones get equal parts of what is left
// (max-min fair). Which calls make a turn is said by [ContextWithTurn] or
// [BuildTurn]; a call of no turn has the whole budget. The reason is always
// [clipspan.ReasonPromptTokenCap] (RECORDS, Tool span).
func TurnBudget(c *Cap) Stage {
	shared := *c
	shared.reason = clipspan.ReasonPromptTokenCap
	return &turnBudget{&shared}
}

type turnBudget struct{ cap *Cap }

func (b *turnBudget) String() string { return "turn_budget(" + b.cap.String() + ")" }
func (b *turnBudget) phase() phase   { return cutting }

func (b *turnBudget) apply(ctx context.Context, d *draft) (fired bool, err error) {
	if !d.share.Known() {
		share, err := b.shareOf(ctx, d)
		if err != nil {
			return false, err
		}
		d.share = clipspan.Known(share)
	}
	return b.cap.hold(ctx, d, b, d.share.Or(0))
}

// shareOf is what of the budget the call gets. It waits for the turn's other calls.
func (b *turnBudget) shareOf(ctx context.Context, d *draft) (int64, error) {
	budget := b.cap.limit.value(ctx)
	t := turnOf(ctx)
	if t == nil {
		return budget, nil
	}
	wanted := budget
	fits, err := b.cap.ruler.head(ctx, d.text, budget)
	if err != nil {
		return 0, err
	}
	if fits == len(d.text) {
		if wanted, err = b.cap.ruler.measure(ctx, d.text); err != nil {
			return 0, err
		}
	}
	return t.share(ctx, d, b.String(), min(wanted, budget), budget)
}

type turnKey struct{}

// ContextWithTurn joins the calls that are made with the context to a turn of that
// many parallel calls. In each, the chain waits at its [TurnBudget] until all have
// come as far, or until the context is done: hosts that call one tool after the
// other use [BuildTurn] instead. All of the calls must have a prompt builder of
// this package, and every tool must return or fail; a tool that panics makes the
// others wait for the context.
func ContextWithTurn(ctx context.Context, calls int) context.Context {
	return context.WithValue(ctx, turnKey{}, &turn{calls: calls, all: make(chan struct{})})
}

func turnOf(ctx context.Context) *turn {
	t, _ := ctx.Value(turnKey{}).(*turn)
	return t
}

// BuildTurn builds the results of a turn's calls together, so that they share its
// [TurnBudget]: for hosts that observe all results before they inject any. The
// injections are in the order of the results. If one can't be built, its error is
// returned with the others' injections.
func BuildTurn(ctx context.Context, b clipspan.Builder, results []clipspan.Observation) ([]clipspan.Injection, error) {
	ctx = ContextWithTurn(ctx, len(results))
	injections := make([]clipspan.Injection, len(results))
	errs := make([]error, len(results))
	var panicked atomic.Value
	var wg sync.WaitGroup
	for i, result := range results {
		wg.Go(func() {
			defer func() {
				if v := recover(); v != nil {
					panicked.CompareAndSwap(nil, fmt.Sprintf("%v\n%s", v, debug.Stack()))
				}
			}()
			injections[i], errs[i] = b.Build(ctx, result)
		})
	}
	wg.Wait()
	if v := panicked.Load(); v != nil {
		panic(v) // on the caller's goroutine, where it can be recovered
	}
	return injections, errors.Join(errs...)
}

// turn is where parallel calls meet. Safe for concurrent use.
type turn struct {
	calls int
	all   chan struct{} // closed once all calls have said what they want

	mu      sync.Mutex
	arrived int
	wanted  map[string][]int64 // by budget
	granted map[string]int64   // to calls beyond the number that was said
}

// share waits for the other calls and is then the call's part of the budget.
func (t *turn) share(ctx context.Context, d *draft, key string, wanted, budget int64) (int64, error) {
	d.arrived = true
	t.mu.Lock()
	late := t.arrived >= t.calls
	if !late {
		if t.wanted == nil {
			t.wanted = map[string][]int64{}
		}
		t.wanted[key] = append(t.wanted[key], wanted)
	}
	t.mu.Unlock()
	if late {
		return t.leftover(key, wanted, budget), nil
	}
	t.arrive()
	select {
	case <-t.all:
		t.mu.Lock()
		defer t.mu.Unlock()
		return min(wanted, level(t.wanted[key], budget)), nil
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

// leave is a call's that wants nothing of any budget.
func (t *turn) leave(d *draft) {
	if !d.arrived {
		d.arrived = true
		t.arrive()
	}
}

func (t *turn) arrive() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.arrived++
	if t.arrived == t.calls {
		close(t.all)
	}
}

// leftover is for a call beyond the number that was said: what the others left.
func (t *turn) leftover(key string, wanted, budget int64) int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	part := level(t.wanted[key], budget)
	for _, w := range t.wanted[key] {
		budget -= min(w, part)
	}
	if t.granted == nil {
		t.granted = map[string]int64{}
	}
	got := min(wanted, max(budget-t.granted[key], 0))
	t.granted[key] += got
	return got
}

// level is the largest part that each may get so that all parts together are within
// the budget, those who want less getting what they want.
func level(wanted []int64, budget int64) int64 {
	sorted := slices.Sorted(slices.Values(wanted))
	for i, w := range sorted {
		share := budget / int64(len(sorted)-i)
		if w > share {
			return share
		}
		budget -= w
	}
	return math.MaxInt64
}
