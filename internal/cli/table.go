package cli

import (
	"io"
	"iter"
	"strconv"
	"unicode/utf8"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/internal/termsafe"
	"github.com/clipspan/clipspan/trace"
)

// The columns of the table, those of the article first in their order.
const (
	columnStatus = iota
	columnSpan
	columnTool
	columnObserved
	columnInjected
	columnTold
	columnEvidence
	columnDetail
	columnWhere
	columns
)

var headings = [columns]string{"status", "span", "tool", "obs", "inj", "told", "evidence", "detail", "where"}

// articleWidths are the widths in the article's script, and what fits beside them.
var articleWidths = [columns]int{16, 12, 16, 8, 8, 4, 8, 16, 0}

// maxWidth is the width beyond which a cell shifts its row instead of widening
// its column.
const maxWidth = 40

// measuredRows is how many rows, the worst ones, set the widths.
const measuredRows = 1000

// table lays out rows.
type table struct {
	widths [columns]int
	told   bool // the column told is shown
	color  bool
	ruling *ruling
	cell   []byte // of the row being made
}

// writeTable prints the rows, then the summary. The findings are gone through
// twice, as to keep them would take more memory than the whole check.
func writeTable(w io.Writer, v *view) error {
	t := &table{color: v.color, ruling: v.ruling}
	rows := t.measure(v.worst)
	if rows {
		if _, err := w.Write(t.appendHead(nil)); err != nil {
			return err
		}
	}
	if err := lines(w, v.worst, t.appendRow); err != nil {
		return err
	}
	var b []byte
	if v.all {
		b = appendSights(appendNotes(b, v.notes), v.sights)
	}
	if rows || len(b) > 0 {
		b = append(b, '\n')
	}
	_, err := w.Write(appendSummary(b, v))
	return err
}

// appendLiveRow appends a row of a table whose other rows are still to come.
func appendLiveRow(b []byte, f *trace.Finding, v *view) []byte {
	t := table{widths: articleWidths, told: true, color: v.color, ruling: v.ruling}
	return t.appendRow(b, f)
}

// measure reports whether there are any rows, sets the widths by the first of
// them, and looks for one that knows whether the model was told.
func (t *table) measure(findings iter.Seq[trace.Finding]) (any bool) {
	for i, h := range headings {
		t.widths[i] = len(h)
	}
	rows := 0
	var f trace.Finding
	for f = range findings {
		rows++
		t.told = t.told || f.Notice != clipspan.NoticeUnknown
		if rows <= measuredRows {
			t.widen(&f)
		} else if t.told {
			break
		}
	}
	return rows > 0
}

func (t *table) widen(f *trace.Finding) {
	for i := range columnWhere { // the last one is not padded
		t.cell = t.appendCell(t.cell[:0], i, f)
		t.widths[i] = max(t.widths[i], min(maxWidth, utf8.RuneCount(t.cell)))
	}
}

func (t *table) appendHead(b []byte) []byte {
	for i, h := range headings {
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
			b = t.pad(b, utf8.RuneCount(b[from:]), i)
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

func (t *table) appendCell(b []byte, column int, f *trace.Finding) []byte {
	span := f.Subject == trace.SubjectSpan
	switch column {
	case columnStatus:
		return append(b, word(f)...)
	case columnSpan:
		return appendOr(b, f.SpanID+f.TurnID)
	case columnTool:
		if f.Subject == trace.SubjectTurn {
			return append(b, "(turn)"...)
		}
		return appendOr(b, f.Name)
	case columnObserved:
		return appendCount(b, f.ObservedBytes)
	case columnInjected:
		return appendCount(b, f.InjectedBytes)
	case columnTold:
		return append(b, told(f.Notice)...)
	case columnEvidence:
		if span {
			return append(b, f.Evidence.String()...)
		}
		return append(b, '-')
	case columnDetail:
		return t.appendDetail(b, f)
	default:
		return appendWhere(b, f)
	}
}

func appendOr(b []byte, text string) []byte {
	if text == "" {
		return append(b, '-')
	}
	return termsafe.Append(b, text)
}

func appendCount(b []byte, c clipspan.Count) []byte {
	n, known := c.Value()
	if !known {
		return append(b, '-')
	}
	return strconv.AppendInt(b, n, 10)
}

func told(n clipspan.Notice) string {
	switch n {
	case clipspan.NoticeGiven:
		return "yes"
	case clipspan.NoticeMissing:
		return "no"
	default:
		return "-"
	}
}

func (t *table) appendDetail(b []byte, f *trace.Finding) []byte {
	b = appendDetail(b, f)
	if t.ruling.known(f) {
		b = append(b, " (baseline)"...)
	}
	return b
}

// appendDetail appends the details as the article prints them. Damage has its
// kind before them.
func appendDetail(b []byte, f *trace.Finding) []byte {
	if f.Subject == trace.SubjectDamage {
		b = append(termsafe.Append(b, string(f.Damage)), ": "...)
	}
	for i, d := range f.Detail {
		if i > 0 {
			b = append(b, ',')
		}
		b = termsafe.Append(b, d)
	}
	return b
}

// appendWhere appends file and line in the form that editors and terminals make
// a link of. What is in no line is in a run.
func appendWhere(b []byte, f *trace.Finding) []byte {
	b = termsafe.Append(b, f.File)
	switch {
	case f.Line > 0:
		return strconv.AppendInt(append(b, ':'), int64(f.Line), 10)
	case f.RunID != "":
		return append(termsafe.Append(append(b, " (run "...), f.RunID), ')')
	default:
		return b
	}
}
