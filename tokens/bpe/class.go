package bpe

import (
	"sync"
	"unicode"
	"unicode/utf8"
)

// class says what a rune can be for a splitter.
type class uint8

const (
	letter    class = 1 << iota // \p{L}
	number                      // \p{N}
	space                       // \s
	newline                     // [\r\n]
	wordBegin                   // [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]
	wordEnd                     // [\p{Ll}\p{Lm}\p{Lo}\p{M}]
)

// is reports whether a rune is of one of the classes.
func (c class) is(any class) bool { return c&any != 0 }

// classAt is the class and the size of the rune at a place of text. At the end of it
// there is no class.
func classAt(text string, at int) (c class, size int) {
	if at >= len(text) {
		return 0, 0
	}
	if b := text[at]; b < utf8.RuneSelf {
		return classes[b], 1
	}
	r, size := utf8.DecodeRuneInString(text[at:])
	if int(r) < len(classes) {
		return classes[r], size
	}
	return classOf(r), size
}

// classes are those of the runes that most texts are made of, the Basic Multilingual
// Plane, once they are loaded.
var classes [1 << 16]class

var loadClasses = sync.OnceFunc(func() {
	for r := range rune(len(classes)) {
		classes[r] = classOf(r)
	}
})

func classOf(r rune) (c class) {
	switch {
	case unicode.In(r, unicode.Lu, unicode.Lt):
		c = letter | wordBegin
	case unicode.Is(unicode.Ll, r):
		c = letter | wordEnd
	case unicode.In(r, unicode.Lm, unicode.Lo):
		c = letter | wordBegin | wordEnd
	case unicode.Is(unicode.M, r):
		c = wordBegin | wordEnd
	case unicode.Is(unicode.N, r):
		c = number
	case unicode.IsSpace(r):
		c = space
	}
	if r == '\r' || r == '\n' {
		c |= newline
	}
	return c
}
