package builder

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/clipspan/clipspan"
)

// defaultMarker says how much is gone, and of how much.
const defaultMarker = "[... {lost} of {total} {unit} cut ...]"

// Markers for where the cap or the cut is too small for a longer one.
var (
	shortMarker = mustMarker("[...]")
	noMarker    = marker{}
)

// placeholders are what a marker's template may hold.
var placeholders = []string{"lost", "total", "unit", "from", "to", "line", "tool"}

// marker is a template in pieces: every second one is a placeholder's name.
type marker struct {
	template string
	pieces   []string
}

func parseMarker(template string) (marker, error) {
	m := marker{template: template}
	rest := template
	for {
		text, behind, open := strings.Cut(rest, "{")
		m.pieces = append(m.pieces, text)
		if !open {
			return m, nil
		}
		name, behind, closed := strings.Cut(behind, "}")
		if !closed || !slices.Contains(placeholders, name) {
			return marker{}, fmt.Errorf("marker %q: after \"{\" one of %s and \"}\" must follow", template, strings.Join(placeholders, ", "))
		}
		m.pieces = append(m.pieces, name)
		rest = behind
	}
}

func mustMarker(template string) marker {
	m, err := parseMarker(template)
	if err != nil {
		panic("builder: " + err.Error())
	}
	return m
}

// gap is what a marker speaks of: a range of the base content, in the unit of the
// cap that cut it.
type gap struct {
	draft    *draft
	unit     string // "bytes", "chars", "lines"; "items" and "members" with their own numbers
	from, to int64  // in the base content
	lost     int64  // items or members, if they are the unit …
	total    int64  // … and of how many
}

// fill is the marker's text for a gap.
func (m marker) fill(g gap) string {
	var b strings.Builder
	for i, piece := range m.pieces {
		if i%2 == 1 {
			piece = g.value(piece)
		}
		b.WriteString(piece)
	}
	return b.String()
}

func (g gap) value(placeholder string) string {
	whole := g.draft.baseSize()
	switch placeholder {
	case "lost":
		return strconv.FormatInt(g.count(g.lost, g.from, g.to), 10)
	case "total":
		return strconv.FormatInt(g.count(g.total, 0, whole), 10)
	case "unit":
		return g.unit
	case "from":
		return strconv.FormatInt(g.from, 10)
	case "to":
		return strconv.FormatInt(g.to, 10)
	case "line":
		return strconv.FormatInt(1+g.draft.sum(0, g.from, lineEnds), 10)
	default: // "tool"
		return clean(g.draft.observation.Tool)
	}
}

// count is how much of the gap's unit a range of the base content holds.
func (g gap) count(known, from, to int64) int64 {
	switch g.unit {
	case unitBytes:
		return g.draft.sum(from, to, func(s string) int64 { return int64(len(s)) })
	case unitChars:
		return g.draft.sum(from, to, func(s string) int64 { return int64(utf8.RuneCountInString(s)) })
	case unitLines:
		return g.draft.sum(from, to, countLines)
	default:
		return known
	}
}

const (
	unitBytes = string(clipspan.CapBytes)
	unitChars = string(clipspan.CapChars)
	unitLines = string(clipspan.CapLines)
)

func lineEnds(text string) int64 { return int64(strings.Count(text, "\n")) }

// clean makes a name of the host's fit for a line of text.
func clean(name string) string {
	const longest = 64
	name = clipspan.Preview(name, longest)
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == '{' || r == '}' {
			return '_'
		}
		return r
	}, name)
}

// sum adds up a measure of the base content's texts within a range of it.
func (d *draft) sum(from, to int64, measure func(text string) int64) (n int64) {
	at := int64(0)
	for _, p := range d.base {
		a, b := max(from-at, 0), min(to-at, int64(len(p.Text)))
		if a < b {
			n += measure(p.Text[a:b])
		}
		at += int64(len(p.Text) + len(p.Data))
	}
	return n
}

func (d *draft) baseSize() (n int64) {
	for _, p := range d.base {
		n += int64(len(p.Text) + len(p.Data))
	}
	return n
}

// baseRange is what of the base content is missing if text[from:to] goes: what
// went before at the same place goes with it.
func (d *draft) baseRange(from, to int) (baseFrom, baseTo int64) {
	at := 0
	baseTo = -1
	for _, s := range d.split() {
		end := at + len(s.text)
		if !s.own && s.data == nil {
			if at < from {
				baseFrom = s.from + int64(min(end, from)-at)
			}
			if end > to && baseTo < 0 {
				baseTo = s.from + int64(max(at, to)-at)
			}
		}
		at = end
	}
	if baseTo < 0 {
		baseTo = d.baseSize()
	}
	return baseFrom, baseTo
}
