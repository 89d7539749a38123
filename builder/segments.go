package builder

import (
	"strings"

	"github.com/clipspan/clipspan"
)

// segment is a piece of what is injected: text or data of the base content, or
// text that was added.
type segment struct {
	part int    // which one of the base content it belongs to
	text string // "" for data
	data []byte
	from int64 // where it begins in the base content, whose parts stand one behind the other
	own  bool  // it was added: from says nothing
}

func (s segment) size() int64 { return int64(len(s.text) + len(s.data)) }

// segmentsOf are those of untouched content.
func segmentsOf(parts []clipspan.Part) (list []segment) {
	at := int64(0)
	for i, p := range parts {
		if p.Text != "" {
			list = append(list, segment{part: i, text: p.Text, from: at})
			at += int64(len(p.Text))
		}
		if len(p.Data) > 0 {
			list = append(list, segment{part: i, data: p.Data, from: at})
			at += int64(len(p.Data))
		}
	}
	return list
}

func textOf(segments []segment) string {
	if len(segments) == 1 {
		return segments[0].text
	}
	size := 0
	for _, s := range segments {
		size += len(s.text)
	}
	var b strings.Builder
	b.Grow(size)
	for _, s := range segments {
		b.WriteString(s.text)
	}
	return b.String()
}

// partsOf are the injected parts. One of which nothing is left is left out, but
// never all.
func partsOf(base []clipspan.Part, segments []segment) (parts []clipspan.Part) {
	if segments == nil {
		return base
	}
	for i, b := range base {
		n := 0
		for n < len(segments) && segments[n].part == i {
			n++
		}
		p := partOf(b, segments[:n])
		segments = segments[n:]
		empty := p.Text == "" && len(p.Data) == 0
		if !empty || b.Text == "" && len(b.Data) == 0 {
			parts = append(parts, p)
		}
	}
	if len(parts) == 0 {
		parts = []clipspan.Part{{MediaType: "text/plain"}}
	}
	return parts
}

func partOf(base clipspan.Part, segments []segment) clipspan.Part {
	p := clipspan.Part{MediaType: base.MediaType, Text: textOf(segments)}
	for _, s := range segments {
		if s.data != nil {
			p.Data = s.data
		}
		if len(base.Data) > 0 && s.own { // words in the place of data
			p.MediaType = "text/plain"
		}
	}
	return p
}

// keptRanges are the bytes of the base content that survive. Not nil: nothing
// may have survived.
func keptRanges(segments []segment) []clipspan.Range {
	ranges := []clipspan.Range{}
	for _, s := range segments {
		n := len(ranges)
		switch {
		case s.own || s.size() == 0:
		case n > 0 && ranges[n-1].To == s.from:
			ranges[n-1].To += s.size()
		default:
			ranges = append(ranges, clipspan.Range{From: s.from, To: s.from + s.size()})
		}
	}
	return ranges
}

// walk goes once through segments and makes others of them.
type walk struct {
	rest []segment
	at   int // the place in the text that rest begins with
	part int // of the last segment
	done []segment
}

// keep takes over the text up to a place in it.
func (w *walk) keep(to int) { w.advance(to, true) }

// skip leaves the text up to a place in it out. Data between is not text and stays.
func (w *walk) skip(to int) { w.advance(to, false) }

// add puts a text here.
func (w *walk) add(text string) {
	if text == "" {
		return
	}
	if len(w.rest) > 0 {
		w.part = w.rest[0].part
	}
	w.done = append(w.done, segment{part: w.part, text: text, own: true})
}

func (w *walk) advance(to int, keep bool) {
	for len(w.rest) > 0 {
		s := w.rest[0]
		n := min(len(s.text), to-w.at)
		if s.data == nil && n == 0 {
			return
		}
		if n < len(s.text) {
			w.rest[0].text, w.rest[0].from = s.text[n:], s.from+int64(n)
			s.text = s.text[:n]
		} else {
			w.rest = w.rest[1:]
		}
		w.at += n
		w.part = s.part
		if keep || s.data != nil {
			w.done = append(w.done, s)
		}
	}
}
