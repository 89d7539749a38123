package bpe

import "math/bits"

// trie finds the longest token at a place. Its edges stand in one table: a vocabulary
// has some hundred thousand.
type trie struct {
	slots []edge
	ids   []uint32 // of the token that ends at a node, or none
}

// edge leads from a node by a byte to another. The zero value is none, since nothing
// leads to the root.
type edge struct {
	key uint32 // node and byte
	to  uint32
}

// newTrie is one for at most so many nodes.
func newTrie(nodes int) trie {
	return trie{slots: make([]edge, 1<<bits.Len(uint(nodes))), ids: []uint32{none}}
}

// slot is the one of an edge, or the free one where it would stand.
func (t *trie) slot(key uint32) *edge {
	const golden = 0x9e3779b97f4a7c15 // 2^64 divided by the golden ratio: Fibonacci hashing
	mask := len(t.slots) - 1
	at := int(uint64(key) * golden >> (64 - bits.Len(uint(mask))))
	for t.slots[at].to != 0 && t.slots[at].key != key {
		at = (at + 1) & mask
	}
	return &t.slots[at]
}

func (t *trie) add(token string, id uint32) {
	node := uint32(0)
	for i := range len(token) {
		key := node<<8 | uint32(token[i])
		e := t.slot(key)
		if e.to == 0 {
			*e = edge{key, uint32(len(t.ids))}
			t.ids = append(t.ids, none)
		}
		node = e.to
	}
	t.ids[node] = id
}

// longest is the longest token that text begins with, and its size, or none.
func (t *trie) longest(text string) (id uint32, size int) {
	id = none
	node := uint32(0)
	for i := range len(text) {
		node = t.slot(node<<8 | uint32(text[i])).to
		if node == 0 {
			break
		}
		if t.ids[node] != none {
			id, size = t.ids[node], i+1
		}
	}
	return id, size
}
