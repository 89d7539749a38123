package bpe

import (
	"bytes"
	"compress/gzip"
	"hash/maphash"
	"io"
	"math/bits"
)

// longestToken is the size of the longest token of both vocabularies.
const longestToken = 128

// none is no token.
const none = ^uint32(0)

// vocabulary is the tokens, by their ids. A token's id is its rank too: of two
// neighbours in a text, those are merged first that make the token of the lowest
// rank. It is immutable.
type vocabulary struct {
	text   string   // all tokens, one behind the other
	starts []uint32 // of a token in text, and the end of the last

	seed  maphash.Seed
	slots []uint64 // of tokens by their hashes: its upper half, and one more than the id

	trie     trie
	shorter  []uint32    // the longest token that a token begins with
	segments [][2]uint32 // the two that a token was merged of; twice itself for a byte
}

// loadVocabulary reads the size of each token in a byte, and then its bytes, in the
// order of the ids.
func loadVocabulary(compressed []byte) *vocabulary {
	v := &vocabulary{seed: maphash.MakeSeed()}
	v.read(compressed)
	v.index()
	v.link()
	v.undo()
	return v
}

func (v *vocabulary) read(compressed []byte) {
	r, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		panic("bpe: the embedded vocabulary: " + err.Error())
	}
	data, err := io.ReadAll(r)
	if err != nil {
		panic("bpe: the embedded vocabulary: " + err.Error())
	}
	text := make([]byte, 0, len(data))
	for len(data) > 0 {
		size := int(data[0])
		v.starts = append(v.starts, uint32(len(text)))
		text = append(text, data[1:1+size]...)
		data = data[1+size:]
	}
	v.starts = append(v.starts, uint32(len(text)))
	v.text = string(text)
}

func (v *vocabulary) len() uint32 { return uint32(len(v.starts) - 1) }

func (v *vocabulary) token(id uint32) string { return v.text[v.starts[id]:v.starts[id+1]] }

func (v *vocabulary) size(id uint32) int { return int(v.starts[id+1] - v.starts[id]) }

func (v *vocabulary) sizeOf(ids []uint32) (size int) {
	for _, id := range ids {
		size += v.size(id)
	}
	return size
}

// index puts every token into a slot by its hash, or into the next that is free.
func (v *vocabulary) index() {
	v.slots = make([]uint64, 1<<bits.Len32(2*v.len()))
	for id := range v.len() {
		hash := maphash.String(v.seed, v.token(id))
		at := v.slot(hash)
		for v.slots[at] != 0 {
			at = v.after(at)
		}
		v.slots[at] = hash&^(1<<32-1) | uint64(id+1)
	}
}

func (v *vocabulary) slot(hash uint64) int { return int(hash & uint64(len(v.slots)-1)) }

func (v *vocabulary) after(slot int) int { return (slot + 1) & (len(v.slots) - 1) }

// find is the token that is text, or none.
func (v *vocabulary) find(text string) uint32 {
	if len(text) > longestToken {
		return none
	}
	hash := maphash.String(v.seed, text)
	for at := v.slot(hash); v.slots[at] != 0; at = v.after(at) {
		if v.slots[at]>>32 != hash>>32 {
			continue
		}
		if id := uint32(v.slots[at]) - 1; v.token(id) == text {
			return id
		}
	}
	return none
}

// link makes the trie, and finds what each token begins with.
func (v *vocabulary) link() {
	v.trie = newTrie(len(v.text) / 2) // more nodes than there are: most tokens begin like others
	v.shorter = make([]uint32, v.len())
	for id := range v.len() {
		v.trie.add(v.token(id), id)
	}
	for id := range v.len() {
		token := v.token(id)
		v.shorter[id], _ = v.trie.longest(token[:len(token)-1])
	}
}

// undo finds of which two tokens each was merged: those that are neighbours without
// it, as all tokens of a lower rank leave them.
func (v *vocabulary) undo() {
	v.segments = make([][2]uint32, v.len())
	for id := range v.len() {
		v.segments[id] = [2]uint32{id, id}
		token := v.token(id)
		for left := v.shorter[id]; left != none; left = v.shorter[left] {
			at := v.size(left)
			right := v.find(token[at:])
			if left < id && right < id && v.neighbours(token, at, left, right, id) {
				v.segments[id] = [2]uint32{left, right}
				break
			}
		}
	}
}

// neighbours reports whether two tokens that meet at a place of text stay apart when
// all tokens of a rank below limit have been merged. It undoes the merges that made
// them, the last first, and looks at each pair that met there: had it made a token
// of a lower rank than the merge that was undone, that would have come first. Of
// equal ranks, the one on the left comes first.
func (v *vocabulary) neighbours(text string, at int, left, right, limit uint32) bool {
	for {
		both := v.find(text[at-v.size(left) : at+v.size(right)])
		if both < limit {
			return false
		}
		l, r := v.segments[left], v.segments[right]
		switch {
		case left > right && l[1] != left:
			limit, left = left, l[1]
		case r[0] != right:
			limit, right = right+1, r[0]
		case l[1] != left:
			limit, left = left, l[1]
		default:
			return true
		}
	}
}
