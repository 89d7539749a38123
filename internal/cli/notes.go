package cli

import (
	"iter"

	"github.com/clipspan/clipspan/internal/termsafe"
	"github.com/clipspan/clipspan/trace"
)

// appendNotes appends what fails nothing and may yet be of use.
func appendNotes(b []byte, notes []trace.Note) []byte {
	for _, n := range notes {
		b = append(b, "note: "...)
		b = termsafe.Append(b, n.Text)
		for _, part := range [...][2]string{{"span", n.SpanID}, {"turn", n.TurnID}, {"run", n.RunID}} {
			if part[1] != "" {
				b = append(append(append(b, ", "...), part[0]...), ' ')
				b = termsafe.Append(b, part[1])
			}
		}
		if n.File != "" {
			b = append(b, "  "...)
			b = appendWhere(b, &trace.Finding{File: n.File, Line: n.Line})
		}
		b = append(b, '\n')
	}
	return b
}

// appendSights appends from which turn to which the model could see the results
// that it can't see any more.
func appendSights(b []byte, sights iter.Seq[trace.Visibility]) []byte {
	for s := range sights {
		if s.Gone == "" {
			continue
		}
		b = termsafe.Append(append(b, "seen: span "...), s.SpanID)
		b = termsafe.Append(append(b, ", from turn "...), s.From)
		b = termsafe.Append(append(b, " to turn "...), s.To)
		if s.LateClip {
			b = append(b, ", cut or changed in turn "...)
		} else {
			b = append(b, ", gone in turn "...)
		}
		b = append(termsafe.Append(b, s.Gone), '\n')
	}
	return b
}
