package rawjson

import (
	"unicode/utf16"
	"unicode/utf8"
)

// AppendUnescaped appends what the inside of a JSON string stands for. The
// string must have passed a [Scanner]. A lone surrogate becomes U+FFFD.
func AppendUnescaped(b, inside []byte) []byte {
	for i := 0; i < len(inside); i++ {
		if inside[i] != '\\' {
			b = append(b, inside[i])
			continue
		}
		i++
		switch c := inside[i]; c {
		case 'b':
			b = append(b, '\b')
		case 'f':
			b = append(b, '\f')
		case 'n':
			b = append(b, '\n')
		case 'r':
			b = append(b, '\r')
		case 't':
			b = append(b, '\t')
		case 'u':
			r := hexRune(inside[i+1:])
			i += 4
			if utf16.IsSurrogate(r) {
				pair := utf8.RuneError
				if i+6 < len(inside) && inside[i+1] == '\\' && inside[i+2] == 'u' {
					pair = utf16.DecodeRune(r, hexRune(inside[i+3:]))
				}
				if r = pair; r != utf8.RuneError {
					i += 6
				}
			}
			b = utf8.AppendRune(b, r)
		default: // quote, backslash, slash
			b = append(b, c)
		}
	}
	return b
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
