package rawjson

import (
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"
)

// MaxDepth is how deep arrays and objects may be nested. Deep nesting has killed
// other readers' processes.
const MaxDepth = 100

// Errors of [Scanner] besides [*SyntaxError].
var (
	ErrEnd       = errors.New("unexpected end of input")
	ErrUTF8      = errors.New("invalid UTF-8")
	ErrNotObject = errors.New("not an object")
	ErrNotArray  = errors.New("not an array")
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

// The kinds of values. Strings and numbers are told apart by how much work it
// is to read them.
const (
	Invalid Kind = iota
	String       // without escapes: the bytes between its quotes are its text
	Escaped      // a string with escapes, for [AppendUnescaped]
	Int          // a number without fraction and exponent
	Number       // any other number
	True
	False
	Null
	Object
	Array
)

// Member is a member of an object or an element of an array, as offsets into
// the scanned text.
type Member struct {
	KeyFrom, KeyTo int // the key between its quotes
	From, To       int // the value, with its quotes if it is a string
	KeyEscaped     bool
	Kind           Kind
}

// Scanner checks JSON texts (RFC 8259, UTF-8) and finds the members of the
// outermost object, in one pass. It allocates nothing once Members has grown.
// Duplicate keys are its caller's to find.
type Scanner struct {
	Members []Member // of the last text; overwritten by the next
	text    []byte
	marks   marks
	err     error
}

// Object scans a text that must be one object. The error is [ErrNotObject] if it
// is another JSON value, [ErrEnd] if it is the beginning of a JSON text.
func (s *Scanner) Object(text []byte) error {
	kind, err := s.scan(text)
	if err == nil && kind != Object {
		return ErrNotObject
	}
	return err
}

// Array scans a text that must be one array, as [Scanner.Object] does.
func (s *Scanner) Array(text []byte) error {
	kind, err := s.scan(text)
	if err == nil && kind != Array {
		return ErrNotArray
	}
	return err
}

func (s *Scanner) scan(text []byte) (Kind, error) {
	s.Members, s.text, s.err = s.Members[:0], text, nil
	s.marks.set(text)
	if !s.validUTF8() {
		return Invalid, ErrUTF8
	}
	i, kind := s.value(space(text, 0), 1)
	if i < 0 {
		return kind, s.err
	}
	if i = space(text, i); i < len(text) {
		s.unexpected(i)
		return kind, s.err
	}
	return kind, nil
}

// validUTF8 reports whether the text is UTF-8. A rune that breaks off with the
// text is not held against it: that is the end of input.
func (s *Scanner) validUTF8() bool {
	beyond := s.text[s.marks.from:s.marks.to]
	if utf8.Valid(beyond) {
		return true
	}
	for n := 1; n < utf8.UTFMax && n <= len(beyond); n++ {
		if tail := beyond[len(beyond)-n:]; utf8.RuneStart(tail[0]) {
			return s.marks.to == len(s.text) && !utf8.FullRune(tail) && utf8.Valid(beyond[:len(beyond)-n])
		}
	}
	return false
}

// The functions below take an offset and return the one behind what they
// scanned, or -1 with s.err set.

// value scans any value. The members of containers at depth 1 are kept.
func (s *Scanner) value(i, depth int) (int, Kind) {
	if i >= len(s.text) {
		return s.unexpected(i), Invalid
	}
	switch c := s.text[i]; c {
	case '"':
		return s.str(i + 1)
	case '{':
		return s.object(i+1, depth), Object
	case '[':
		return s.array(i+1, depth), Array
	case 't':
		return s.word(i, "true"), True
	case 'f':
		return s.word(i, "false"), False
	case 'n':
		return s.word(i, "null"), Null
	default:
		return s.number(i)
	}
}

// grow adds a member to be filled in, which need not be zero.
func (s *Scanner) grow() *Member {
	n := len(s.Members)
	if n == cap(s.Members) {
		s.Members = slices.Grow(s.Members, n+32)
	}
	s.Members = s.Members[:n+1]
	return &s.Members[n]
}

// object scans what follows a brace.
func (s *Scanner) object(i, depth int) int {
	if depth > MaxDepth {
		return s.fail(i, "nested too deep")
	}
	text := s.text
	if i = space(text, i); i < len(text) && text[i] == '}' {
		return i + 1
	}
	var keyKind, kind Kind
	for {
		if i >= len(text) || text[i] != '"' {
			return s.unexpected(i)
		}
		key := i + 1
		i, keyKind = s.str(key)
		if i < 0 {
			return i
		}
		keyEnd := i - 1
		if i = space(text, i); i >= len(text) || text[i] != ':' {
			return s.unexpected(i)
		}
		from := space(text, i+1)
		i, kind = s.value(from, depth+1)
		if i < 0 {
			return i
		}
		if depth == 1 {
			m := s.grow()
			m.KeyFrom, m.KeyTo, m.KeyEscaped = key, keyEnd, keyKind == Escaped
			m.From, m.To, m.Kind = from, i, kind
		}
		i = space(text, i)
		if i < len(text) && text[i] == '}' {
			return i + 1
		}
		if i >= len(text) || text[i] != ',' {
			return s.unexpected(i)
		}
		i = space(text, i+1)
	}
}

// array scans what follows a bracket.
func (s *Scanner) array(i, depth int) int {
	if depth > MaxDepth {
		return s.fail(i, "nested too deep")
	}
	text := s.text
	if i = space(text, i); i < len(text) && text[i] == ']' {
		return i + 1
	}
	var kind Kind
	for {
		from := i
		i, kind = s.value(from, depth+1)
		if i < 0 {
			return i
		}
		if depth == 1 {
			*s.grow() = Member{From: from, To: i, Kind: kind}
		}
		i = space(text, i)
		if i < len(text) && text[i] == ']' {
			return i + 1
		}
		if i >= len(text) || text[i] != ',' {
			return s.unexpected(i)
		}
		i = space(text, i+1)
	}
}

// str scans what follows an opening quote.
func (s *Scanner) str(i int) (int, Kind) {
	kind := String
	for {
		if i = s.marks.next(i); i >= len(s.text) {
			return s.unexpected(i), Invalid
		}
		switch c := s.text[i]; {
		case c == '"':
			return i + 1, kind
		case c == '\\':
			kind = Escaped
			if i = s.escape(i + 1); i < 0 {
				return i, Invalid
			}
		case c < ' ':
			return s.fail(i, fmt.Sprintf("control character %#02x in a string", c)), Invalid
		default: // marked by a borrow only
			i++
		}
	}
}

// escape scans what follows a backslash.
func (s *Scanner) escape(i int) int {
	if i >= len(s.text) {
		return s.unexpected(i)
	}
	switch s.text[i] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 1
	case 'u':
		for n := 1; n <= 4; n++ {
			if i+n >= len(s.text) {
				return s.unexpected(i + n)
			}
			if hexValue(s.text[i+n]) < 0 {
				return s.fail(i+n, "invalid escape")
			}
		}
		return i + 5
	default:
		return s.fail(i, "invalid escape")
	}
}

