// Package rawjson appends JSON values to byte slices and scans them strictly,
// without reflection. It is the part of encoding that runs on the hot path of
// other people's agents, and of checking that runs over gigabytes.
package rawjson

import (
	"strconv"
	"unicode/utf8"
)

const hexDigits = "0123456789abcdef"

// plain tells which bytes stand for themselves inside a JSON string. DEL is not
// among them, so that a trace shown on a terminal can't hide anything.
var plain = func() (t [256]bool) {
	for c := 0x20; c < 0x7f; c++ {
		t[c] = c != '"' && c != '\\'
	}
	return t
}()

// AppendString appends s as a JSON string. Invalid UTF-8 becomes U+FFFD.
// Control characters are escaped, C1 and DEL included, and so are U+2028 and
// U+2029, which some readers take for line ends.
func AppendString(b []byte, s string) []byte {
	b = append(b, '"')
	start := 0
	for i := 0; i < len(s); {
		if plain[s[i]] {
			i++
			continue
		}
		if s[i] < utf8.RuneSelf {
			b = append(b, s[start:i]...)
			b = appendEscape(b, s[i])
			i++
			start = i
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if !needsEscape(r, size) {
			i += size
			continue
		}
		b = append(b, s[start:i]...)
		b = append(b, '\\', 'u', hexDigits[r>>12&15], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
		i += size
		start = i
	}
	return append(append(b, s[start:]...), '"')
}

// needsEscape tells of a rune beyond ASCII whether it is written as \uXXXX.
func needsEscape(r rune, size int) bool {
	return r < 0xa0 || r == '\u2028' || r == '\u2029' || (r == utf8.RuneError && size == 1)
}

func appendEscape(b []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(b, '\\', c)
	case '\n':
		return append(b, '\\', 'n')
	case '\r':
		return append(b, '\\', 'r')
	case '\t':
		return append(b, '\\', 't')
	default:
		return append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
	}
}

// AppendInt appends n in decimal digits.
func AppendInt(b []byte, n int64) []byte { return strconv.AppendInt(b, n, 10) }

// AppendBool appends true or false.
func AppendBool(b []byte, v bool) []byte { return strconv.AppendBool(b, v) }
