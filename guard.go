package clipspan

import (
	"errors"
	"sync/atomic"
	"time"
)

// errExited is a hook that ended its goroutine with runtime.Goexit.
var errExited = errors.New("goroutine exited")

// guard calls code that the host gave us and that must not be able to hurt it: a
// sink, a token counter, a redactor. A call that panics is an error, a call that
// takes longer than the limit is left behind, and as long as one is left behind
// no further call is made: what hangs once would hang again.
type guard struct {
	limit time.Duration
	slots chan struct{} // one per call that may be under way
	stuck atomic.Int32
}

// newGuard makes a guard that lets so many calls run at once.
func newGuard(limit time.Duration, calls int) *guard {
	return &guard{limit: limit, slots: make(chan struct{}, calls)}
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
	if g.stuck.Load() > 0 {
		return none, ErrOverdue
	}
	timer := time.NewTimer(g.limit)
	defer timer.Stop()
	select {
	case g.slots <- struct{}{}:
	case <-timer.C:
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
				g.stuck.Add(-1)
			}
			<-g.slots
			done <- result
		}()
		value, err := f()
		result = outcome[T]{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-timer.C:
		g.stuck.Add(1)
		if state.CompareAndSwap(callRunning, callLeft) {
			return none, ErrOverdue
		}
		g.stuck.Add(-1)
		r := <-done
		return r.value, r.err
	}
}
