package trace

import (
	"hash/maphash"
	"math/bits"

	"github.com/clipspan/clipspan/internal/rawjson"
)

// content is a hash of the line's record apart from seq: the same for records
// that differ only in the order of keys, in white space, in how strings are
// escaped, or in nulls (RECORDS, Verdict of a run: a record that stands twice).
func (d *decoder) content(seeds *seeds) (sum uint64) {
	for i, k := range d.keys {
		m := &d.scan.Members[i]
		if k == keySeq || m.Kind == rawjson.Null {
			continue
		}
		name := uint64(k)
		if k == keyNone {
			name = maphash.Bytes(seeds[0], d.keyText(m))
		}
		hi, lo := bits.Mul64(d.valueHash(m, seeds)^name*0x9e3779b97f4a7c15, 0xd6e8feb86659fd93)
		sum += hi ^ lo
	}
	return sum
}

func (d *decoder) valueHash(m *rawjson.Member, seeds *seeds) uint64 {
	switch m.Kind {
	case rawjson.Object, rawjson.Array:
		from := len(d.unesc)
		d.unesc = rawjson.AppendCompact(d.unesc, d.line[m.From:m.To])
		return maphash.Bytes(seeds[1], d.unesc[from:])
	case rawjson.String, rawjson.Escaped:
		return maphash.Bytes(seeds[0], d.inside(m))
	default:
		return maphash.Bytes(seeds[1], d.line[m.From:m.To])
	}
}