// number scans a number by the grammar of RFC 8259.
func (s *Scanner) number(i int) (int, Kind) {
	text := s.text
	if text[i] == '-' {
		i++
	}
	if i < len(text) && text[i] == '0' {
		i++
	} else if i = s.digits(i); i < 0 {
		return i, Invalid
	}
	kind := Int
	if i < len(text) && text[i] == '.' {
		kind = Number
		if i = s.digits(i + 1); i < 0 {
			return i, Invalid
		}
	}
	if i < len(text) && text[i]|0x20 == 'e' {
		kind = Number
		i++
		if i < len(text) && (text[i] == '+' || text[i] == '-') {
			i++
		}
		if i = s.digits(i); i < 0 {
			return i, Invalid
		}
	}
	return i, kind
}

// digits scans one digit or more.
func (s *Scanner) digits(i int) int {
	start := i
	for i < len(s.text) && s.text[i]-'0' <= 9 {
		i++
	}
	if i == start {
		return s.unexpected(i)
	}
	return i
}

// word scans one of the three names of JSON.
func (s *Scanner) word(i int, word string) int {
	for n := range len(word) {
		if i+n >= len(s.text) || s.text[i+n] != word[n] {
			return s.unexpected(i + n)
		}
	}
	return i + len(word)
}

// unexpected is the error for what stands at offset i, or for its absence.
func (s *Scanner) unexpected(i int) int {
	if i >= len(s.text) {
		s.err = ErrEnd
		return -1
	}
	return s.fail(i, fmt.Sprintf("unexpected character %q", rune(s.text[i])))
}

func (s *Scanner) fail(i int, msg string) int {
	s.err = &SyntaxError{Offset: i, Msg: msg}
	return -1
}

// space returns the offset of the first byte from i on that is no white space.
func space(text []byte, i int) int {
	for i < len(text) && text[i] <= ' ' && (text[i] == ' ' || text[i] == '\n' || text[i] == '\r' || text[i] == '\t') {
		i++
	}
	return i
}
