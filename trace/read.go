// Package trace reads traces strictly and judges whole runs.
//
// [Read] yields the records of one file; a bad line is a [*LineError] among
// them, and reading goes on. A [Checker] takes any number of files and reports
// the verdict of every span and turn, with the rules that need more than one
// record (RECORDS, Verdict of a run).
package trace

import (
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/clipspan/clipspan"
)

// MaxLine is the length in bytes beyond which a line is not read but reported
// as damaged. Lines of more than 20 MB have been met in practice.
const MaxLine = 64 << 20

// ErrOther is what [Parse] returns for a line that holds no record of ours: one
// of another vendor, one of a kind that this version does not know, or nothing
// but white space.
var ErrOther = errors.New("not a record of this format")

// ErrUTF16 ends the reading of input that is UTF-16.
var ErrUTF16 = errors.New("the input is UTF-16, a trace is UTF-8")

// Read yields the records of r in their order. A line that can't be read is
// yielded as a [*LineError] and reading goes on with the next; an error of any
// other type comes from r or is [ErrUTF16], and ends it. Lines of other vendors
// and of unknown kinds are passed over. The records belong to the caller.
//
// Every line is yielded as soon as its end has been read, so that a reader
// which blocks at the end of a growing file follows it.
func Read(name string, r io.Reader) iter.Seq2[clipspan.Record, error] {
	return func(yield func(clipspan.Record, error) bool) {
		var (
			d      decoder
			c      chunk
			lines  = newCutter(r)
			number int
		)
		for {
			if err := lines.next(&c); errors.Is(err, io.EOF) {
				return
			} else if err != nil {
				yield(nil, fmt.Errorf("reading %s: %w", name, err))
				return
			}
			for line := range c.lines() {
				number++
				rec, err := d.decode(line)
				if rec == nil && err == nil {
					continue
				}
				if !yield(rec, located(err, name, number)) {
					return
				}
			}
		}
	}
}

// located is err as an error, with its place. It keeps nil an untyped nil.
func located(err *LineError, file string, line int) error {
	if err == nil {
		return nil
	}
	err.File, err.Line = file, line
	return err
}

// Parse reads one line, with or without its line end. The error is a
// [*LineError] without file and line, or [ErrOther]. The record does not refer
// to line.
func Parse(line []byte) (clipspan.Record, error) {
	var d decoder
	l := cutLine(line)
	l.tooLong = len(l.text) > MaxLine
	rec, err := d.decode(l)
	switch {
	case err != nil:
		return nil, err
	case rec == nil:
		return nil, ErrOther
	default:
		return rec, nil
	}
}
