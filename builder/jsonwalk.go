package builder

import (
	"encoding/json"
	"iter"
	"strings"
	"unicode/utf8"
)

// jsonValue is the range of one value in a JSON text.
type jsonValue struct{ from, to int }

func (v jsonValue) size() int { return v.to - v.from }

// jsonItem is an element of an array, or a member of an object from its name on.
type jsonItem struct {
	from  int // of the name, or of the value
	value jsonValue
}

func (i jsonItem) size() int { return i.value.to - i.from }

// wholeJSON finds the value in a text that is one JSON value, with or without white
// space around it. The functions below take it for granted that a text is.
func wholeJSON(text string) (v jsonValue, ok bool) {
	if !json.Valid([]byte(text)) {
		return jsonValue{}, false
	}
	from := spaceEnd(text, 0)
	return jsonValue{from, valueEnd(text, from)}, true
}

// jsonItems walks over what an array or an object holds.
func jsonItems(text string, v jsonValue) iter.Seq[jsonItem] {
	return func(yield func(jsonItem) bool) {
		isObject := text[v.from] == '{'
		for at := spaceEnd(text, v.from+1); at < v.to-1; {
			item := jsonItem{from: at}
			if isObject {
				at = spaceEnd(text, stringEnd(text, at))
				at = spaceEnd(text, at+1) // the colon
			}
			item.value = jsonValue{at, valueEnd(text, at)}
			if !yield(item) {
				return
			}
			at = spaceEnd(text, item.value.to)
			if at < v.to-1 {
				at = spaceEnd(text, at+1) // the comma
			}
		}
	}
}

// valueEnd is where the value that begins at from ends. It does not recurse: a text
// may be nested thousands of levels deep.
func valueEnd(text string, from int) int {
	depth := 0
	for at := from; ; {
		switch text[at] {
		case '{', '[':
			depth++
			at++
		case '}', ']':
			depth--
			at++
		case ',', ':', ' ', '\t', '\n', '\r':
			at++
		case '"':
			at = stringEnd(text, at)
		default:
			at = wordEnd(text, at)
		}
		if depth == 0 {
			return at
		}
	}
}

// wordEnd is where a number, true, false or null ends.
func wordEnd(text string, from int) int {
	if n := strings.IndexAny(text[from:], ",]} \t\n\r"); n >= 0 {
		return from + n
	}
	return len(text)
}

// stringEnd is behind the closing quote of the string that begins at from.
func stringEnd(text string, from int) int {
	for at := from + 1; ; at++ {
		switch text[at] {
		case '\\':
			at++
		case '"':
			return at + 1
		}
	}
}

// characterSize is the size of the first character inside a string, in bytes as it
// is written. A pair of escaped surrogates is one character.
func characterSize(inside string) int {
	switch {
	case inside[0] != '\\':
		_, n := utf8.DecodeRuneInString(inside)
		return n
	case inside[1] != 'u':
		return len(`\n`)
	case isSurrogate(inside) && isHigh(inside) && strings.HasPrefix(inside[6:], `\u`) && isSurrogate(inside[6:]) && !isHigh(inside[6:]):
		return len(`\ud83d\ude00`)
	default:
		return len(`\u0000`)
	}
}

// isSurrogate reports whether an escape, such as \ud83d, is half of a pair.
func isSurrogate(escape string) bool { return escape[2]|0x20 == 'd' && escape[3] >= '8' }

// isHigh reports whether an escaped surrogate is the first of a pair.
func isHigh(escape string) bool { return strings.IndexByte("89abAB", escape[3]) >= 0 }

func spaceEnd(text string, from int) int {
	for from < len(text) && isSpace(text[from]) {
		from++
	}
	return from
}

// spaceStart is where the white space that ends before to begins.
func spaceStart(text string, to int) int {
	for to > 0 && isSpace(text[to-1]) {
		to--
	}
	return to
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
