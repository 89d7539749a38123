package rawjson

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"unicode/utf8"

	"github.com/clipspan/clipspan/internal/lowerhex"
)

// MaxDepth is how deep arrays and objects may be nested. Deep nesting has killed
// other readers' processes.
const MaxDepth = 100

// Errors of a [Scanner] besides [*SyntaxError].
var (
	ErrEnd       = errors.New("unexpected end of input")
	ErrUTF8      = errors.New("invalid UTF-8")
	ErrNotObject = errors.New("not an object")
)

// SyntaxError says where a text is not JSON.
type SyntaxError struct {
	Offset int // from 0, in bytes
	Msg    string
}

// Error implements error.
func (e *SyntaxError) Error() string { return fmt.Sprintf("%s at byte %d", e.Msg, e.Offset+1) }

// Kind is the type of a JSON value.
type Kind uint8

// The kinds of values.
const (
	Invalid Kind = iota
	String
	Number
	Bool
	Null
	Object
	Array
)

// kinds tells the kind of a value by its first byte.
var kinds = func() (t [256]Kind) {
	t['"'], t['{'], t['['], t['n'] = String, Object, Array, Null
	t['t'], t['f'], t['-'] = Bool, Bool, Number
	for c := '0'; c <= '9'; c++ {
		t[c] = Number
	}
	return t
}()

// Scanner reads one JSON text (RFC 8259, UTF-8) in one pass, strictly: whoever
// reads a text to its end has checked it. A method that reads a value must be
// called where one stands: behind a true Element or Key, or at the beginning.
// After an error nothing more is read; Err says what it was. Duplicate keys are
// the caller's to find. A Scanner allocates nothing but to unescape.
type Scanner struct {
	text  []byte
	pos   int
	depth int
	first bool // of a container nothing was read yet
	err   error
	unesc []byte // strings with escapes, unescaped
}

// Reset begins a new text. Strings that were read before are no longer valid.
func (s *Scanner) Reset(text []byte) {
	s.text, s.pos, s.depth, s.first, s.err, s.unesc = text, 0, 0, false, nil, s.unesc[:0]
	s.space()
}

// Err is the first error.
func (s *Scanner) Err() error { return s.err }

// Pos is the offset of what is read next.
func (s *Scanner) Pos() int { return s.pos }

// End checks that nothing but white space is left and returns Err.
func (s *Scanner) End() error {
	if s.space(); s.err == nil && s.pos < len(s.text) {
		s.unexpected()
	}
	return s.err
}

// Peek is the kind of the value that is read next.
func (s *Scanner) Peek() Kind {
	if s.pos < len(s.text) {
		return kinds[s.text[s.pos]]
	}
	return Invalid
}

// Enter begins to read an object or an array, which must stand there.
func (s *Scanner) Enter() {
	if s.depth++; s.depth > MaxDepth {
		s.fail("nested too deep")
		return
	}
	s.pos++
	s.first = true
}

// Key reads the name of an object's next member and stops at its value. It
// returns false at the end of the object. Known is the name's number among names,
// or 0. The name is valid until Reset.
func (s *Scanner) Key(names *Names) (known int, name []byte, more bool) {
	// Nearly all members look like this, and there are many.
	if text, i := s.text, s.pos; !s.first && i+2 < len(text) && text[i] == ',' {
		if i++; text[i] == ' ' {
			i++
		}
		if text[i] == '"' {
			i++
			known, name = names.find(text[i:])
			i += len(name)
			if known > 0 && i+3 < len(text) && text[i+1] == ':' {
				if i += 2; text[i] == ' ' {
					i++
				}
				if text[i] > ' ' {
					s.pos = i
					return known, name, true
				}
			}
		}
	}
	if name, more = s.anyKey(); more {
		known = names.of(name)
	}
	return known, name, more
}

// anyKey reads a name among any white space, with escapes, or finds what is wrong.
func (s *Scanner) anyKey() (name []byte, more bool) {
	if !s.next('}') {
		return nil, false
	}
	if s.Peek() != String {
		s.unexpected()
		return nil, false
	}
	name = s.Text()
	if s.space(); s.pos >= len(s.text) || s.text[s.pos] != ':' {
		s.unexpected()
		return nil, false
	}
	s.pos++
	return name, s.value()
}

