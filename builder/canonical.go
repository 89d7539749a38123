package builder

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/clipspan/clipspan/internal/rawjson"
)

// CanonicalJSON is the renderer "json/1", which loses nothing by its construction
// (docs/records.md, Tool span). A text that is one JSON value is written without
// white space between its parts, with the members of objects in the order of their
// names as they are written, byte by byte, and strings with no escape that JSON
// does not demand. Numbers keep their spelling, and escapes of half a surrogate
// pair stay. A text that is not JSON stays as it is, and so does one with a name
// twice in an object, with invalid UTF-8, or nested deeper than 100 levels.
func CanonicalJSON() Stage { return canonicalJSON{} }

type canonicalJSON struct{}

func (canonicalJSON) String() string { return "canonical_json" }

func (canonicalJSON) phase() phase { return rendering }

func (canonicalJSON) apply(_ context.Context, d *draft) (fired bool, err error) {
	return d.render("json/1", canonical), nil
}

func canonical(text string) string {
	whole, ok := wholeJSON(text)
	if !ok || !utf8.ValidString(text) {
		return text
	}
	w := canonicalWriter{text: text, out: make([]byte, 0, len(text))}
	if !w.value(whole, 0) {
		return text
	}
	return string(w.out)
}

type canonicalWriter struct {
	text string
	out  []byte
}

// value is false where there is no canonical form.
func (w *canonicalWriter) value(v jsonValue, depth int) bool {
	switch {
	case depth > rawjson.MaxDepth:
		return false
	case w.text[v.from] == '{':
		return w.object(v, depth)
	case w.text[v.from] == '[':
		return w.array(v, depth)
	case w.text[v.from] == '"':
		w.out = appendCanonical(w.out, w.text[v.from+1:v.to-1])
	default:
		w.out = append(w.out, w.text[v.from:v.to]...)
	}
	return true
}

func (w *canonicalWriter) array(v jsonValue, depth int) bool {
	w.out = append(w.out, '[')
	comma := ""
	for item := range jsonItems(w.text, v) {
		w.out = append(w.out, comma...)
		if !w.value(item.value, depth+1) {
			return false
		}
		comma = ","
	}
	w.out = append(w.out, ']')
	return true
}

func (w *canonicalWriter) object(v jsonValue, depth int) bool {
	type member struct {
		name  string // canonical, with its quotes
		value jsonValue
	}
	var members []member
	for item := range jsonItems(w.text, v) {
		inside := w.text[item.from+1 : stringEnd(w.text, item.from)-1]
		members = append(members, member{string(appendCanonical(nil, inside)), item.value})
	}
	slices.SortFunc(members, func(a, b member) int { return cmp.Compare(a.name, b.name) })
	w.out = append(w.out, '{')
	for i, m := range members {
		if i > 0 {
			if m.name == members[i-1].name {
				return false
			}
			w.out = append(w.out, ',')
		}
		w.out = append(append(w.out, m.name...), ':')
		if !w.value(m.value, depth+1) {
			return false
		}
	}
	w.out = append(w.out, '}')
	return true
}

// appendCanonical appends a JSON string, of which it is given the inside as it was
// written.
func appendCanonical(b []byte, inside string) []byte {
	b = append(b, '"')
	for inside != "" {
		plain := strings.IndexByte(inside, '\\')
		if plain < 0 {
			plain = len(inside)
		}
		b = append(b, inside[:plain]...)
		if inside = inside[plain:]; inside != "" {
			n := characterSize(inside)
			b = appendEscape(b, inside[:n])
			inside = inside[n:]
		}
	}
	return append(b, '"')
}

// appendEscape appends what an escape stands for, or the escape that JSON demands
// for it.
func appendEscape(b []byte, escape string) []byte {
	if len(escape) == 6 && isSurrogate(escape) {
		return append(b, strings.ToLower(escape)...)
	}
	character := rawjson.AppendUnescaped(nil, []byte(escape))
	const demanding, short = "\"\\\b\f\n\r\t", `"\bfnrt`
	c := character[0]
	if i := strings.IndexByte(demanding, c); i >= 0 {
		return append(b, '\\', short[i])
	}
	if c < ' ' {
		return fmt.Appendf(b, `\u%04x`, c)
	}
	return append(b, character...)
}
