package trace

import (
	"encoding/binary"
	"encoding/hex"
	"hash/maphash"
	"math/bits"

	"github.com/clipspan/clipspan/internal/lowerhex"
)

// id is a span's id in 16 bytes: exactly, if it is a UUID in its usual form or a
// text of up to 15 bytes, else as a hash of 128 bits whose text is kept apart.
type id struct {
	hi, lo uint64
	form   idForm
}

type idForm uint8

const (
	idNone idForm = iota
	idShort
	idUUID
	idHashed
)

const uuidLength = 36

// seeds make the hashes of one checker. Nobody who writes a trace can know them.
type seeds [2]maphash.Seed

func newSeeds() seeds { return seeds{maphash.MakeSeed(), maphash.MakeSeed()} }

func (s *seeds) id(text []byte) id {
	var b [16]byte
	switch {
	case len(text) == 0:
		return id{}
	case len(text) < len(b):
		copy(b[:], text)
		b[len(b)-1] = byte(len(text))
		return idOf(b, idShort)
	case len(text) == uuidLength && parseUUID(&b, text):
		return idOf(b, idUUID)
	default:
		return id{maphash.Bytes(s[0], text), maphash.Bytes(s[1], text), idHashed}
	}
}

// mix is a hash of two numbers, of which one is to be secret.
func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a^0x9e3779b97f4a7c15, b^0xd6e8feb86659fd93)
	return hi ^ lo
}

// ref is the hash of an id that is only ever compared; 0 stands for none.
func (s *seeds) ref(text []byte) uint64 {
	if len(text) == 0 {
		return 0
	}
	return maphash.Bytes(s[0], text) | 1
}

func idOf(b [16]byte, form idForm) id {
	return id{binary.BigEndian.Uint64(b[:8]), binary.BigEndian.Uint64(b[8:]), form}
}

// text is the id as it was read, or "" if its text is kept apart.
func (i id) text() string {
	var b [16]byte
	binary.BigEndian.PutUint64(b[:8], i.hi)
	binary.BigEndian.PutUint64(b[8:], i.lo)
	switch i.form {
	case idShort:
		return string(b[:b[len(b)-1]])
	case idUUID:
		return formatUUID(b)
	default:
		return ""
	}
}

// hash spreads ids over a table. UUIDs of one run begin with the same bytes.
func (i id) hash(group uint32) uint64 {
	return (i.hi ^ i.lo*0x9e3779b97f4a7c15 ^ uint64(group)<<32) * 0xd6e8feb86659fd93
}

func parseUUID(b *[16]byte, text []byte) bool {
	if text[8] != '-' || text[13] != '-' || text[18] != '-' || text[23] != '-' {
		return false
	}
	var digits [32]byte
	copy(digits[:8], text)
	copy(digits[8:12], text[9:])
	copy(digits[12:16], text[14:])
	copy(digits[16:20], text[19:])
	copy(digits[20:], text[24:])
	return lowerhex.Decode(b[:], digits[:])
}

func formatUUID(b [16]byte) string {
	var text [uuidLength]byte
	hex.Encode(text[:8], b[:4])
	hex.Encode(text[9:13], b[4:6])
	hex.Encode(text[14:18], b[6:8])
	hex.Encode(text[19:23], b[8:10])
	hex.Encode(text[24:], b[10:])
	text[8], text[13], text[18], text[23] = '-', '-', '-', '-'
	return string(text[:])
}
