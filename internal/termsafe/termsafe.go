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
	start, prev := 0, rune(0)
	for i := 0; i < len(s); {
		r, size := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[i:])
		}
		broken := r == utf8.RuneError && size == 1
		if broken || !Shown(prev, r) {
			b = append(b, s[start:i]...)
			if broken {
				r = rune(s[i])
			}
			b = appendEscape(b, r)
			start = i + size
		}
		i += size
		prev = r
	}
	return append(b, s[start:]...)
}

// Clean reports whether s can be shown as it is.
func Clean(s string) bool {
	prev := rune(0)
	for i := 0; i < len(s); {
		r, size := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[i:])
		}
		if r == utf8.RuneError && size == 1 || !Shown(prev, r) {
			return false
		}
		i += size
		prev = r
	}
	return true
}

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

// appendEscape writes r in the notation of Go. A byte that is no UTF-8 and the
// control character of the same number look alike, as both are no text.
func appendEscape(b []byte, r rune) []byte {
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
