package trace

import (
	"time"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/internal/rawjson"
)

// The methods below read one value as a field of a record. A value of another
// type is kept as it stands, so that writing the record again loses nothing.

// keep adds the member to the record's extra fields.
func (d *decoder) keep(m *rawjson.Member) {
	switch {
	case d.nesting:
		d.spoilt = true
	case d.words == nil:
		d.extra = append(d.extra, clipspan.Field{Name: string(d.keyText(m)), Raw: d.raw(m)})
	}
}

// raw is a value as it stands in the line.
func (d *decoder) raw(m *rawjson.Member) string {
	if d.words != nil {
		return d.words.text(d.words.of(d.line[m.From:m.To]))
	}
	return d.text[m.From:m.To]
}

// str reads a string.
func (d *decoder) str(m *rawjson.Member) string {
	switch {
	case !isString(m):
		d.keep(m)
		return ""
	case d.words != nil:
		return d.words.text(d.words.of(d.inside(m)))
	case m.Kind == rawjson.String:
		return d.text[m.From+1 : m.To-1]
	default:
		return string(d.inside(m))
	}
}

// enum reads a string of which another type is a value outside the enum, not
// the absence of one.
func (d *decoder) enum(m *rawjson.Member) string {
	if !isString(m) {
		d.keep(m)
		return d.raw(m)
	}
	return d.str(m)
}

// id reads a string that tells records apart. A checker takes its bytes.
func (d *decoder) id(m *rawjson.Member, fact *[]byte) string {
	if d.words == nil {
		return d.str(m)
	}
	if isString(m) {
		*fact = d.inside(m)
	}
	return ""
}

// word reads a string of which a checker keeps the word.
func (d *decoder) word(m *rawjson.Member, fact *word) string {
	if d.words == nil {
		return d.str(m)
	}
	if isString(m) {
		*fact = d.words.of(d.inside(m))
	}
	return d.words.text(*fact)
}

// count reads a number of bytes, tokens or records.
func (d *decoder) count(m *rawjson.Member) clipspan.Count {
	if m.Kind == rawjson.Int {
		if n, ok := rawjson.ParseInt(d.line[m.From:m.To]); ok {
			return clipspan.Known(n)
		}
	}
	d.keep(m)
	return clipspan.InvalidCount()
}

// positive reads a number of which 0 means that it is absent.
func (d *decoder) positive(m *rawjson.Member) int64 {
	if m.Kind == rawjson.Int {
		if n, ok := rawjson.ParseInt(d.line[m.From:m.To]); ok && n > 0 {
			return n
		}
	}
	d.keep(m)
	return 0
}

func (d *decoder) flag(m *rawjson.Member) bool {
	if m.Kind != rawjson.True && m.Kind != rawjson.False {
		d.keep(m)
	}
	return m.Kind == rawjson.True
}

func (d *decoder) notice(m *rawjson.Member) clipspan.Notice {
	if m.Kind != rawjson.True && m.Kind != rawjson.False {
		d.keep(m)
		return clipspan.NoticeUnknown
	}
	return clipspan.NoticeOf(m.Kind == rawjson.True)
}

func (d *decoder) hash(m *rawjson.Member) (h clipspan.Hash) {
	if !isString(m) {
		d.keep(m)
		return h
	}
	_ = h.UnmarshalText(d.inside(m)) // takes any text
	return h
}

func (d *decoder) time(m *rawjson.Member) time.Time {
	t, err := time.Parse(time.RFC3339, d.str(m))
	if isString(m) && (err != nil || t.IsZero()) {
		d.keep(m)
	}
	return t.UTC()
}

// header reads a field that all kinds of record share.
func (d *decoder) header(k key, m *rawjson.Member, h *clipspan.Header) {
	switch k {
	case keyVersion:
		h.Version = d.positive(m)
	case keyRunID:
		h.RunID = d.word(m, &d.facts.run)
	case keySeq:
		h.Seq = d.positive(m)
	}
}
