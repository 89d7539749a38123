package clipspan

import (
	"context"
	"errors"
	"slices"
)

// ErrRunEnded is why a record that comes after [Emitter.Close] is lost.
var ErrRunEnded = errors.New("run has ended")

// begin announces a record that will be written, so that [Emitter.Barrier] waits
// for it; end says that its write is over.
func (e *Emitter) begin(o *Open) (ticket uint64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.open, o)
	e.issued++
	e.tickets = append(e.tickets, e.issued)
	return e.issued
}

func (e *Emitter) end(ticket uint64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if i, found := slices.BinarySearch(e.tickets, ticket); found {
		e.tickets = slices.Delete(e.tickets, i, i+1)
	}
	e.arrived.Broadcast()
}

// Barrier waits until every record whose Inject or Abandon was called before it
// has been written or counted as lost: call it before a model request. A tool
// that is still running delays nobody. It returns the context's error, and under
// [WithFailClosed] [ErrNotRecorded] if the run has lost any record.
func (e *Emitter) Barrier(ctx context.Context) error {
	if err := e.settled(ctx); err != nil {
		return err
	}
	return e.hostError(e.Err())
}

// settled waits until no record that was begun before it is being written.
func (e *Emitter) settled(ctx context.Context) error {
	stop := context.AfterFunc(ctx, func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.arrived.Broadcast()
	})
	defer stop()
	e.mu.Lock()
	defer e.mu.Unlock()
	for last := e.issued; len(e.tickets) > 0 && e.tickets[0] <= last; {
		if err := ctx.Err(); err != nil {
			return err
		}
		e.arrived.Wait()
	}
	return nil
}

// Close ends the run: calls still open are written as incomplete, then run_end
// says how many records there are. It returns a [*LostError] if the run has lost
// any record, or the context's error if that ends first; then the rest is done in
// the background, within the sink's deadline. A context that is over already is
// not looked at: a cancelled run has an end, too. Further calls wait for the
// first one's work and return the same. Results that come later reach the host
// and are counted in [Emitter.Err].
func (e *Emitter) Close(ctx context.Context) error {
	e.closing.Do(func() {
		background := context.WithoutCancel(ctx)
		go func() {
			defer close(e.ended)
			e.closeErr = e.close(background)
		}()
	})
	over := ctx.Done()
	if ctx.Err() != nil {
		over = nil
	}
	select {
	case <-e.ended:
		return e.closeErr
	case <-over:
		return ctx.Err()
	}
}

func (e *Emitter) close(ctx context.Context) error {
	for _, o := range e.stillOpen() {
		o.orphan()
	}
	e.mu.Lock()
	e.closed = true
	e.mu.Unlock()
	if err := e.settled(ctx); err != nil {
		return err
	}
	e.closeGap(ctx)
	e.mu.Lock()
	end := &RunEnd{e.nextHeader(), Known(e.spans), Known(e.turns), Known(e.gaps)}
	e.mu.Unlock()
	if err := e.deliver(ctx, end); err != nil {
		e.lose(end.Seq, err)
	}
	return e.Err()
}

// stillOpen takes the calls that are open when the run ends: none is added after
// it.
func (e *Emitter) stillOpen() []*Open {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.ending = true
	open := make([]*Open, 0, len(e.open))
	for o := range e.open {
		open = append(open, o)
	}
	return open
}
