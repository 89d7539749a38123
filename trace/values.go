package trace

import (
	"encoding/binary"
	"time"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/internal/rawjson"
)

// The methods below read one value as a field of a record. A value of another
// type is kept as it stands, so that writing the record again loses nothing.

// keep reads any value and adds it to the record's extra fields.
func (d *decoder) keep() (raw string) {
	from := d.scan.Pos()
	d.scan.Skip()
	return d.keepFrom(from)
}

// keepFrom adds the value that began at offset from to the record's extra fields.
func (d *decoder) keepFrom(from int) (raw string) {
	switch {
	case d.nesting:
		d.spoilt = true
	case d.words == nil && d.scan.Err() == nil:
		raw = d.text[from:d.scan.Pos()]
		d.extra = append(d.extra, clipspan.Field{Name: string(d.name), Raw: raw})
	}
	return raw
}

func (d *decoder) isString() bool { return d.scan.Peek() == rawjson.String }

// str reads a string.
func (d *decoder) str() string {
	if !d.isString() {
		d.keep()
		return ""
	}
	from := d.scan.Pos()
	text := d.scan.Text()
	switch {
	case d.words != nil:
		return d.words.text(d.words.of(text))
	case from+len(text)+2 == d.scan.Pos(): // no escapes
		return d.text[from+1 : d.scan.Pos()-1]
	default:
		return string(text)
	}
}

// enum reads a string of which another type is a value outside the enum, not
// the absence of one.
func (d *decoder) enum(k key) string {
	if d.isString() {
		return d.word(k, &d.last[k])
	}
	from := d.scan.Pos()
	raw := d.keep()
	if d.words != nil {
		raw = d.words.text(d.words.of(d.line[from:d.scan.Pos()]))
	}
	return raw
}

// spanID reads a span's id, of which a checker takes the bytes.
func (d *decoder) spanID() string {
	if d.words == nil || !d.isString() {
		return d.str()
	}
	d.facts.spanText = d.scan.Text()
	d.facts.span = d.seeds.id(d.facts.spanText)
	d.value = d.facts.span.hash(0) | 1
	return ""
}

// ref reads an id that is only ever compared, of which a checker takes the hash.
func (d *decoder) ref(fact *uint64) string {
	if d.words == nil || !d.isString() {
		return d.str()
	}
	*fact = d.seeds.ref(d.scan.Text())
	d.value = *fact
	return ""
}

// word reads a string of which a checker keeps the word. That of the record
// before is the likeliest.
func (d *decoder) word(k key, fact *word) string {
	if d.words == nil || !d.isString() {
		return d.str()
	}
	w := d.last[k]
	if !d.scan.Is(d.words.text(w)) {
		from := d.scan.Pos()
		text := d.scan.Text()
		w = d.words.of(text)
		if from+len(text)+2 == d.scan.Pos() { // no escapes: it may stand there again
			d.last[k] = w
		}
	}
	*fact, d.value = w, d.words.hash(w)
	return d.words.text(w)
}

// count reads a number of bytes, tokens or records.
func (d *decoder) count() clipspan.Count {
	if d.scan.Peek() != rawjson.Number {
		d.keep()
		return clipspan.InvalidCount()
	}
	from := d.scan.Pos()
	n, ok := d.scan.Count()
	if !ok {
		d.keepFrom(from)
		return clipspan.InvalidCount()
	}
	d.value = uint64(n) + 1
	return clipspan.Known(n)
}

// positive reads a number of which 0 means that it is absent.
func (d *decoder) positive() int64 {
	from := d.scan.Pos()
	n, known := d.count().Value()
	if known && n == 0 {
		d.keepFrom(from)
	}
	return n
}

func (d *decoder) flag() bool {
	if d.scan.Peek() != rawjson.Bool {
		d.keep()
		return false
	}
	return d.scan.Bool()
}

func (d *decoder) notice() clipspan.Notice {
	if d.scan.Peek() != rawjson.Bool {
		d.keep()
		return clipspan.NoticeUnknown
	}
	return clipspan.NoticeOf(d.scan.Bool())
}

func (d *decoder) hash() (h clipspan.Hash) {
	if !d.isString() {
		d.keep()
		return h
	}
	var sum [32]byte
	if d.scan.Hex(sum[:]) {
		d.value = binary.LittleEndian.Uint64(sum[:]) | 1
		return clipspan.NewHash(sum)
	}
	_ = h.UnmarshalText(d.scan.Text()) // takes any text
	return h
}

func (d *decoder) time() time.Time {
	from := d.scan.Pos()
	t, err := time.Parse(time.RFC3339, d.str())
	if d.line[from] == '"' && (err != nil || t.IsZero()) {
		d.keepFrom(from)
		return time.Time{}
	}
	return t.UTC()
}
