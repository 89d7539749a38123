package clipspan

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// ErrClosed is what a sink returns for a record that comes after its Close.
var ErrClosed = errors.New("sink is closed")

// ErrOverdue is what a sink returns for a record that it could not write within
// its deadline, and for every further one as long as that write is stuck.
var ErrOverdue = errors.New("sink is overdue")

// Sink takes the records of one run or of many. Emit returns nil once it has
// done with the record what it promises to do, and must be safe for concurrent
// use. The record belongs to the caller again when Emit returns: a sink that
// keeps it calls [Clone]. Whoever opened a sink closes it; an [Emitter] never does.
// An Emitter calls a sink of the host's one record at a time, on a goroutine of
// its own, with a context that has the call's values and is never cancelled.
type Sink interface {
	Emit(ctx context.Context, r Record) error
}

// SinkFunc is a function as a [Sink].
type SinkFunc func(ctx context.Context, r Record) error

// Emit implements [Sink].
func (f SinkFunc) Emit(ctx context.Context, r Record) error { return f(ctx, r) }

// MultiSink hands every record to each of its sinks in turn, whatever the others
// do, and joins their errors. A sink that panics counts as failed; one that hangs
// holds up those after it, so the file that is the evidence comes first.
func MultiSink(sinks ...Sink) Sink { return multiSink(sinks) }

type multiSink []Sink

func (m multiSink) Emit(ctx context.Context, r Record) error {
	var errs []error
	for i, s := range m {
		if err := emitRecovered(ctx, s, r); err != nil {
			errs = append(errs, fmt.Errorf("sink %d: %w", i, err))
		}
	}
	return errors.Join(errs...)
}

func emitRecovered(ctx context.Context, s Sink, r Record) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &PanicError{Value: v}
		}
	}()
	return s.Emit(ctx, r)
}

// bounded is a sink that has a deadline of its own.
type bounded interface{ bounded() }

// bound makes a sink that nothing of the host's can hang: those that keep no
// deadline are guarded, each by itself, so that a slow one beside a file does not
// make the file's records late.
func bound(s Sink, limit time.Duration) Sink {
	switch s := s.(type) {
	case nil:
		return nil
	case bounded:
		return s.(Sink)
	case multiSink:
		each := make(multiSink, len(s))
		for i, child := range s {
			each[i] = bound(child, limit)
		}
		return each
	default:
		return &guardedSink{s, newGuard(limit, 1)}
	}
}

// guardedSink calls its sink one record at a time.
type guardedSink struct {
	sink  Sink
	guard *guard
}

func (g *guardedSink) Emit(ctx context.Context, r Record) error {
	ctx = context.WithoutCancel(ctx) // a cancelled call is recorded all the same
	_, err := guarded(g.guard, func() (struct{}, error) { return struct{}{}, g.sink.Emit(ctx, r) })
	return err
}

// PanicError is a panic of code that an emitter was given: a sink, a token
// counter, a redactor. Panics of tools and prompt builders are never caught.
type PanicError struct{ Value any }

// Error implements error.
func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v", e.Value) }

// Unwrap is the panic's value if that is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}
