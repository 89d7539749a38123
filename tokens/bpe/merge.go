package bpe

import (
	"sync"
	"unicode/utf8"
)

// merger makes the tokens of one piece after the other. It is used again, so that
// nothing is allocated.
type merger struct {
	ids  []uint32
	dead []uint64 // a bit for each place in a piece from where there is no way on
	text []byte   // of a piece that is no UTF-8
}

var mergers = sync.Pool{New: func() any {
	const usual = 4096 // bytes of a piece, and more tokens than it can have
	return &merger{ids: make([]uint32, 0, usual), dead: make([]uint64, 0, usual/64)}
}}

// encode is the tokens of a piece, valid until the next call.
func (m *merger) encode(v *vocabulary, piece string) []uint32 {
	if !utf8.ValidString(piece) {
		m.text = m.text[:0]
		for _, r := range piece {
			m.text = utf8.AppendRune(m.text, r)
		}
		piece = string(m.text)
	}
	m.ids = m.ids[:0]
	if id := v.find(piece); id != none {
		m.ids = append(m.ids, id)
	} else {
		m.merge(v, piece)
	}
	return m.ids
}

// merge makes the tokens that merging neighbours by their ranks would make, from the
// left: of each place the longest token first that stays apart from the one before,
// and where there is none, it goes a token back and takes a shorter one there. From
// a place without a way on it never starts again, so that the time is linear.
func (m *merger) merge(v *vocabulary, piece string) {
	m.dead = append(m.dead[:0], make([]uint64, len(piece)/64+1)...)
	at := 0
	id, _ := v.trie.longest(piece)
	for at < len(piece) {
		end := at + v.size(id)
		switch {
		case !m.isDead(end) && m.follows(v, piece, at, id):
			m.ids = append(m.ids, id)
			at = end
			id, _ = v.trie.longest(piece[at:])
		case v.shorter[id] != none:
			id = v.shorter[id]
		default:
			m.dead[at/64] |= 1 << (at % 64)
			id = m.ids[len(m.ids)-1]
			m.ids = m.ids[:len(m.ids)-1]
			at -= v.size(id)
		}
	}
}

func (m *merger) isDead(at int) bool { return m.dead[at/64]&(1<<(at%64)) != 0 }

// follows reports whether a token at a place stays apart from the one before.
func (m *merger) follows(v *vocabulary, piece string, at int, id uint32) bool {
	return len(m.ids) == 0 || v.neighbours(piece, at, m.ids[len(m.ids)-1], id, none)
}
