package trace

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
)

// Checker judges runs. Records that share a run id are judged together, whatever
// file they come from; those without one are judged per file. It keeps about a
// hundred bytes a span and never the records themselves. A Checker is for one
// goroutine; it uses all processors by itself.
type Checker struct {
	config config
	seeds  seeds
	salt   uint64

	files   []string
	starts  []uint32 // the first entry of each file
	other   int
	words   *wordTable
	classes []class
	classOf map[class]uint32
	groups  []group
	groupOf map[string]uint32 // by run id
	entries store[entry]
	long    map[id]string // the texts of ids that are hashes
	turns   store[turn]
	gaps    store[gap]
	ends    store[runEnd]
	seen    map[uint64]struct{} // identities of the records that are not spans
	damage  []damaged
	untold  int // damaged lines beyond those in damage

	spare  []*batch
	report *Report
}

// Option changes what [NewChecker] returns.
type Option interface{ apply(*config) }

type config struct {
	allowEmpty bool
	all        bool
	requireEnd bool
	live       func(Finding)
}

type optionFunc func(*config)

func (f optionFunc) apply(c *config) { f(c) }

// WithAllowEmpty accepts a trace without any tool span, which is untrustworthy
// otherwise.
func WithAllowEmpty() Option { return optionFunc(func(c *config) { c.allowEmpty = true }) }

// WithAll makes the report yield the spans and turns that are ok, too.
func WithAll() Option { return optionFunc(func(c *config) { c.all = true }) }

// WithRequireEnd makes the absence of a run_end record damage instead of a note.
func WithRequireEnd() Option { return optionFunc(func(c *config) { c.requireEnd = true }) }

// WithLive has f called during [Checker.Add] for every span, turn and damaged
// line as soon as it was read, in the order of lines and on the goroutine of
// Add, with its verdict by itself: the rules of a run come with the report. Of a
// turn that stands twice, and of damaged lines beyond the first thousand of a
// file, it hears as the report does: once, and in sum at the end of the file.
func WithLive(f func(Finding)) Option { return optionFunc(func(c *config) { c.live = f }) }

// NewChecker returns a checker that was given nothing yet.
func NewChecker(opts ...Option) *Checker {
	c := &Checker{
		seeds:   newSeeds(),
		classOf: map[class]uint32{},
		groupOf: map[string]uint32{},
		long:    map[id]string{},
		seen:    map[uint64]struct{}{},
	}
	c.salt = maphash.String(c.seeds[0], "salt") | 1
	c.words = newWordTable(c.seeds[1])
	for _, o := range opts {
		o.apply(&c.config)
	}
	return c
}

// errReported is what Add returns after Report.
var errReported = errors.New("the checker has made its report")

// Add reads one file to its end. Damaged lines are part of the report; the error
// is one of r, [ErrUTF16], or that of ctx. What was read until then is judged. A
// Read of r that blocks is waited for.
func (c *Checker) Add(ctx context.Context, name string, r io.Reader) error {
	if c.report != nil {
		return errReported
	}
	c.files = append(c.files, name)
	c.starts = append(c.starts, uint32(c.entries.n))
	m := merger{c: c, file: len(c.files) - 1, unnamed: noGroup}
	err := c.readBatches(ctx, newCutter(r), m.merge)
	m.tellUntold()
	if err != nil {
		return fmt.Errorf("reading %s: %w", name, err)
	}
	return nil
}

// Report judges what was added, and ends the checker: a later Add returns an
// error, a later Report the same report.
func (c *Checker) Report() *Report {
	if c.report == nil {
		c.spare, c.seen = nil, nil // a report may be kept for long
		c.report = c.judge()
	}
	return c.report
}
