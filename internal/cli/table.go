package cli

import (
	"io"
	"iter"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/internal/termsafe"
	"github.com/clipspan/clipspan/trace"
)

// The columns of the table, those of the article in their order. The last one,
// which can be long, shifts nothing.
const (
	columnStatus = iota
	columnSpan
	columnTool
	columnObserved
	columnInjected
	columnTold
	columnEvidence
	columnWhere
	columnDetail
	columns
)

var headings = [columns]string{"status", "span", "tool", "obs", "inj", "told", "evidence", "where", "detail"}

// articleWidths are the widths in the article's script, and what fits beside them.
var articleWidths = [columns]int{16, 12, 16, 8, 8, 4, 8, 5, 0}

// maxWidth is the width beyond which a cell shifts its row instead of widening
// its column.
const maxWidth = 60

// measuredRows is how many rows, the worst ones, set the widths.
const measuredRows = 1000

// table lays out rows.
type table struct {
	widths  [columns]int
	told    bool // the column told is shown
	oneFile bool // the place of a record is its line
	digits  int  // how many of its last ones stand for a UUID, 0 for all
	color   bool
	ruling  *ruling
	cell    []byte // of the row being made
}

func newTable(v *view) *table {
	return &table{oneFile: v.file != "", color: v.color, ruling: v.ruling}
}

// writeTable prints the rows, then the summary. The findings are gone through
// twice, as to keep them would take more memory than the whole check.
func writeTable(w io.Writer, v *view) error {
	t := newTable(v)
	rows := t.measure(v.worst)
	if rows {
		if _, err := w.Write(t.appendHead(nil)); err != nil {
			return err
		}
	}
	if err := lines(w, v.worst, t.appendRow); err != nil {
		return err
	}
	b := appendNotes(nil, v.failingNotes())
	if v.all {
		b = appendSights(appendNotes(nil, v.notes), v.sights)
	}
	if rows || v.followed || len(b) > 0 {
		b = append(b, '\n')
	}
	if v.file != "" {
		b = append(termsafe.Append(append(b, "# file: "...), v.file), '\n')
	}
	_, err := w.Write(appendSummary(b, v))
	return err
}

// liveTable makes the rows of a table whose other rows are still to come. A row
// that needs more room makes it for those after it, too.
func liveTable(v *view) appendFinding {
	t := newTable(v)
	t.widths, t.told = articleWidths, true
	begun := false
	return func(b []byte, f *trace.Finding) []byte {
		t.widen(f)
		if !begun {
			b = t.appendHead(b)
		}
		begun = true
		return t.appendRow(b, f)
	}
}

// measure reports whether there are any rows, sets the widths by the first of
// them, looks for one that knows whether the model was told, and finds out how
// short their UUIDs can be.
func (t *table) measure(findings iter.Seq[trace.Finding]) (any bool) {
	var first []trace.Finding
	var ids uuids
	for f := range findings {
		if len(first) < measuredRows {
			first = append(first, f)
		}
		t.told = t.told || f.Notice != clipspan.NoticeUnknown
		ids.add(f.SpanID + f.TurnID)
	}
	t.digits = ids.digits()
	for i, h := range t.headings() {
		t.widths[i] = len(h)
	}
	for i := range first {
		t.widen(&first[i])
	}
	return len(first) > 0
}

func (t *table) headings() [columns]string {
	h := headings
	if t.oneFile {
		h[columnWhere] = "line"
	}
	return h
}

func (t *table) widen(f *trace.Finding) {
	for i := range columnDetail { // the last one is not padded
		t.cell = t.appendCell(t.cell[:0], i, f)
		t.widths[i] = max(t.widths[i], min(maxWidth, width(t.cell)))
	}
}

// width is how many columns of a terminal a text takes: the letters of some
// scripts take two, and marks none.
func width(text []byte) int {
	for _, c := range text {
		if c >= utf8.RuneSelf {
			return uniseg.StringWidth(string(text))
		}
	}
	return len(text)
}

func (t *table) appendHead(b []byte) []byte {
	for i, h := range t.headings() {
		if i == columnTold && !t.told {
			continue
		}
		b = t.pad(append(b, h...), len(h), i)
	}
	return endLine(b)
}

func (t *table) appendRow(b []byte, f *trace.Finding) []byte {
	for i := range columns {
		switch {
		case i == columnTold && !t.told:
		case i == columnStatus && t.color:
			b = append(b, verdictColor(f.Verdict, f.Unknown)...)
			from := len(b)
			b = t.appendCell(b, i, f)
			width := len(b) - from
			b = t.pad(append(b, ansiReset...), width, i)
		case i == columnObserved || i == columnInjected:
			t.cell = t.appendCell(t.cell[:0], i, f)
			b = appendSpaces(b, t.widths[i]-len(t.cell))
			b = append(append(b, t.cell...), "  "...)
		default:
			from := len(b)
			b = t.appendCell(b, i, f)
			b = t.pad(b, width(b[from:]), i)
		}
	}
	return endLine(b)
}

// pad fills a cell of the given width up to that of its column, and adds the
// space between columns.
func (t *table) pad(b []byte, width, column int) []byte {
	return append(appendSpaces(b, t.widths[column]-width), "  "...)
}

const spaces = "                                                                "

func appendSpaces(b []byte, n int) []byte {
	for ; n > len(spaces); n -= len(spaces) {
		b = append(b, spaces...)
	}
	return append(b, spaces[:max(0, n)]...)
}

// endLine ends a line without white space at its end.
func endLine(b []byte) []byte {
	for b[len(b)-1] == ' ' {
		b = b[:len(b)-1]
	}
	return append(b, '\n')
}
