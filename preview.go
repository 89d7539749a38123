package clipspan

import (
	"strings"
	"unicode/utf8"
)

// Preview is at most n leading bytes of text, cut on a rune boundary. Invalid
// UTF-8 is replaced by U+FFFD, and the result still is at most n bytes. It serves
// a byte cap of your own, too.
func Preview(text string, n int) string {
	if n <= 0 {
		return ""
	}
	cut := cutRune(text, n)
	if utf8.ValidString(cut) {
		return cut
	}
	return cutRune(strings.ToValidUTF8(cut, "\uFFFD"), n)
}

// cutRune cuts before a rune that would be split. Backing up is bounded: among
// stray continuation bytes there is no rune to save.
func cutRune(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for i := n; i > 0 && i > n-utf8.UTFMax; i-- {
		if utf8.RuneStart(text[i]) {
			return text[:i]
		}
	}
	return text[:n]
}
