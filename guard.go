package clipspan

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

// errExited is a hook that ended its goroutine with runtime.Goexit.
var errExited = errors.New("goroutine exited")

// guard calls code that the host gave us and that must not be able to hurt it: a
// sink, a token counter, a redactor. A call that panics is an error, a call that
// takes longer than the limit is left behind, and as long as one is left behind
// no further call is made: what hangs once would hang again. Callers beyond the
// number of slots wait their turn, which is bounded because every call before
// them is.
type guard struct {
	limit time.Duration
	slots chan struct{} // one per call that may be under way

	mu   sync.Mutex
	left int           // calls left behind
	hung chan struct{} // closed while there are any
}

// newGuard makes a guard that lets so many calls run at once.
func newGuard(limit time.Duration, calls int) *guard {
	return &guard{limit: limit, slots: make(chan struct{}, calls), hung: make(chan struct{})}
}

// enter waits for a slot, and reports whether there is one to be had.
func (g *guard) enter() bool {
	g.mu.Lock()
	hung := g.hung
	g.mu.Unlock()
	select {
	case <-hung:
		return false
	default:
	}
	select {
	case g.slots <- struct{}{}:
		return true
	case <-hung:
		return false
	}
}

// leave notes that a call is left behind, and comeBack that one has ended after
// all.
func (g *guard) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.left++; g.left == 1 {
		close(g.hung)
	}
}

func (g *guard) comeBack() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.left--; g.left == 0 {
		g.hung = make(chan struct{})
	}
}

type outcome[T any] struct {
	value T
	err   error
}

// The states of a guarded call: whoever comes first, the call or the clock.
const (
	callRunning int32 = iota
	callEnded
	callLeft
)

// guarded runs f on a goroutine of its own. What f returns after the limit is
// dropped, so f must not write to anything that the caller goes on using.
func guarded[T any](g *guard, f func() (T, error)) (T, error) {
	var none T
	if !g.enter() {
		return none, ErrOverdue
	}
	var state atomic.Int32
	done := make(chan outcome[T], 1)
	go func() {
		result := outcome[T]{err: errExited}
		defer func() {
			if v := recover(); v != nil {
				result = outcome[T]{err: &PanicError{Value: v}}
			}
			if !state.CompareAndSwap(callRunning, callEnded) {
				g.comeBack()
			}
			<-g.slots
			done <- result
		}()
		value, err := f()
		result = outcome[T]{value, err}
	}()
	timer := time.NewTimer(g.limit)
	defer timer.Stop()
	select {
	case r := <-done:
		return r.value, r.err
	case <-timer.C:
		g.leave()
		if state.CompareAndSwap(callRunning, callLeft) {
			return none, ErrOverdue
		}
		g.comeBack() // it has ended just now
		r := <-done
		return r.value, r.err
	}
}
