// Package lowerhex reads and writes lower-case hex digits, eight at a time and
// without a branch: a span has more than a hundred of them.
package lowerhex

import (
	"encoding/binary"
	"slices"
)

const each = 0x0101010101010101

// Append appends the digits of src, whose length must be a multiple of four.
func Append(b, src []byte) []byte {
	n := len(b)
	b = slices.Grow(b, 2*len(src))[:n+2*len(src)]
	for digits := b[n:]; len(src) >= 4; digits, src = digits[8:], src[4:] {
		w := uint64(binary.LittleEndian.Uint32(src))
		w = (w | w<<16) & 0x0000ffff0000ffff
		w = (w | w<<8) & 0x00ff00ff00ff00ff
		w = (w>>4 | w<<8) & (0x0f * each)  // a digit in each byte
		letter := (w + 6*each) >> 4 & each // 1 for a to f
		w += '0'*each + letter*('a'-'0'-10)
		binary.LittleEndian.PutUint64(digits, w)
	}
	return b
}

// Decode sets dst, whose length must be a multiple of four, to the bytes that
// digits stand for. It reports whether they are digits, and twice as many.
func Decode[T string | []byte](dst []byte, digits T) bool {
	if len(digits) != 2*len(dst) {
		return false
	}
	for i := 0; i+4 <= len(dst); i += 4 {
		d := digits[2*i : 2*i+8]
		w := uint64(d[0]) | uint64(d[1])<<8 | uint64(d[2])<<16 | uint64(d[3])<<24 |
			uint64(d[4])<<32 | uint64(d[5])<<40 | uint64(d[6])<<48 | uint64(d[7])<<56
		// The high bit of each byte says whether it is 0 to 9, or a to f.
		decimal := (w + (0x80-'0')*each) &^ (w + (0x80-'9'-1)*each)
		letter := (w + (0x80-'a')*each) &^ (w + (0x80-'f'-1)*each)
		if (decimal|letter)&^w&(0x80*each) != 0x80*each {
			return false
		}
		w = w&(0x0f*each) + (w>>6&each)*9
		w = w<<4 | w>>8
		dst[i], dst[i+1], dst[i+2], dst[i+3] = byte(w), byte(w>>16), byte(w>>32), byte(w>>48)
	}
	return true
}
