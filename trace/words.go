package trace

import "hash/maphash"

// word is a text of which many records have the same, such as the name of a
// tool. The zero word is the empty text.
type word uint32

// wordTable holds every text once, with its hash.
type wordTable struct {
	seed   maphash.Seed
	texts  []string
	hashes []uint64
	words  map[string]word
}

func newWordTable(seed maphash.Seed) *wordTable {
	t := &wordTable{seed: seed, words: map[string]word{}}
	t.add("")
	return t
}

// of is the word for a text, which is copied if it is new.
func (t *wordTable) of(text []byte) word {
	if w, known := t.words[string(text)]; known {
		return w
	}
	return t.add(string(text))
}

// ofString is [wordTable.of] for a text that may be kept.
func (t *wordTable) ofString(text string) word {
	if text == "" {
		return 0
	}
	if w, known := t.words[text]; known {
		return w
	}
	return t.add(text)
}

func (t *wordTable) add(text string) word {
	w := word(len(t.texts))
	t.texts = append(t.texts, text)
	t.hashes = append(t.hashes, maphash.String(t.seed, text))
	t.words[text] = w
	return w
}

func (t *wordTable) text(w word) string { return t.texts[w] }

func (t *wordTable) hash(w word) uint64 { return t.hashes[w] }

// reset forgets all words.
func (t *wordTable) reset() {
	clear(t.words)
	clear(t.texts)
	t.texts, t.hashes = t.texts[:0], t.hashes[:0]
	t.add("")
}
