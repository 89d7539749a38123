package cli

import (
	"strconv"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/internal/termsafe"
	"github.com/clipspan/clipspan/trace"
)

func (t *table) appendCell(b []byte, column int, f *trace.Finding) []byte {
	switch column {
	case columnStatus:
		return append(b, word(f)...)
	case columnSpan:
		return appendOr(b, t.shortID(f.SpanID+f.TurnID))
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
		if f.Subject == trace.SubjectSpan {
			return append(b, f.Evidence.String()...)
		}
		return append(b, '-')
	case columnWhere:
		return t.appendWhere(b, f)
	default:
		return t.appendDetail(b, f)
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

// appendWhere appends the place of a record: the file only if there are several.
func (t *table) appendWhere(b []byte, f *trace.Finding) []byte {
	switch {
	case !t.oneFile:
		return appendPlace(b, f.File, f.Line)
	case f.Line > 0:
		return strconv.AppendInt(b, int64(f.Line), 10)
	default:
		return append(b, '-')
	}
}

// appendPlace appends file and line in the form that editors and terminals make
// a link of.
func appendPlace(b []byte, file string, line int) []byte {
	b = termsafe.Append(b, file)
	if line > 0 {
		b = strconv.AppendInt(append(b, ':'), int64(line), 10)
	}
	return b
}

// appendDetail appends the details, and whose they are where no line says so.
func (t *table) appendDetail(b []byte, f *trace.Finding) []byte {
	b = appendDetail(b, f)
	if f.Line == 0 && f.RunID != "" {
		b = append(termsafe.Append(append(b, " (run "...), f.RunID), ')')
	}
	if t.ruling.gate.knows(f) {
		b = append(b, " (baseline)"...)
	}
	return b
}

// appendDetail appends the details as the article prints them. Damage has its
// kind before them.
func appendDetail(b []byte, f *trace.Finding) []byte {
	switch {
	case f.Damage == trace.DamageRunEnd && f.Line == 0: // of run_end, only its absence is in no line
		return append(b, "run_end missing"...)
	case f.Subject == trace.SubjectDamage:
		b = append(termsafe.Append(b, string(f.Damage)), ": "...)
	case f.Verdict == clipspan.VerdictHashMismatch && len(f.Detail) == 0:
		return append(b, "changed"...)
	}
	for i, d := range f.Detail {
		if i > 0 {
			b = append(b, ',')
		}
		b = termsafe.Append(b, d)
	}
	return b
}
