package trace

// word is a text of which many records have the same, such as the name of a
// tool. The zero word is the empty text.
type word uint32

// wordTable holds every text once.
type wordTable struct {
	texts []string
	words map[string]word
}

func newWordTable() *wordTable {
	return &wordTable{texts: []string{""}, words: map[string]word{"": 0}}
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
	t.words[text] = w
	return w
}

func (t *wordTable) text(w word) string { return t.texts[w] }

// reset forgets all words.
func (t *wordTable) reset() {
	clear(t.words)
	t.words[""] = 0
	clear(t.texts[1:])
	t.texts = t.texts[:1]
}
