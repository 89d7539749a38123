package cli

import (
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
)

// progressAfter is how long reading may take before a bar appears.
const progressAfter = time.Second

// progress shows on a terminal how much of the input was read. Input that is
// read within a second shows nothing.
type progress struct {
	app   *app
	start time.Time
	total int64 // bytes, -1 if unknown
	done  int64
	bar   *progressbar.ProgressBar // nil until a second has passed
}

// newProgress returns nil, which shows nothing, if nobody watches.
func (a *app) newProgress(inputs []input) *progress {
	if !a.errTerminal || !a.lively() {
		return nil
	}
	p := &progress{app: a, start: a.now()}
	for _, in := range inputs {
		if in.info == nil || !in.info.Mode().IsRegular() {
			p.total = -1
			break
		}
		p.total += in.info.Size()
	}
	return p
}

// watch counts what is read from r.
func (p *progress) watch(r io.Reader) io.Reader {
	if p == nil {
		return r
	}
	return readerFunc(func(b []byte) (int, error) {
		n, err := r.Read(b)
		p.add(int64(n))
		return n, err
	})
}

// add ignores the errors of the bar: a file that grew, a terminal that closed.
func (p *progress) add(n int64) {
	p.done += n
	switch {
	case p.bar != nil:
		p.bar.Add64(n)
	case p.app.now().Sub(p.start) >= progressAfter:
		p.bar = progressbar.NewOptions64(p.total,
			progressbar.OptionSetWriter(p.app.stderr),
			progressbar.OptionSetDescription("checking"),
			progressbar.OptionShowBytes(true),
			progressbar.OptionThrottle(100*time.Millisecond),
			// No goroutine that outlives the reading.
			progressbar.OptionSetSpinnerChangeInterval(0),
		)
		p.bar.Add64(p.done)
	}
}

// finish removes the bar, so that what follows begins on a line of its own.
func (p *progress) finish() {
	if p != nil && p.bar != nil {
		p.bar.Clear()
	}
}

// readerFunc is a function that reads.
type readerFunc func([]byte) (int, error)

// Read implements io.Reader.
func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
