package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"strings"
	"time"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/trace"
)

// pollInterval is how long a followed file is left alone before it is read on.
const pollInterval = 200 * time.Millisecond

// waitForGrowth waits for a poll interval, or returns the error of ctx.
func waitForGrowth(ctx context.Context) error {
	timer := time.NewTimer(pollInterval)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// checkFollow refuses what can't be followed.
func (c *check) checkFollow(format format) error {
	switch {
	case !c.follow:
		return nil
	case len(c.paths) > 1:
		return withHint(errors.New("--follow takes one trace"), "follow each of them with a command of its own")
	case strings.HasSuffix(c.paths[0], ".gz"):
		return withHint(errors.New("--follow can't read a file that is being packed"), "check it when it is complete")
	case format.live == nil:
		return withHint(fmt.Errorf("--format %s is a document that --follow can't print in parts", format.name), "follow as table or jsonl")
	default:
		return nil
	}
}

// watch follows one input and prints what is found as it comes. The report, with
// the rules that need the whole run, is complete when it returns.
func (c *check) watch(ctx context.Context, format format) (*trace.Report, *live, error) {
	in := c.inputs[0]
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	l := &live{
		out: c.app.stdout, stop: stop, all: c.all || format.all, printed: map[string]bool{},
		add: format.live(&view{file: in.name, ruling: &ruling{gate: &c.gate}, color: c.app.colored(c.color.value)}),
	}
	checker := trace.NewChecker(append(c.options(), trace.WithLive(l.print))...)
	f, err := c.app.open(ctx, in)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	r := untilInterrupt(ctx, f)
	if in.info != nil {
		r = c.app.tail(ctx, f)
	}
	// The interrupt ends the reader, not the judging of what was read.
	if err := checker.Add(context.WithoutCancel(ctx), in.name, r); err != nil {
		return nil, nil, explainRead(in.name, err)
	}
	if l.err != nil && !brokenPipe(l.err) {
		return nil, nil, fmt.Errorf("writing findings: %w", l.err)
	}
	return checker.Report(), l, nil
}

// untilInterrupt makes an interrupt the end of r, which is a pipe.
func untilInterrupt(ctx context.Context, r io.Reader) io.Reader {
	return readerFunc(func(p []byte) (int, error) {
		n, err := r.Read(p)
		if err != nil && ctx.Err() != nil {
			err = io.EOF
		}
		return n, err
	})
}

// live prints findings while a trace is followed, and remembers them.
type live struct {
	out     io.Writer
	stop    func() // ends the following
	all     bool   // what is ok, too
	add     appendFinding
	printed map[string]bool
	err     error // of the first write that failed
}

func (l *live) print(f trace.Finding) {
	if l.err != nil || f.Verdict == clipspan.VerdictOK && !l.all {
		return
	}
	if _, l.err = l.out.Write(l.add(nil, &f)); l.err != nil {
		l.stop()
	}
	l.printed[words(&f)] = true
}

// others are the findings that were not printed before in the same words.
func (l *live) others(findings iter.Seq[trace.Finding]) iter.Seq[trace.Finding] {
	return func(yield func(trace.Finding) bool) {
		for f := range findings {
			if !l.printed[words(&f)] && !yield(f) {
				return
			}
		}
	}
}

// words are all that is told of a finding.
func words(f *trace.Finding) string { return string(appendObject(nil, f)) }

// tail reads r beyond its end: there it waits for more. It ends when ctx does, or
// when every run that the file holds has ended. A half line is left to the
// checker, which waits for its end.
func (a *app) tail(ctx context.Context, r io.Reader) io.Reader {
	var runs openRuns
	offset := int64(0)
	return readerFunc(func(p []byte) (int, error) {
		for {
			n, err := r.Read(p)
			runs.see(p[:n])
			offset += int64(n)
			switch {
			case n > 0:
				return n, nil
			case err != nil && err != io.EOF:
				return 0, err
			case runs.ended():
				return 0, io.EOF
			}
			if err := shrunk(r, offset); err != nil {
				return 0, err
			}
			if a.wait(ctx) != nil {
				return 0, io.EOF
			}
		}
	})
}

// shrunk returns an error if a file was cut to less than was read of it: what
// comes next would be glued to what was there before.
func shrunk(r io.Reader, offset int64) error {
	f, ok := r.(*os.File)
	if !ok {
		return nil
	}
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("following: %w", err)
	}
	if info.Mode().IsRegular() && info.Size() < offset {
		return withHint(errors.New("the file was truncated while it was followed"), "check it again from its beginning")
	}
	return nil
}

// openRuns knows which of the runs in a stream have their run_end.
type openRuns struct {
	line []byte          // the beginning of a line whose end is still to come
	open map[string]bool // by run id
}

func (o *openRuns) see(chunk []byte) {
	for {
		i := bytes.IndexByte(chunk, '\n')
		if i < 0 {
			break
		}
		o.record(append(o.line, chunk[:i]...))
		o.line, chunk = o.line[:0], chunk[i+1:]
	}
	// Of a line that is too long for a record nothing need be kept.
	if len(o.line) <= trace.MaxLine {
		o.line = append(o.line, chunk...)
	}
}

func (o *openRuns) record(line []byte) {
	record, err := trace.Parse(line)
	if err != nil {
		return
	}
	if o.open == nil {
		o.open = map[string]bool{}
	}
	_, end := record.(*clipspan.RunEnd)
	o.open[record.Envelope().RunID] = !end
}

// ended reports whether there were runs and none of them is still open.
func (o *openRuns) ended() bool {
	for _, open := range o.open {
		if open {
			return false
		}
	}
	return len(o.open) > 0 && len(bytes.TrimSpace(o.line)) == 0
}
