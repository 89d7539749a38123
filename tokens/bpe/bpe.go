// Package bpe counts tokens exactly, with the vocabularies of OpenAI's models.
//
// The vocabularies are embedded, as package tiktoken publishes them (LICENSE-tiktoken).
// They make a program one and a half megabytes larger, and the first use of an encoding
// takes a fraction of a second. Special tokens such as <|endoftext|> are read as the
// plain text that they are in a tool's result.
package bpe

import (
	"context"
	_ "embed"
	"sync"
	"unicode/utf8"

	"github.com/clipspan/clipspan"
)

var (
	//go:embed o200k_base.gz
	o200kBase []byte
	//go:embed cl100k_base.gz
	cl100kBase []byte
)

var (
	loadO200k  = sync.OnceValue(func() *Encoding { return load("o200k_base", nextO200k, o200kBase) })
	loadCL100k = sync.OnceValue(func() *Encoding { return load("cl100k_base", nextCL100k, cl100kBase) })
)

func load(name string, split splitter, compressed []byte) *Encoding {
	loadClasses()
	return &Encoding{name: name, split: split, vocabulary: loadVocabulary(compressed)}
}

// O200kBase is the encoding of GPT-4o and the models after it.
func O200kBase() *Encoding { return loadO200k() }

// CL100kBase is the encoding of GPT-4, GPT-3.5 and the embedding models of their time.
func CL100kBase() *Encoding { return loadCL100k() }

// Encoding makes tokens of text. It is a [clipspan.TokenCounter], and cuts texts for
// package builder. It is immutable and safe for concurrent use. The time it takes
// grows with the text's size only, whatever the text is. A byte that is no UTF-8
// counts as U+FFFD, which is what reaches a model in JSON.
type Encoding struct {
	name       string
	split      splitter
	vocabulary *vocabulary
}

// splitter is the size of the piece that text, which is not empty, begins with.
// Tokens don't cross pieces.
type splitter func(text string) int

// CountTokens is the number of tokens of text. It allocates nothing if the text is
// valid UTF-8, and never fails.
func (e *Encoding) CountTokens(_ context.Context, text string) (int64, error) {
	return e.count(text), nil
}

// Source is "tokenizer:" with the encoding's name.
func (e *Encoding) Source() clipspan.TokenSource { return clipspan.TokenizerSource(e.name) }

func (e *Encoding) count(text string) (n int64) {
	m := mergers.Get().(*merger)
	defer mergers.Put(m)
	for text != "" {
		size := e.split(text)
		n += int64(len(m.encode(e.vocabulary, text[:size])))
		text = text[size:]
	}
	return n
}

// Encode is the ids of the tokens of text.
func (e *Encoding) Encode(text string) (ids []uint32) {
	m := mergers.Get().(*merger)
	defer mergers.Put(m)
	for text != "" {
		size := e.split(text)
		ids = append(ids, m.encode(e.vocabulary, text[:size])...)
		text = text[size:]
	}
	return ids
}

// Cut is the size in bytes of a beginning of text that by itself has at most n
// tokens, and no rune cut: that of the text's first n tokens, but for a rune that
// they end in the middle of. Its cost grows with n, not with the text.
func (e *Encoding) Cut(text string, n int64) int {
	if n <= 0 {
		return 0
	}
	if n < int64(len(text)/longestToken) {
		text = text[:n*longestToken] // so many tokens can't end in a rune that this cuts
	}
	text = text[:e.first(text, n)]
	for e.count(text) > n { // without its end a piece may fall into others
		_, size := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-size]
	}
	return len(text)
}

// first is the size of the whole runes in the first n tokens.
func (e *Encoding) first(text string, n int64) int {
	m := mergers.Get().(*merger)
	defer mergers.Put(m)
	at := 0
	for at < len(text) {
		size := e.split(text[at:])
		piece := text[at : at+size]
		ids := m.encode(e.vocabulary, piece)
		if int64(len(ids)) > n {
			return at + runesIn(piece, e.vocabulary.sizeOf(ids[:n]))
		}
		n -= int64(len(ids))
		at += size
	}
	return at
}

// runesIn is the size of the runes of text that take up at most size bytes where
// those that are no UTF-8 are replaced.
func runesIn(text string, size int) int {
	for i, r := range text {
		if size -= utf8.RuneLen(r); size < 0 {
			return i
		}
	}
	return len(text)
}
