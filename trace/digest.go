package trace

import (
	"encoding/binary"
	"encoding/hex"
	"hash/maphash"
	"strings"

	"github.com/clipspan/clipspan"
)

// digest is the part of a hash that comparing needs: its first 16 bytes, enough
// to compare by and still beyond anybody's power to forge.
type digest struct {
	hi, lo uint64
	digits uint8 // hex digits in hi and lo, at most 32; 0 = absent
}

const (
	digestDigits = 32
	noDigits     = 255 // digits of a text that is no hex: hi and lo are a hash of it
	// prefixDigits is how many digits a short hash needs to stand for a longer
	// one (RECORDS, Verdict of one span).
	prefixDigits = 16
)

// digest is what is compared of h, whose scheme is compared apart.
func (s *seeds) digest(h clipspan.Hash) digest {
	if h.IsZero() {
		return digest{}
	}
	if sum, ok := h.Sum(); ok {
		return digest{binary.BigEndian.Uint64(sum[:8]), binary.BigEndian.Uint64(sum[8:16]), digestDigits}
	}
	text := strings.ToLower(h.String())
	text = text[strings.LastIndexByte(text, ':')+1:]
	digits := min(len(text), digestDigits)
	padded := text[:digits] + strings.Repeat("0", digestDigits-digits)
	b, err := hex.DecodeString(padded)
	if err != nil || digits == 0 {
		return digest{maphash.String(s[0], text), maphash.String(s[1], text), noDigits}
	}
	return digest{binary.BigEndian.Uint64(b[:8]), binary.BigEndian.Uint64(b[8:]), uint8(digits)}
}

// equal compares two digests that are present and of one scheme.
func (d digest) equal(other digest) bool {
	if d.digits == other.digits {
		return d == other
	}
	short, long := d, other
	if short.digits > long.digits {
		short, long = long, short
	}
	if short.digits < prefixDigits || long.digits == noDigits {
		return false
	}
	mask := ^uint64(0) << (4 * (digestDigits - uint(short.digits))) // of lo; hi is whole
	return short.hi == long.hi && short.lo == long.lo&mask
}
