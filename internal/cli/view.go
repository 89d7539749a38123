package cli

import (
	"io"
	"iter"
	"strings"

	"github.com/clipspan/clipspan/trace"
)

// view is what a format prints.
type view struct {
	summary *trace.Summary
	notes   []trace.Note
	sights  iter.Seq[trace.Visibility]
	ruling  *ruling
	all     bool
	color   bool

	// findings are in the order of the report; worst are the same, worst first.
	findings, worst iter.Seq[trace.Finding]
}

// format is one way to print a report.
type format struct {
	name string
	// all: the format lists what is ok, too, whether asked to or not.
	all bool
	// write prints a whole report.
	write func(w io.Writer, v *view) error
	// row appends one finding while a file is followed; nil if the format is a
	// document that has to be whole.
	row func(b []byte, f *trace.Finding, v *view) []byte
}

// formats are in the order in which the help text names them.
var formats = []format{
	{name: "table", write: writeTable, row: appendLiveRow},
	{name: "jsonl", write: writeJSONL, row: appendLiveObject, all: true},
	{name: "junit", write: writeJUnit, all: true},
	{name: "github", write: writeGitHub},
	{name: "markdown", write: writeMarkdown},
}

func formatNames() (names []string) {
	for _, f := range formats {
		names = append(names, f.name)
	}
	return names
}

func formatNamed(name string) format {
	for _, f := range formats {
		if f.name == name {
			return f
		}
	}
	return formats[0]
}

// chunk is how many bytes are gathered before they are written.
const chunk = 64 << 10

// lines writes what add appends for each finding, in few writes, and stops at
// the first that fails.
func lines(w io.Writer, findings iter.Seq[trace.Finding], add func(b []byte, f *trace.Finding) []byte) error {
	b := make([]byte, 0, chunk+chunk/8)
	var f trace.Finding // one for all: add makes it escape
	for f = range findings {
		b = add(b, &f)
		if len(b) < chunk {
			continue
		}
		if _, err := w.Write(b); err != nil {
			return err
		}
		b = b[:0]
	}
	if len(b) == 0 {
		return nil
	}
	_, err := w.Write(b)
	return err
}

// sentences say what the trace is and, if the gate sees it otherwise, what the
// gate makes of it.
func (v *view) sentences() (list []string) {
	if v.summary.Trusted {
		list = append(list, "trustworthy")
	} else {
		list = append(list, "not trustworthy: "+strings.Join(whyNot(v.summary), ", "))
	}
	switch {
	case v.summary.Trusted && !v.ruling.passes():
		list = append(list, "fails all the same: "+strings.Join(v.ruling.why, ", "))
	case !v.summary.Trusted && v.ruling.passes():
		list = append(list, "passes all the same, as it was asked to")
	}
	return list
}

// whyNot is why a trace is untrustworthy, with numbers.
func whyNot(s *trace.Summary) (why []string) {
	counts := countSummary(s)
	for _, w := range s.Why {
		if counts[w] > 0 {
			w = phrase(w, counts[w])
		}
		why = append(why, w)
	}
	return why
}
