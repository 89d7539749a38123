package bpe

import "strings"

// The splitters follow the expressions that come with the vocabularies, alternative
// by alternative, and look at each rune a few times at most.

// nextO200k splits a piece off as o200k_base does. Its words are
//
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//
// A mark is a sign that may lead a word, and may be in one: both are tried.
func nextO200k(text string) int {
	first, size := classAt(text, 0)
	lead := 0
	if !first.is(newline | letter | number) {
		lead = size
	}
	for _, word := range []func(string, int) int{loweredWord, raisedWord} {
		end := word(text, lead)
		if end == 0 && lead > 0 && first.is(wordBegin) {
			end = word(text, 0)
		}
		if end > 0 {
			return end + contraction(text[end:])
		}
	}
	return nextOther(text, "\r\n/")
}

// loweredWord is the end of what begins like a word, as far as it ends like one; 0
// if it doesn't.
func loweredWord(text string, at int) (end int) {
	c, size := classAt(text, at)
	for c.is(wordBegin) {
		at += size
		if c.is(wordEnd) {
			end = at
		}
		c, size = classAt(text, at)
	}
	if c.is(wordEnd) {
		return runEnd(text, at, wordEnd)
	}
	return end
}

// raisedWord is the end of what begins like a word and may end like one; 0 if it
// doesn't begin so.
func raisedWord(text string, at int) int {
	end := runEnd(text, at, wordBegin)
	if end == at {
		return 0
	}
	return runEnd(text, end, wordEnd)
}

// nextCL100k splits a piece off as cl100k_base does. Its words are
//
//	(?i:'s|'t|'re|'ve|'m|'ll|'d)
//	[^\r\n\p{L}\p{N}]?\p{L}+
func nextCL100k(text string) int {
	if size := contraction(text); size > 0 {
		return size
	}
	first, size := classAt(text, 0)
	if first.is(newline | letter | number) {
		size = 0
	}
	if end := runEnd(text, size, letter); end > size {
		return end
	}
	return nextOther(text, "\r\n")
}

// nextOther splits off what is no word, in either encoding; behind signs, these
// endings belong to them:
//
//	\p{N}{1,3}
//	 ?[^\s\p{L}\p{N}]+[\r\n/]*
//	\s*[\r\n]+
//	\s+(?!\S)
//	\s+
func nextOther(text, endings string) int {
	if first, _ := classAt(text, 0); first.is(number) {
		return digits(text)
	}
	from := 0
	if text[0] == ' ' {
		from = 1
	}
	if end := signsEnd(text, from); end > from {
		return len(text) - len(strings.TrimLeft(text[end:], endings))
	}
	return spaces(text)
}

// digits is the size of up to three digits.
func digits(text string) (end int) {
	for range 3 {
		c, size := classAt(text, end)
		if !c.is(number) {
			break
		}
		end += size
	}
	return end
}

func signsEnd(text string, at int) int {
	for at < len(text) {
		c, size := classAt(text, at)
		if c.is(space | letter | number) {
			break
		}
		at += size
	}
	return at
}

// spaces is the size of white space up to its last line end, or else up to the last
// of it, which belongs to what follows.
func spaces(text string) int {
	end, last, lines := 0, 0, 0
	for end < len(text) {
		c, size := classAt(text, end)
		if !c.is(space) {
			break
		}
		last = end
		end += size
		if c.is(newline) {
			lines = end
		}
	}
	switch {
	case lines > 0:
		return lines
	case end < len(text) && last > 0:
		return last
	}
	return end
}

// contraction is the size of the 's, 't, 're, 've, 'm, 'll or 'd that text begins
// with, or 0. The long s is a case of s.
func contraction(text string) int {
	if len(text) < 2 || text[0] != '\'' {
		return 0
	}
	switch second := text[1] | 0x20; {
	case second == 's', second == 't', second == 'm', second == 'd':
		return 2
	case strings.HasPrefix(text[1:], "ſ"):
		return 1 + len("ſ")
	case len(text) > 2:
		switch string([]byte{second, text[2] | 0x20}) {
		case "re", "ve", "ll":
			return 3
		}
	}
	return 0
}

// runEnd is the end of the runes of a class at a place.
func runEnd(text string, at int, class class) int {
	for {
		c, size := classAt(text, at)
		if !c.is(class) {
			return at
		}
		at += size
	}
}
