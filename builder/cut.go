package builder

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/clipspan/clipspan"
)

// CutOption says how a [Cap] cuts. Without any it keeps the head, cuts on a rune,
// and puts a marker in the place of what is gone.
type CutOption interface{ set(*cut) }

type cutOption func(*cut)

func (f cutOption) set(c *cut) { f(c) }

// Head keeps the beginning of the text.
func Head() CutOption { return HeadTail(1) }

// Tail keeps the end of the text.
func Tail() CutOption { return HeadTail(0) }

// HeadTail keeps the beginning and the end of the text: of the room that the
// marker leaves, the share of ratio goes to the beginning. It is held to 0…1.
func HeadTail(ratio float64) CutOption {
	if math.IsNaN(ratio) {
		ratio = 1
	}
	return cutOption(func(c *cut) { c.head = min(max(ratio, 0), 1) })
}

// OnLines makes cuts fall between lines, unless one line alone is too long.
func OnLines() CutOption { return cutOption(func(c *cut) { c.boundary = lines }) }

// OnGraphemes makes cuts fall between what a person sees as characters, such as a
// family emoji of seven code points.
func OnGraphemes() CutOption { return cutOption(func(c *cut) { c.boundary = graphemes }) }

// JSONItems makes a cap drop whole items of arrays and members of objects, so that
// a text that is JSON still parses, and says in it how many of how many are gone.
// Members of an object share what fits, small ones untouched; of an array the
// first items stay. A text that is not JSON is cut as without the option.
func JSONItems() CutOption { return cutOption(func(c *cut) { c.items = true }) }

// Marker is what is put in the place of what is gone, as a template. It may hold
// {lost}, {total} and {unit} ("lines"; of a cap in tokens "bytes"), {from} and
// {to}, the byte range that is missing, {line}, the first line that is missing,
// counted from 1, and {tool}. Say with them how to get the rest:
//
//	builder.Marker("[{lost} of {total} lines cut; read on with offset={line}]")
//
// Another placeholder is a mistake of the program: Marker panics. An empty
// template puts no marker, and the span then says that the model was not told.
// A marker that does not fit into the cap, or would be longer than what it stands
// for, is replaced by a short one or by none.
func Marker(template string) CutOption {
	m := mustMarker(template)
	return cutOption(func(c *cut) { c.marker = m })
}

// boundary is between what a cut may fall.
type boundary string

const (
	runes     boundary = ""
	lines     boundary = "lines"
	graphemes boundary = "graphemes"
)

// cut is how a cap cuts.
type cut struct {
	head     float64 // the share of the beginning
	items    bool
	boundary boundary
	marker   marker
}

func newCut(options []CutOption) cut {
	c := cut{head: 1, marker: mustMarker(defaultMarker)}
	for _, o := range options {
		o.set(&c)
	}
	return c
}

func (c cut) String() string {
	settings := []string{"head"}
	switch {
	case c.head == 0:
		settings[0] = "tail"
	case c.head < 1:
		settings[0] = "head_tail " + strconv.FormatFloat(c.head, 'g', -1, 64)
	}
	if c.items {
		settings = append(settings, "json_items")
	}
	if c.boundary != runes {
		settings = append(settings, "on "+string(c.boundary))
	}
	if c.marker.template != defaultMarker {
		settings = append(settings, fmt.Sprintf("marker %q", c.marker.template))
	}
	return strings.Join(settings, ", ")
}

// find says what is to go so that the draft's text measures at most limit, and
// whether what is put in its place tells the model.
func (c cut) find(ctx context.Context, d *draft, r ruler, limit int64) (list []replacement, told bool, err error) {
	if limit <= 0 {
		return []replacement{{0, len(d.text), ""}}, false, nil
	}
	if c.items {
		list, told, ok, err := c.dropItems(ctx, d, r, limit)
		if err != nil || ok {
			return list, told, err
		}
	}
	for _, m := range []marker{c.marker, shortMarker, noMarker} {
		if m.template == "" {
			m = noMarker
		}
		cut, ok, err := c.around(ctx, d, r, limit, m)
		if err != nil || ok {
			return []replacement{cut}, cut.text != "", err
		}
		if m.template == "" {
			break
		}
	}
	return []replacement{{0, len(d.text), ""}}, false, nil
}

// around keeps a head and a tail of the text with the marker between them. It is
// not ok if there is no room, or if the marker would be longer than what it stands
// for.
func (c cut) around(ctx context.Context, d *draft, r ruler, limit int64, m marker) (cut replacement, ok bool, err error) {
	reserved, err := r.measure(ctx, c.mark(d, r, m, 0, len(d.text)))
	if err != nil {
		return replacement{}, false, err
	}
	for room := limit - reserved; room >= 0; {
		if err := ctx.Err(); err != nil {
			return replacement{}, false, err
		}
		from, to, err := c.middle(ctx, d.text, r, room)
		if err != nil {
			return replacement{}, false, err
		}
		mark := c.mark(d, r, m, from, to)
		n, err := r.measure(ctx, d.text[:from]+mark+d.text[to:])
		if err != nil {
			return replacement{}, false, err
		}
		if n <= limit && from < to {
			return replacement{from, to, mark}, len(mark) < to-from, nil
		}
		room -= max(n-limit, 1)
	}
	return replacement{}, false, nil
}

// middle is what does not fit into the room.
func (c cut) middle(ctx context.Context, text string, r ruler, room int64) (from, to int, err error) {
	head := int64(float64(room) * c.head)
	if c.head == 1 {
		head = room
	}
	if from, err = r.head(ctx, text, head); err != nil {
		return 0, 0, err
	}
	tail, err := r.tail(ctx, text[from:], room-head)
	if err != nil {
		return 0, 0, err
	}
	from, to = c.boundary.place(text, from, len(text)-tail)
	return from, to, nil
}

// mark is the text that is put in the place of text[from:to]: a line of its own,
// but for an end that the text had before.
func (c cut) mark(d *draft, r ruler, m marker, from, to int) string {
	if m.template == "" {
		return ""
	}
	g := gap{draft: d, unit: unitOf(r)}
	g.from, g.to = d.baseRange(from, to)
	mark := m.fill(g)
	if from > 0 && d.text[from-1] != '\n' {
		mark = "\n" + mark
	}
	if to < len(d.text) && d.text[to] != '\n' {
		mark += "\n"
	}
	return mark
}

// unitOf is the unit that a marker counts in. Nobody knows how many tokens are
// gone without counting them all, so that of a cap in tokens is bytes.
func unitOf(r ruler) string {
	if r.unit() == clipspan.CapTokens {
		return unitBytes
	}
	return string(r.unit())
}
