package rawjson

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

const (
	blockSize = 64
	eachByte  = 0x0101010101010101
	highBits  = 0x80 * eachByte
)

// marks has one bit for every byte of a text that can't stand for itself inside
// a string: quotes, backslashes and control characters. Finding the ends of all
// strings at once, eight bytes at a time and without a branch, is what makes
// strict reading fast.
type marks struct {
	bits     []uint64 // the byte behind the text is marked, too
	from, to int      // where the bytes beyond ASCII stand, in whole blocks; 0, 0 = none
}

func (m *marks) set(text []byte) {
	n := len(text)/blockSize + 1
	m.bits = slices.Grow(m.bits[:0], n)[:n]
	m.from, m.to = 0, 0
	for i := range n - 1 {
		m.block(i, (*[blockSize]byte)(text[i*blockSize:]))
	}
	var last [blockSize]byte // the zeros behind the text are control characters
	copy(last[:], text[(n-1)*blockSize:])
	m.block(n-1, &last)
	m.to = min(m.to, len(text))
}

func (m *marks) block(i int, block *[blockSize]byte) {
	var set, seen uint64
	for n := 0; n < blockSize; n += 8 {
		w := binary.LittleEndian.Uint64(block[n:])
		seen |= w
		set |= special(w) << (n & (blockSize - 1))
	}
	m.bits[i] = set
	if seen&highBits != 0 {
		if m.to == 0 {
			m.from = i * blockSize
		}
		m.to = (i + 1) * blockSize
	}
}

// next returns the first offset from i on that is marked.
func (m *marks) next(i int) int {
	block := i / blockSize
	set := m.bits[block] >> (i % blockSize)
	if set != 0 {
		return i + bits.TrailingZeros64(set)
	}
	for {
		block++
		if set = m.bits[block]; set != 0 {
			return block*blockSize + bits.TrailingZeros64(set)
		}
	}
}

// special has bit n set if byte n of w is a quote, a backslash or a control
// character. The byte behind such a one may be marked, too: a borrow of the
// subtraction costs its reader one look, an exact test everybody half as much again.
func special(w uint64) uint64 {
	quote := w ^ '"'*eachByte
	slash := w ^ '\\'*eachByte
	marked := ((quote - eachByte) | (slash - eachByte) | (w - ' '*eachByte)) &^ w & highBits
	const gather = 0x0002040810204081 // brings the eight high bits together in the top byte
	return marked * gather >> 56
}
