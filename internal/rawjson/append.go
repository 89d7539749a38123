// Package rawjson appends JSON values to byte slices and scans them strictly,
// without reflection. It is the part of encoding that runs on the hot path of
// other people's agents, and of checking that runs over gigabytes.
package rawjson

import (
	"math/bits"
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
	start := 0 // of what is not yet appended
	for i := plainRun(s, 0); i < len(s); i = plainRun(s, i) {
		r, size := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[i:])
			if !needsEscape(r, size) {
				i += size
				continue
			}
		}
		b = appendEscape(append(b, s[start:i]...), r)
		i += size
		start = i
	}
	return append(append(b, s[start:]...), '"')
}

// plainRun returns the offset of the first byte from i on that may not stand for
// itself. It looks at eight bytes at a time.
func plainRun(s string, i int) int {
	for ; i+8 <= len(s); i += 8 {
		t := s[i : i+8]
		w := uint64(t[0]) | uint64(t[1])<<8 | uint64(t[2])<<16 | uint64(t[3])<<24 |
			uint64(t[4])<<32 | uint64(t[5])<<40 | uint64(t[6])<<48 | uint64(t[7])<<56
		if hit := special(w) | (w+eachByte)&highBits; hit != 0 { // the sum finds DEL
			return i + bits.TrailingZeros64(hit)/8
		}
	}
	for i < len(s) && plain[s[i]] {
		i++
	}
	return i
}

// needsEscape tells of a rune beyond ASCII whether it is written as \uXXXX.
func needsEscape(r rune, size int) bool {
	return r < 0xa0 || r == '\u2028' || r == '\u2029' || (r == utf8.RuneError && size == 1)
}

func appendEscape(b []byte, r rune) []byte {
	switch r {
	case '"', '\\':
		return append(b, '\\', byte(r))
	case '\n':
		return append(b, '\\', 'n')
	case '\r':
		return append(b, '\\', 'r')
	case '\t':
		return append(b, '\\', 't')
	default:
		return append(b, '\\', 'u', hexDigits[r>>12&15], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
	}
}

// AppendInt appends n in decimal digits.
func AppendInt(b []byte, n int64) []byte { return strconv.AppendInt(b, n, 10) }

// AppendBool appends true or false.
func AppendBool(b []byte, v bool) []byte { return strconv.AppendBool(b, v) }
