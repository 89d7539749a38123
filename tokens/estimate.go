// Package tokens says how many tokens a text costs.
//
// [Estimate] needs no vocabulary: it walks over the text once and adds up what
// its words, numbers, signs and line ends are likely to cost. It is made for
// deciding how much fits into a prompt and for telling sizes apart. No verdict
// rests on it.
package tokens

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/clipspan/clipspan"
)

// Estimate counts tokens of o200k_base by estimate. It is a
// [clipspan.TokenCounter]: hand it to [clipspan.NewEmitter] as it is.
var Estimate Estimator

// Estimator estimates how many tokens of o200k_base a text has. For prose in the
// larger languages, source code, logs and encoded data of a few hundred tokens
// and more it stays within 25 %, mostly within 10 %; a single line may be
// further off. It has no state and is safe for concurrent use.
type Estimator struct{}

// CountTokens estimates the tokens of text: 0 if it is empty, else from 1 to its
// length in bytes. It takes time in proportion to that length, allocates nothing,
// accepts text that is not valid UTF-8 and never fails.
func (Estimator) CountTokens(_ context.Context, text string) (int64, error) {
	tokens := (estimate(text) + tokenBits/2) / tokenBits
	return min(max(tokens, 1), int64(len(text))), nil
}

// Source is [clipspan.TokensEstimated].
func (Estimator) Source() clipspan.TokenSource { return clipspan.TokensEstimated }

// The tokenizer splits a text into pieces and looks for each in its vocabulary.
// A piece is a word with one sign or space before it, up to three digits, a run
// of signs with the line ends behind it, or white space up to a line end. A piece
// costs one token if the vocabulary has it. It has the usual words; the more a
// word surprises, the more tokens it falls into. Surprise is measured in bits,
// and costs are added up in bits as well, to have whole numbers.
//
// The constants here and in scripts.go were fitted to o200k_base's own counts of
// the texts in testdata/reference/fit, and of larger public ones that are not
// kept there: source trees, manuals, message catalogues and the Universal
// Declaration of Human Rights in thirty languages.
const (
	tokenBits = 16 // bits that make a token
	knownBits = 14 // bits by which a word may surprise and still be in the vocabulary

	capitalBits   = 2  // a second and further capital in a row, as in HTTP
	caseBits      = 8  // small letters after two capitals or more, as in HTTPServer or base64
	endBits       = 9  // an ending that is rare in English, the best known language
	unjoinedBits  = 5  // no space before the word: it is more often known with one
	afterTabBits  = 7  // a word after a tab, which is seldom joined to it
	afterSignBits = 6  // a word after a sign that it is not always joined to
	maxBlankBits  = 32 // the indentation of a blank line, a bit for each byte
	signBits      = 2  // each further change of sign in a run of signs, after the second

	sameRun = 4 // so many equal signs or letters are counted as a run of one
)

// estimate is the cost of text in bits.
func estimate(text string) (total int64) {
	joined := false // whether what is before text[i] belongs to the piece that begins there
	for i := 0; i < len(text); {
		var size int
		var bits int64
		rest := text[i:]
		switch c := rest[0]; {
		case isSpace(c):
			size, bits, joined = whitespace(rest)
			i, total = i+size, total+bits
			continue
		case c < utf8.RuneSelf && len(rest) >= sameRun && rest[1] == c && rest[2] == c && rest[3] == c:
			size, bits = repeated(rest)
		case isUpper(c) || isLower(c):
			size, bits = word(rest, joined)
		case isDigit(c):
			size, bits = digits(rest)
		case c >= utf8.RuneSelf:
			size, bits = foreign(rest, joined)
		case !joined && isSign(c) && len(rest) > 1 && beginsWord(rest[1:]):
			// One sign goes with the word behind it.
			if strings.IndexByte("_.(-'#", c) < 0 {
				total += afterSignBits
			}
			i, joined = i+1, true
			continue
		default:
			size, bits = signs(rest)
		}
		i, total, joined = i+size, total+bits, false
	}
	return total
}

// foreign is the size and the cost of what begins with a byte above ASCII.
func foreign(text string, joined bool) (size int, bits int64) {
	r, size := utf8.DecodeRuneInString(text)
	s := scriptOf(r)
	if s.letters {
		return word(text, joined)
	}
	// Lines and fills repeat one symbol; four of it often make a token.
	n := int64(1)
	for unit := text[:size]; strings.HasPrefix(text[size:], unit); n++ {
		size += len(unit)
	}
	if n >= sameRun && s.bits == tokenBits {
		n = (n + 3) / 4
	}
	return size, n * int64(s.bits)
}

