package rawjson

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// AppendUnescaped appends what the inside of a JSON string stands for. The
// string must have passed a [Scanner]. A lone surrogate becomes U+FFFD.
func AppendUnescaped(b, inside []byte) []byte {
	for {
		i := bytes.IndexByte(inside, '\\')
		if i < 0 {
			return append(b, inside...)
		}
		b = append(b, inside[:i]...)
		r, n := escaped(inside[i:])
		b = utf8.AppendRune(b, r)
		inside = inside[i+n:]
	}
}

// escaped is the rune that an escape at the beginning of text stands for, and how
// many bytes it takes.
func escaped(text []byte) (r rune, n int) {
	switch c := text[1]; c {
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	case 'u':
		r = hexRune(text[2:])
		if utf16.IsSurrogate(r) {
			return surrogates(r, text)
		}
		return r, 6
	default: // quote, backslash, slash
		return rune(c), 2
	}
}

// surrogates is the rune of a pair of escaped surrogates, the first of which is r.
func surrogates(r rune, text []byte) (rune, int) {
	if len(text) >= 12 && text[6] == '\\' && text[7] == 'u' {
		if pair := utf16.DecodeRune(r, hexRune(text[8:])); pair != utf8.RuneError {
			return pair, 12
		}
	}
	return utf8.RuneError, 6
}

func hexRune(digits []byte) (r rune) {
	for _, c := range digits[:4] {
		r = r<<4 | rune(hexValue(c))
	}
	return r
}

// hexValue is the value of a hex digit of either case, or negative.
func hexValue(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	default:
		return -1
	}
}

// ParseInt is the value of an [Int] and whether it lies within 0 to 2^63-1.
func ParseInt(digits []byte) (n int64, ok bool) {
	const limit = 1<<63 - 1
	for _, c := range digits {
		d := int64(c - '0')
		if c < '0' || n > (limit-d)/10 {
			return 0, false
		}
		n = n*10 + d
	}
	return n, true
}

// AppendCompact appends a JSON text that passed a [Scanner], without the white
// space between its parts.
func AppendCompact(b, text []byte) []byte {
	inString := false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case !inString && (c == ' ' || c == '\t' || c == '\r' || c == '\n'):
			continue
		case c == '"':
			inString = !inString
		case c == '\\':
			b = append(b, c)
			i++
			c = text[i]
		}
		b = append(b, c)
	}
	return b
}
