package clipspan

import (
	"strconv"

	"github.com/clipspan/clipspan/internal/rawjson"
)

// Count is a number of bytes or tokens that may be unknown. Its zero value is
// unknown, so that a forgotten field shows as incomplete and never as 0. It is
// a plain value: copying it allocates nothing.
type Count struct {
	n     int64
	state countState
}

type countState uint8

const (
	countUnknown countState = iota
	countKnown
	countInvalid
)

// Known is a known count. A negative n is no count: the result is not known and
// reports itself as [Count.Invalid].
func Known(n int64) Count {
	if n < 0 {
		return InvalidCount()
	}
	return Count{n: n, state: countKnown}
}

// InvalidCount is what a reader makes of a value that is present but no count:
// a fraction, a negative number, a string (RECORDS, Verdict of one span). It
// counts as missing.
func InvalidCount() Count { return Count{state: countInvalid} }

// Value returns the count and whether it is known.
func (c Count) Value() (n int64, known bool) { return c.n, c.state == countKnown }

// Known reports whether the count is known.
func (c Count) Known() bool { return c.state == countKnown }

// Invalid reports whether something stood in the count's place that is no count.
func (c Count) Invalid() bool { return c.state == countInvalid }

// Or is the count, or n if it is not known.
func (c Count) Or(n int64) int64 {
	if c.state == countKnown {
		return c.n
	}
	return n
}

// String is the count in decimal digits, or "unknown".
func (c Count) String() string {
	if c.state == countKnown {
		return strconv.FormatInt(c.n, 10)
	}
	return "unknown"
}

// MarshalJSON writes the number, or null if it is not known.
func (c Count) MarshalJSON() ([]byte, error) { return c.appendJSON(nil), nil }

func (c Count) appendJSON(b []byte) []byte {
	if c.state != countKnown {
		return append(b, "null"...)
	}
	return rawjson.AppendInt(b, c.n)
}