// digits is the size and the cost of a number: three digits to a token.
func digits(text string) (size int, bits int64) {
	for size < len(text) && isDigit(text[size]) {
		size++
	}
	return size, run(size, digitsPerToken)
}

// signs is the size and the cost of a run of ASCII signs and the line ends behind
// it. A control character is a token of its own.
func signs(text string) (size int, bits int64) {
	changes := 0
	for size < len(text) && isSign(text[size]) {
		if size == 0 || text[size] != text[size-1] {
			changes++
		}
		size++
	}
	if size == 0 {
		return 1, tokenBits
	}
	return size + lineEnds(text[size:]), tokenBits + signBits*int64(max(0, changes-2))
}

func lineEnds(text string) (size int) {
	for size < len(text) && (text[size] == '\n' || text[size] == '\r') {
		size++
	}
	return size
}

// whitespace is the size and the cost of the white space that text begins with,
// and whether its last byte goes with the piece behind it. Up to the last line
// end it is one piece, the rest but for its last byte another.
func whitespace(text string) (size int, bits int64, joined bool) {
	lineEnds, blanks := 0, 0 // blanks: bytes after the last line end
	perToken := spacesPerToken
	for ; size < len(text) && isSpace(text[size]); size++ {
		switch text[size] {
		case '\n', '\r':
			if lineEnds > 0 {
				bits += int64(min(blanks, maxBlankBits)) // a blank line's indentation
			}
			lineEnds, blanks, perToken = lineEnds+1, 0, spacesPerToken
		case ' ':
			blanks++
		default:
			blanks, perToken = blanks+1, tabsPerToken
		}
	}
	bits += run(lineEnds, tabsPerToken)
	if blanks == 0 {
		return size, bits, false
	}
	if size == len(text) {
		return size, bits + run(blanks, perToken), false
	}
	bits += run(blanks-1, perToken)
	switch {
	case isDigit(text[size]):
		return size, bits + tokenBits, false
	case text[size-1] == ' ':
		return size, bits, true
	case beginsWord(text[size:]):
		return size, bits + afterTabBits, false
	default:
		return size, bits + tokenBits, false
	}
}

// How much of one kind makes a token: the longest runs in the vocabulary.
const (
	spacesPerToken = 100
	tabsPerToken   = 16 // line ends too
	digitsPerToken = 3
)

// run is the cost of n characters of one kind.
func run(n, perToken int) int64 {
	if n == 0 {
		return 0
	}
	return int64((n+perToken-1)/perToken) * tokenBits
}

// repeated is the size and the cost of a run of one ASCII character. The
// vocabulary has long runs of those that draw lines.
func repeated(text string) (size int, bits int64) {
	c := text[0]
	for size < len(text) && text[size] == c {
		size++
	}
	bits = run(size, runLength(c))
	if isSign(c) {
		size += lineEnds(text[size:])
	}
	return size, bits
}

// runLength is how many c in a row make a token, taken from the vocabulary.
func runLength(c byte) int {
	switch {
	case isDigit(c):
		return digitsPerToken
	case strings.IndexByte("#*-./=_", c) >= 0:
		return 64
	case strings.IndexByte("%+~", c) >= 0:
		return 32
	case strings.IndexByte("!:;X", c) >= 0:
		return 16
	case strings.IndexByte("<>?@AF^aflox", c) >= 0:
		return 8
	case strings.IndexByte("\"$'(),BCEILMOY\\bcdehikmrsvy|", c) >= 0:
		return 4
	case c > ' ' && c < 0x7f || c == 0:
		return 2
	default:
		return 1
	}
}

func beginsWord(text string) bool {
	if c := text[0]; c < utf8.RuneSelf {
		return isUpper(c) || isLower(c)
	}
	r, _ := utf8.DecodeRuneInString(text)
	return scriptOf(r).letters
}

func isUpper(c byte) bool { return c-'A' < 26 }
func isLower(c byte) bool { return c-'a' < 26 }
func isDigit(c byte) bool { return c-'0' < 10 }
func isSpace(c byte) bool { return c == ' ' || c-'\t' < 5 }

// isSign reports whether c is printable ASCII other than letters, digits and the space.
func isSign(c byte) bool {
	return c > ' ' && c < 0x7f && !isUpper(c) && !isLower(c) && !isDigit(c)
}
