package clipspan

import "fmt"

// LostError says how many records of a run could not be written. It matches
// [ErrNotRecorded] and the cause of the first loss.
type LostError struct {
	Records int64
	First   error
}

// Error implements error.
func (e *LostError) Error() string {
	if e.Records == 1 {
		return fmt.Sprintf("1 record lost: %v", e.First)
	}
	return fmt.Sprintf("%d records lost, the first: %v", e.Records, e.First)
}

// Unwrap implements the interface of [errors.Is] and [errors.As].
func (e *LostError) Unwrap() []error { return []error{ErrNotRecorded, e.First} }

// ledger accounts for lost records. However long an outage lasts, it stays one
// range with a count.
type ledger struct {
	total int64
	first error
	open  loss // not yet written as a gap
}

// loss is a range of positions in which Count records are missing.
type loss struct {
	From, To, Count int64
	Class           string
}

// add counts a lost record. One without a position came after the end of the run
// and leaves no hole.
func (l *ledger) add(seq int64, err error, class string) {
	l.total++
	if l.first == nil {
		l.first = err
	}
	if seq > 0 {
		l.open.merge(loss{seq, seq, 1, class})
	}
}

func (l *loss) merge(other loss) {
	switch {
	case other.Count == 0:
		return
	case l.Count == 0:
		*l = other
		return
	}
	l.From = min(l.From, other.From)
	l.To = max(l.To, other.To)
	l.Count += other.Count
}

// take hands over what has to be written as a gap.
func (l *ledger) take() loss {
	lost := l.open
	l.open = loss{}
	return lost
}

// giveBack takes back a gap that could not be written: its own position is lost
// too.
func (l *ledger) giveBack(lost loss, gapSeq int64) {
	lost.merge(loss{From: gapSeq, To: gapSeq, Count: 1})
	lost.merge(l.open)
	l.open = lost
}

func (l *ledger) err() error {
	if l.total == 0 {
		return nil
	}
	return &LostError{l.total, l.first}
}

func (l loss) record(h Header) *Gap {
	return &Gap{Header: h, FromSeq: Known(l.From), ToSeq: Known(l.To), Count: Known(l.Count), Error: l.Class}
}