// value goes to the value that must stand there, and reports whether any does.
func (s *Scanner) value() bool {
	if s.space(); s.pos >= len(s.text) {
		s.unexpected()
	}
	return s.err == nil
}

// Element stops at an array's next element. It returns false at its end.
func (s *Scanner) Element() bool { return s.next(']') }

// next goes to what follows in a container, or behind its end.
func (s *Scanner) next(end byte) bool {
	s.space()
	first := s.first
	s.first = false
	switch {
	case s.err != nil:
	case s.pos >= len(s.text):
		s.unexpected()
	case s.text[s.pos] == end:
		s.pos++
		s.depth--
	case first:
		return true
	case s.text[s.pos] == ',':
		s.pos++
		return s.value()
	default:
		s.unexpected()
	}
	return false
}

// Skip reads any value.
func (s *Scanner) Skip() Kind {
	kind := s.Peek()
	switch kind {
	case String:
		s.skipString()
	case Number:
		s.number()
	case Bool, Null:
		s.word()
	case Object:
		s.Enter()
		for {
			if _, more := s.anyKey(); !more {
				break
			}
			s.Skip()
		}
	case Array:
		s.Enter()
		for s.Element() {
			s.Skip()
		}
	default:
		s.unexpected()
	}
	return kind
}

// Text reads a string. It is valid until Reset.
func (s *Scanner) Text() []byte {
	from := s.pos + 1
	i := plainEnd(s.text, from)
	if i < len(s.text) && s.text[i] == '"' {
		s.pos = i + 1
		return s.text[from:i]
	}
	inside, escaped := s.insideRest(from, i)
	if !escaped {
		return inside
	}
	from = len(s.unesc)
	s.unesc = AppendUnescaped(s.unesc, inside)
	return s.unesc[from:]
}

// Is reads a string if it stands there as text, unescaped. If another value does,
// it reads nothing and returns false.
func (s *Scanner) Is(text string) bool {
	from := s.pos + 1
	to := from + len(text)
	if to >= len(s.text) || s.text[to] != '"' || s.text[from-1] != '"' || string(s.text[from:to]) != text {
		return false
	}
	s.pos = to + 1
	return true
}

// Hex reads a string of as many lower-case hex digits as fill sum. If another
// value stands there it reads nothing and returns false.
func (s *Scanner) Hex(sum []byte) bool {
	from := s.pos + 1
	to := from + 2*len(sum)
	if to >= len(s.text) || s.text[to] != '"' || !lowerhex.Decode(sum, s.text[from:to]) {
		return false
	}
	s.pos = to + 1
	return true
}

// Bool reads true or false.
func (s *Scanner) Bool() bool {
	v := s.Peek() == Bool && s.text[s.pos] == 't'
	s.word()
	return v
}

// Count reads a number, and whether it is an integer from 0 to 2^63-1 without
// fraction and exponent.
func (s *Scanner) Count() (n int64, ok bool) {
	from := s.pos
	i := from
	for i < len(s.text) && i < from+18 { // what can't overflow
		d := s.text[i] - '0'
		if d > 9 {
			break
		}
		n = n*10 + int64(d)
		i++
	}
	if i < len(s.text) && i > from && s.text[from] != '0' && endsNumber[s.text[i]] {
		s.pos = i
		return n, true
	}
	integer := s.number()
	if !integer || s.err != nil {
		return 0, false
	}
	return ParseInt(s.text[from:s.pos])
}

// endsNumber has the bytes that may follow a number.
var endsNumber = func() (t [256]bool) {
	for _, c := range " \t\r\n,]}" {
		t[c] = true
	}
	return t
}()

const (
	eachByte = 0x0101010101010101
	highBits = 0x80 * eachByte
)

// special marks the high bit of the first byte of w that can't stand for itself
// in a string: a quote, a backslash or a control character, or that is beyond
// ASCII. Bits above that one mean nothing.
func special(w uint64) uint64 {
	quote := w ^ '"'*eachByte
	slash := w ^ '\\'*eachByte
	return ((quote - eachByte) | (slash - eachByte) | (w - ' '*eachByte) | w) & highBits
}

// plainEnd returns the offset of the first byte from i on that is special.
func plainEnd(text []byte, i int) int {
	for ; i+8 <= len(text); i += 8 {
		if hit := special(binary.LittleEndian.Uint64(text[i:])); hit != 0 {
			return i + bits.TrailingZeros64(hit)/8
		}
	}
	for i < len(text) && plain[text[i]] {
		i++
	}
	return i
}

