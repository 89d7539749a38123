package cli

import (
	"io"
	"iter"
	"strings"

	"github.com/clipspan/clipspan/trace"
)

// view is what a format prints.
type view struct {
	file    string // the only one that was judged, "" if there are several
	summary *trace.Summary
	notes   []trace.Note
	sights  iter.Seq[trace.Visibility]
	ruling  *ruling
	all     bool
	color   bool

	// findings are in the order of the report; worst are the same, worst first.
	findings, worst iter.Seq[trace.Finding]
	// followed: some were printed while their trace was followed, and are in neither.
	followed bool
}

// format is one way to print a report.
type format struct {
	name string
	// all: the format lists what is ok, too, whether asked to or not.
	all bool
	// findingsOnly: it has no place for what else fails the gate.
	findingsOnly bool
	// write prints a whole report.
	write func(w io.Writer, v *view) error
	// live makes what appends one finding after the other while a file is
	// followed; nil if the format is a document that has to be whole.
	live func(v *view) appendFinding
}

// appendFinding appends what is printed of a finding.
type appendFinding func(b []byte, f *trace.Finding) []byte

// formats are in the order in which the help text names them.
var formats = []format{
	{name: "table", write: writeTable, live: liveTable},
	{name: "jsonl", write: writeJSONL, live: liveJSONL, all: true, findingsOnly: true},
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
func lines(w io.Writer, findings iter.Seq[trace.Finding], add appendFinding) error {
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

// failingNotes are the notes if the gate fails on them.
func (v *view) failingNotes() []trace.Note {
	if v.ruling.words[wordNote] {
		return v.notes
	}
	return nil
}

// sentences say what the trace is and, where that is not the whole of it, what
// the gate makes of it.
func (v *view) sentences() []string {
	verdict := "trustworthy"
	if !v.summary.Trusted {
		verdict = "not trustworthy: " + strings.Join(whyNot(v.summary), ", ")
	}
	if outcome := v.ruling.outcome(v.summary.Trusted); outcome != "" {
		return []string{verdict, outcome}
	}
	return []string{verdict}
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
