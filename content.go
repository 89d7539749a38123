package clipspan

import (
	"slices"
	"strings"
)

// content is one side of an exchange: a text, or parts in order. Nothing of it
// is ever copied as a whole.
type content struct {
	text  string
	parts []Part
}

// newContent takes a single text part for what it is: a text.
func newContent(text string, parts []Part) content {
	switch {
	case len(parts) == 0:
		return content{text: text}
	case len(parts) == 1 && len(parts[0].Data) == 0:
		return content{text: parts[0].Text, parts: parts}
	default:
		return content{parts: parts}
	}
}

// single reports whether all of the content is its text.
func (c content) single() bool {
	return len(c.parts) == 0 || len(c.parts) == 1 && len(c.parts[0].Data) == 0
}

func (c content) size() (n int64) {
	if c.single() {
		return int64(len(c.text))
	}
	for _, p := range c.parts {
		n += p.size()
	}
	return n
}

// equal reports whether both are the same, part by part.
func (c content) equal(other content) bool {
	if c.single() || other.single() {
		return c.single() && other.single() && c.text == other.text
	}
	return slices.EqualFunc(c.parts, other.parts, Part.equal)
}

// bytes is all of the content, data too, as one string.
func (c content) bytes() string {
	if c.single() {
		return c.text
	}
	var b strings.Builder
	b.Grow(int(c.size()))
	for _, p := range c.parts {
		b.WriteString(p.Text)
		b.Write(p.Data)
	}
	return b.String()
}

func (c content) writeTo(h *hasher) {
	if c.single() {
		h.writeString(c.text)
		return
	}
	for _, p := range c.parts {
		h.writeString(p.Text)
		h.write(p.Data)
	}
}

// texts is all that a model reads as text, for counting tokens.
func (c content) texts() string {
	if c.single() {
		return c.text
	}
	var b strings.Builder
	for _, p := range c.parts {
		b.WriteString(p.Text)
	}
	return b.String()
}

// list is the texts one by one.
func (c content) list() []string {
	if c.single() {
		return []string{c.text}
	}
	texts := make([]string, len(c.parts))
	for i, p := range c.parts {
		texts[i] = p.Text
	}
	return texts
}

// data is what is not text.
func (c content) data() (list [][]byte) {
	for _, p := range c.parts {
		if len(p.Data) > 0 {
			list = append(list, p.Data)
		}
	}
	return list
}

// preview is the content's leading text; data has none.
func (c content) preview() string {
	if c.single() {
		return c.text
	}
	return c.parts[0].Text
}

// mediaType is the type of the parts if they agree, else "multipart/mixed".
func (c content) mediaType() string {
	if len(c.parts) == 0 {
		return ""
	}
	first := c.parts[0].MediaType
	for _, p := range c.parts[1:] {
		if p.MediaType != first {
			return "multipart/mixed"
		}
	}
	return first
}

// keptParts answers as [Kept] does where content is more than one text: exact if
// all parts are found in one text, in order, or if every injected part is an
// observed one, in order.
func keptParts(base, injected content) (ranges []Range, ok bool) {
	if injected.single() && joined(base.parts, injected.text) {
		return appendRange(nil, Range{0, base.size()}), true
	}
	wanted := injected.parts
	if len(wanted) == 0 {
		wanted = []Part{{Text: injected.text}}
	}
	next, from := 0, int64(0)
	for _, want := range wanted {
		for next < len(base.parts) && !base.parts[next].equal(want) {
			from += base.parts[next].size()
			next++
		}
		if next == len(base.parts) {
			return nil, false
		}
		to := from + want.size()
		ranges = appendRange(ranges, Range{from, to})
		from = to
		next++
	}
	return ranges, true
}

// joined reports whether a text is made of all the parts, with or without
// something between them.
func joined(parts []Part, text string) bool {
	for _, p := range parts {
		i := strings.Index(text, p.Text)
		if i < 0 || len(p.Data) > 0 {
			return false
		}
		text = text[i+len(p.Text):]
	}
	return len(parts) > 0
}
