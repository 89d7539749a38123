package trace

import (
	"bytes"
	"hash/maphash"
	"math/bits"

	"github.com/clipspan/clipspan/internal/rawjson"
)

// addContent adds the member whose value begins at offset from to the hash of
// the record's content. Records have the same if they differ only in the order
// of keys, in white space, in how strings are escaped, or in nulls of ours
// (RECORDS, Verdict of a run: same span_id twice).
func (d *decoder) addContent(k key, from int) {
	value, name := d.value, uint64(k)
	if value == 0 {
		value = d.valueHash(d.line[from:d.scan.Pos()])
	}
	if k == keyNone {
		name = maphash.Bytes(d.seeds[0], d.name)
	}
	hi, lo := bits.Mul64(value^name*0x9e3779b97f4a7c15, 0xd6e8feb86659fd93)
	d.content += hi ^ lo
}

func (d *decoder) valueHash(raw []byte) uint64 {
	switch {
	case raw[0] == '{', raw[0] == '[':
		d.plain = rawjson.AppendCompact(d.plain[:0], raw)
		return maphash.Bytes(d.seeds[0], d.plain)
	case raw[0] == '"' && bytes.IndexByte(raw, '\\') >= 0:
		d.plain = rawjson.AppendUnescaped(d.plain[:0], raw[1:len(raw)-1])
		return maphash.Bytes(d.seeds[1], d.plain)
	case raw[0] == '"':
		return maphash.Bytes(d.seeds[1], raw[1:len(raw)-1])
	default:
		return maphash.Bytes(d.seeds[0], raw)
	}
}
