package rawjson

import (
	"encoding/binary"
	"strings"
)

// Names is a fixed set of member names. A [Scanner] finds one by its first eight
// bytes, without looking for its end first.
type Names struct {
	names []string
	table [256]uint8 // by hash: a name's number, 0 = none
}

// NewNames returns a set of up to 200 names, which need no escaping. Their
// numbers are their places, from 1.
func NewNames(names ...string) *Names {
	n := &Names{names: append([]string{""}, names...)}
	for i, name := range names {
		var quoted [8]byte
		copy(quoted[:], name+`"`)
		at := beginningHash(quoted[:])
		for n.table[at] != 0 {
			at++
		}
		n.table[at] = uint8(i + 1)
	}
	return n
}

// beginningHash hashes eight bytes, or those of them up to a quote.
func beginningHash(text []byte) uint8 {
	w := binary.LittleEndian.Uint64(text)
	quote := w ^ '"'*eachByte
	hit := (quote - eachByte) &^ quote & highBits
	w &= hit&-hit - 1 // all of it if there is no hit
	return uint8(w * 0x9e3779b97f4a7c15 >> 56)
}

// find returns the name that stands at the beginning of text and before a quote.
func (n *Names) find(text []byte) (number int, name []byte) {
	if len(text) < 8 {
		return 0, nil
	}
	for at := beginningHash(text); ; at++ {
		i := n.table[at]
		if i == 0 {
			return 0, nil
		}
		name := n.names[i]
		if len(name) < len(text) && text[len(name)] == '"' && string(text[:len(name)]) == name {
			return int(i), text[:len(name)]
		}
	}
}

// of is the number of a name.
func (n *Names) of(name []byte) int {
	for i, known := range n.names {
		if i > 0 && known == string(name) {
			return i
		}
	}
	return 0
}

// Fold returns the number of the name that text differs from only in letter
// case, or 0, as encoding/json compares keys: two letters beyond ASCII are the
// same as ASCII ones.
func (n *Names) Fold(text []byte) int {
	for _, c := range text {
		if 'A' <= c && c <= 'Z' || c >= 0x80 {
			lower := strings.ToLower(string(text))
			return n.of([]byte(strings.NewReplacer("ſ", "s", "\u212a", "k").Replace(lower)))
		}
	}
	return 0
}
