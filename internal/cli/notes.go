package cli

import (
	"iter"

	"github.com/clipspan/clipspan/internal/termsafe"
	"github.com/clipspan/clipspan/trace"
)

// noteText is what a note says and about which records.
func noteText(n *trace.Note) string {
	text := n.Text
	for _, part := range [...][2]string{{"span", n.SpanID}, {"turn", n.TurnID}, {"run", n.RunID}} {
		if part[1] != "" {
			text += ", " + part[0] + " " + part[1]
		}
	}
	return text
}

// appendNote appends a note, and where it belongs.
func appendNote(b []byte, n *trace.Note) []byte {
	b = termsafe.Append(b, noteText(n))
	if n.File != "" {
		b = appendPlace(append(b, "  "...), n.File, n.Line)
	}
	return b
}

// appendNotes appends what usually fails nothing and may yet be of use.
func appendNotes(b []byte, notes []trace.Note) []byte {
	for i := range notes {
		b = append(appendNote(append(b, "note: "...), &notes[i]), '\n')
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
