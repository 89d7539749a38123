// Package termsafe shows text that others wrote, such as that of a trace, on
// terminals and in logs. What it returns can be seen and does nothing: no
// control sequence, no text direction, no invisible character, and no command to
// the service that collects the log.
package termsafe

import (
	"unicode"
	"unicode/utf8"
)

const hexDigits = "0123456789abcdef"

// String returns s with everything escaped that can't be shown, as \n, \x1b or
// \u202e. Bytes that are no UTF-8 become \xff. A backslash stands for itself,
// so that paths stay readable: the text is for people, not for decoding.
func String(s string) string {
	if Clean(s) {
		return s
	}
	return string(Append(make([]byte, 0, len(s)+16), s))
}

// Append appends what [String] returns.
func Append(b []byte, s string) []byte {
	for start := 0; ; {
		end, size := next(s, start)
		b = append(b, s[start:end]...)
		if size == 0 {
			return b
		}
		b = appendEscape(b, s[end:end+size])
		start = end + size
	}
}

// Clean reports whether s can be shown as it is.
func Clean(s string) bool {
	_, size := next(s, 0)
	return size == 0
}

// next finds the first rune of s from an offset on that can't be shown, and its
// size in bytes, which is 0 if there is none.
func next(s string, from int) (at, size int) {
	for i := from; i < len(s); i += size {
		size = 1
		if plain[s[i]] {
			continue
		}
		r, prev := rune(s[i]), rune(0)
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[i:])
		}
		if i > 0 {
			prev = rune(s[i-1])
		}
		if r == utf8.RuneError && size == 1 || !Shown(prev, r) {
			return i, size
		}
	}
	return len(s), 0
}

// plain tells which bytes can be shown wherever they stand.
var plain = func() (t [256]bool) {
	for c := byte(' '); c < 0x7f; c++ {
		t[c] = c != '#'
	}
	return t
}()

// Shown reports whether r can be shown as it is after prev. Letters, marks,
// numbers, punctuation, symbols and spaces can, unless they have no width. The
// second of two # can't: ##[ and ##vso[ anywhere in a line are commands to the
// services that run jobs.
func Shown(prev, r rune) bool {
	if r < utf8.RuneSelf {
		return r >= ' ' && r < 0x7f && (r != '#' || prev != '#')
	}
	return unicode.IsGraphic(r) && !unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// appendEscape writes one rune in the notation of Go. A byte that is no UTF-8 and
// the control character of the same number look alike, as both are no text.
func appendEscape(b []byte, text string) []byte {
	r, _ := utf8.DecodeRuneInString(text)
	if len(text) == 1 {
		r = rune(text[0])
	}
	switch {
	case r == '\n':
		return append(b, `\n`...)
	case r == '\r':
		return append(b, `\r`...)
	case r == '\t':
		return append(b, `\t`...)
	case r <= 0xff:
		return append(b, '\\', 'x', hexDigits[r>>4], hexDigits[r&15])
	case r <= 0xffff:
		return appendHex(append(b, `\u`...), r, 12)
	default:
		return appendHex(append(b, `\U`...), r, 28)
	}
}

func appendHex(b []byte, r rune, shift int) []byte {
	for ; shift >= 0; shift -= 4 {
		b = append(b, hexDigits[r>>shift&15])
	}
	return b
}
