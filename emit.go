package clipspan

import (
	"context"
	"fmt"
)

// emit numbers a record and hands it to the sink, and accounts for its loss. It
// may be called only between begin and end.
func (e *Emitter) emit(ctx context.Context, r Record) error {
	e.mu.Lock()
	if e.closed {
		e.mu.Unlock()
		err := fmt.Errorf("run %s: %w", e.cfg.runID, ErrRunEnded)
		e.lose(0, err)
		return err
	}
	h := r.Envelope()
	next := e.nextHeader()
	h.Version, h.RunID, h.Seq = next.Version, next.RunID, next.Seq
	e.mu.Unlock()
	if err := e.deliver(ctx, r); err != nil {
		e.lose(h.Seq, err)
		return err
	}
	e.count(r)
	e.closeGap(ctx)
	return nil
}

// deliver calls the sink, which keeps its deadline by itself.
func (e *Emitter) deliver(ctx context.Context, r Record) error {
	if e.sink == nil {
		return errNoSink
	}
	return emitRecovered(ctx, e.sink, r)
}

func (e *Emitter) count(r Record) {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch r.(type) {
	case *Span:
		e.spans++
	case *Turn:
		e.turns++
	case *Gap:
		e.gaps++
	}
}

// lose accounts for a record that was not written. Its position is 0 if it came
// after the end of the run and so leaves no hole.
func (e *Emitter) lose(seq int64, err error) {
	class := errorClass(err, "write")
	e.mu.Lock()
	e.ledger.add(seq, err, class)
	e.mu.Unlock()
	e.report(fmt.Errorf("%w: record %d of run %s: %w", ErrNotRecorded, seq, e.cfg.runID, err))
}

// closeGap writes what was lost as a gap, now that the sink works again.
func (e *Emitter) closeGap(ctx context.Context) {
	e.mu.Lock()
	lost := e.ledger.take()
	if lost.Count == 0 {
		e.mu.Unlock()
		return
	}
	gap := lost.record(e.nextHeader())
	e.mu.Unlock()
	err := e.deliver(ctx, gap)
	if err == nil {
		e.count(gap)
		return
	}
	e.mu.Lock()
	e.ledger.giveBack(lost, gap.Seq)
	e.mu.Unlock()
	e.report(fmt.Errorf("writing the gap of run %s: %w", e.cfg.runID, err))
}

// nextHeader takes the next position in the run. The caller holds e.mu.
func (e *Emitter) nextHeader() Header {
	e.seq++
	return Header{Version: SchemaVersion, RunID: e.cfg.runID, Seq: e.seq}
}