// skipString reads a string.
func (s *Scanner) skipString() {
	from := s.pos + 1
	s.insideRest(from, plainEnd(s.text, from))
}

// insideRest reads the rest of a string whose inside begins at offset from and is
// plain up to i. It returns the inside, and whether there are escapes.
func (s *Scanner) insideRest(from, i int) (inside []byte, escaped bool) {
	beyondASCII := false
	for ; i < len(s.text); i = plainEnd(s.text, i) {
		switch c := s.text[i]; {
		case c == '"':
			inside = s.text[from:i]
			s.pos = i + 1
			if beyondASCII && !utf8.Valid(inside) {
				s.err = ErrUTF8
			}
			return inside, escaped
		case c == '\\':
			escaped = true
			s.pos = i + 1
			if s.escape(); s.err != nil {
				return nil, false
			}
			i = s.pos
		case c < ' ':
			s.pos = i
			s.fail(fmt.Sprintf("control character %#02x in a string", c))
			return nil, false
		default:
			beyondASCII = beyondASCII || c >= utf8.RuneSelf
			i++
		}
	}
	s.endInString(s.text[from:])
	return nil, false
}

// endInString is the end of the text inside a string. A rune that breaks off
// with the text is part of that, any other invalid UTF-8 is not.
func (s *Scanner) endInString(inside []byte) {
	for n := 1; n < utf8.UTFMax && n <= len(inside); n++ {
		if tail := inside[len(inside)-n:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRune(tail) {
				inside = inside[:len(inside)-n]
			}
			break
		}
	}
	s.pos = len(s.text)
	s.err = ErrEnd
	if !utf8.Valid(inside) {
		s.err = ErrUTF8
	}
}

// escape reads what follows a backslash.
func (s *Scanner) escape() {
	if s.pos >= len(s.text) {
		s.unexpected()
		return
	}
	c := s.text[s.pos]
	s.pos++
	switch c {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return
	case 'u':
		for range 4 {
			if s.pos >= len(s.text) {
				s.unexpected()
				return
			}
			if hexValue(s.text[s.pos]) < 0 {
				s.fail("invalid escape")
				return
			}
			s.pos++
		}
	default:
		s.pos--
		s.fail("invalid escape")
	}
}

// number reads a number by the grammar of RFC 8259 and reports whether it has
// neither fraction nor exponent.
func (s *Scanner) number() (integer bool) {
	s.accept('-')
	if !s.accept('0') {
		s.digits()
	}
	integer = true
	if s.accept('.') {
		integer = false
		s.digits()
	}
	if s.accept('e') || s.accept('E') {
		integer = false
		if !s.accept('+') {
			s.accept('-')
		}
		s.digits()
	}
	return integer
}

// accept reads c if it stands there.
func (s *Scanner) accept(c byte) bool {
	if s.err == nil && s.pos < len(s.text) && s.text[s.pos] == c {
		s.pos++
		return true
	}
	return false
}

// digits reads one digit or more.
func (s *Scanner) digits() {
	from := s.pos
	for s.pos < len(s.text) && s.text[s.pos]-'0' <= 9 {
		s.pos++
	}
	if s.pos == from && s.err == nil {
		s.unexpected()
	}
}

// word reads true, false or null.
func (s *Scanner) word() {
	word := "true"
	switch s.text[s.pos] {
	case 'f':
		word = "false"
	case 'n':
		word = "null"
	}
	for i := range len(word) {
		if !s.accept(word[i]) {
			s.unexpected()
			return
		}
	}
}

// space reads white space.
func (s *Scanner) space() {
	for s.pos < len(s.text) && s.text[s.pos] <= ' ' && isSpace[s.text[s.pos]] {
		s.pos++
	}
}

var isSpace = [256]bool{' ': true, '\t': true, '\r': true, '\n': true}

// unexpected is the error for what stands there, or for its absence.
func (s *Scanner) unexpected() {
	switch {
	case s.err != nil:
	case s.pos >= len(s.text):
		s.err = ErrEnd
	default:
		s.fail(fmt.Sprintf("unexpected character %q", rune(s.text[s.pos])))
	}
}

func (s *Scanner) fail(msg string) {
	if s.err == nil {
		s.err = &SyntaxError{Offset: s.pos, Msg: msg}
	}
}
