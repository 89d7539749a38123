package builder

import (
	"math/bits"
	"slices"
	"strings"
)

// nameHints are what the names of secrets hold.
var nameHints = []string{"pass", "pwd", "secret", "token", "key"}

// secretNames are how the names of secrets end, without what stands between their
// words.
var secretNames = []string{
	"password", "passwd", "passphrase", "pwd", "secret", "token",
	"apikey", "accesskey", "secretkey", "privatekey", "accountkey", "authkey", "encryptionkey", "signingkey", "masterkey",
}

// openNames end like the names of secrets, and are none.
var openNames = []string{"pagetoken", "nexttoken", "continuationtoken", "synctoken", "maxtoken", "pertoken", "stoptoken", "eostoken", "bostoken", "padtoken"}

// findNamed finds the value in "name = value" around a part of the name.
func findNamed(text string, at int) (found []span, next int) {
	from, end := nameAround(text, at)
	if !isSecretName(text[from:end]) {
		return nil, end
	}
	value, ok := valueAfter(text, end)
	if !ok {
		return nil, max(end, value.from)
	}
	return []span{value}, value.to
}

// nameAround is the name that stands around a place: letters, digits and what joins
// words. Of its beginning, what tells is enough.
func nameAround(text string, at int) (from, end int) {
	const enough = 32
	from, end = at, at
	for from > max(at-enough, 0) && isNameByte(text[from-1]) {
		from--
	}
	for end < len(text) && isNameByte(text[end]) {
		end++
	}
	return from, end
}

func isNameByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-' || c == '.'
}

func isSecretName(name string) bool {
	const longest = 32 // that tells anything
	if len(name) > 2*longest {
		name = name[len(name)-2*longest:]
	}
	name = strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == '.' {
			return -1
		}
		return r
	}, strings.ToLower(name))
	endsLike := func(ending string) bool { return strings.HasSuffix(name, ending) }
	return slices.ContainsFunc(secretNames, endsLike) && !slices.ContainsFunc(openNames, endsLike)
}

// valueAfter finds the value of a name that ends at a place: behind a separator,
// quoted, or up to what can't belong to it. If that is not a secret, the range says
// only up to where it was looked for.
func valueAfter(text string, end int) (value span, ok bool) {
	nameQuote := quoteAt(text[end:])
	at := end + len(nameQuote)
	if strings.HasPrefix(text[at:], "]") { // env["NAME"]
		at++
	}
	sign := blankEnd(text, at)
	separator := separatorAt(text[sign:])
	if separator == "" {
		return span{from: sign}, false
	}
	behind := sign + len(separator)
	value.from = blankEnd(text, behind)
	if quote := quoteAt(text[value.from:]); quote != "" {
		from := value.from + len(quote)
		to, closed := quotedEnd(text, from, quote)
		if !closed {
			to = bareEnd(text, from)
		}
		command := mark(quote) == '`' && strings.ContainsAny(text[from:to], " \t") // in Markdown
		return span{from, to}, !command && !isStandIn(text[from:to])
	}
	value.to = bareEnd(text, value.from)
	spaced := at < sign || behind < value.from
	return value, nameQuote == "" && isBareSecret(text[value.from:value.to], separator, spaced)
}

// separatorAt is what stands between a name and its value at the beginning of text.
// A comparison is none.
func separatorAt(text string) string {
	for _, s := range []string{"==", "=>", ":=", "=", ":"} {
		if strings.HasPrefix(text, s) {
			if s == "==" {
				return ""
			}
			return s
		}
	}
	return ""
}

// quoteAt is the quote at the beginning of text, with the backslashes before it if
// all of it is the inside of another string.
func quoteAt(text string) string {
	n := 0
	for n < len(text) && text[n] == '\\' {
		n++
	}
	if n < len(text) && (text[n] == '"' || text[n] == '\'' || text[n] == '`') {
		return text[:n+1]
	}
	return ""
}

// mark is a quote without what stands before it.
func mark(quote string) byte { return quote[len(quote)-1] }

// quotedEnd is the end of what was opened by a quote: where it is closed, or where
// the string around it is. It is not looked for on another line, or far away.
func quotedEnd(text string, from int, quote string) (end int, closed bool) {
	const longest = 4096
	depth := bits.Len(uint(len(quote) - 1)) // of strings in strings
	slashes := 0
	for i := from; i < min(len(text), from+longest); i++ {
		switch text[i] {
		case '\\':
			slashes++
			continue
		case '\n', '\r':
			return 0, false
		case mark(quote):
			if closes(slashes, depth) {
				return i - min(slashes, len(quote)-1), true
			}
		}
		slashes = 0
	}
	return 0, false
}

// closes reports whether a quote behind backslashes ends a string at a depth of
// strings within strings, or one of those around it. Each string around doubles the
// backslashes of what it holds and adds one to its quotes.
func closes(slashes, depth int) bool {
	for range depth + 1 {
		if slashes%2 == 0 {
			return true
		}
		slashes /= 2
	}
	return false
}

// bareEnd is the end of a value without quotes.
func bareEnd(text string, from int) int {
	if n := strings.IndexAny(text[from:], " \t\r\n\"'`,;&<>|\\"); n >= 0 {
		return from + n
	}
	return len(text)
}

func blankEnd(text string, from int) int {
	for from < len(text) && (text[from] == ' ' || text[from] == '\t') {
		from++
	}
	return from
}

// isBareSecret tells a secret without quotes from a piece of code: a number, a type,
// or another variable.
func isBareSecret(value, separator string, spaced bool) bool {
	const shortest = 5 // of a number
	switch {
	case isStandIn(value), strings.ContainsAny(value, "()[]{}"):
		return false
	case strings.Trim(value, "0123456789.") == "":
		return len(value) >= shortest
	case strings.Trim(value, letters+"_.*?!") != "":
		return separator == "=" || separator == ":"
	case strings.Contains(value, "."), isSecretName(value):
		return false
	case separator == "=":
		return !spaced
	default:
		return separator == ":" && spaced && 'a' <= value[0] && value[0] <= 'z'
	}
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// words are values that say that there is none, or of what type it is.
var words = []string{
	"null", "none", "nil", "undefined", "true", "false", "yes", "no", "required", "optional", "redacted", "hidden",
	"string", "str", "text", "bytes", "byte", "int", "i32", "i64", "u32", "u64", "usize", "integer", "number", "bool", "boolean", "any", "object", "array", "password", "varchar", "char",
}

// isStandIn reports whether a value is none, or stands for one that is elsewhere:
// ${TOKEN}, $TOKEN, {{ token }}, <token>, %TOKEN%, ****, xxxx.
func isStandIn(value string) bool {
	value = strings.TrimSpace(value)
	if value == "" || strings.Trim(value, "*xX.-_•…") == "" || slices.Contains(words, strings.ToLower(value)) {
		return true
	}
	for _, around := range [][2]string{{"${", "}"}, {"{{", "}}"}, {"{", "}"}, {"<", ">"}, {"%", "%"}, {"[redacted:", "]"}, {"$(", ")"}} {
		if strings.HasPrefix(value, around[0]) && strings.HasSuffix(value, around[1]) && len(value) > len(around[0]) {
			return true
		}
	}
	return value[0] == '$' && strings.Trim(value[1:], letters+"_0123456789") == ""
}
