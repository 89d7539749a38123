package clipspan

import (
	"strings"

	"github.com/clipspan/clipspan/internal/lowerhex"
)

// minPrefixDigits is how many hex digits a short hash needs before it may stand
// for a longer one: the seed wrote 16 (RECORDS, Verdict of one span).
const minPrefixDigits = 16

// Hash is a SHA-256 of raw bytes as it stands in a record: 64 lower-case hex
// digits, or "hmac-sha256:KEYID:" and 64 digits when the emitter has a key. The
// zero value is absent. Compare hashes with [Hash.Equal], never with ==: traces
// by others hold shortened and upper-case ones.
type Hash struct {
	sum   [32]byte // valid if text is empty and set
	keyID string   // key of an HMAC, or "" for a plain hash
	text  string   // anything that is not in canonical form, verbatim
	set   bool
}

const hmacPrefix = "hmac-sha256:"

// ParseHash reads a hash as it stands in a record. Every text is accepted and
// kept: whether it proves anything is for [Classify] to say.
func ParseHash(text string) Hash {
	if text == "" {
		return Hash{}
	}
	if h, ok := parseCanonical(text); ok {
		return h
	}
	return Hash{text: text, set: true}
}

func parseCanonical[T string | []byte](text T) (h Hash, ok bool) {
	h.set = true
	digits := text
	if len(text) != 2*len(h.sum) {
		id := len(text) - 2*len(h.sum) - 1 // where the key's id ends
		if id <= len(hmacPrefix) || string(text[:len(hmacPrefix)]) != hmacPrefix || text[id] != ':' {
			return Hash{}, false
		}
		h.keyID, digits = string(text[len(hmacPrefix):id]), text[id+1:]
	}
	return h, lowerhex.Decode(h.sum[:], digits)
}

// NewHash is the hash with this SHA-256 sum, made without a key.
func NewHash(sum [32]byte) Hash { return Hash{sum: sum, set: true} }

// IsZero reports whether there is no hash.
func (h Hash) IsZero() bool { return !h.set }

// String is the hash as it stands in a record, or "" if there is none.
func (h Hash) String() string {
	if !h.set || h.text != "" {
		return h.text
	}
	return string(h.append(nil))
}

// Sum returns the 32 bytes of a hash in canonical form, and false for any other.
func (h Hash) Sum() (sum [32]byte, ok bool) { return h.sum, h.set && h.text == "" }

// UnmarshalText implements [encoding.TextUnmarshaler]: it is [ParseHash] of
// bytes, and does not keep them.
func (h *Hash) UnmarshalText(text []byte) error {
	if parsed, ok := parseCanonical(text); ok {
		*h = parsed
		return nil
	}
	*h = ParseHash(string(text))
	return nil
}

// MarshalText implements [encoding.TextMarshaler].
func (h Hash) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

func (h *Hash) append(b []byte) []byte {
	if !h.set || h.text != "" {
		return append(b, h.text...)
	}
	if h.keyID != "" {
		b = append(append(append(b, hmacPrefix...), h.keyID...), ':')
	}
	return lowerhex.Append(b, h.sum[:])
}

// Scheme names how the hash was made: "" for plain SHA-256, else all that stands
// before the last colon. Hashes of different schemes can't be compared.
func (h Hash) Scheme() string {
	if h.text != "" {
		if i := strings.LastIndexByte(h.text, ':'); i >= 0 {
			return h.text[:i]
		}
		return ""
	}
	if h.keyID != "" {
		return hmacPrefix + h.keyID
	}
	return ""
}

// SameScheme reports whether h and other can be compared.
func (h Hash) SameScheme(other Hash) bool { return sameScheme(&h, &other) }

func sameScheme(a, b *Hash) bool {
	if a.text == "" && b.text == "" {
		return a.keyID == b.keyID
	}
	return a.Scheme() == b.Scheme()
}

// Equal reports whether both hashes are present, of one scheme, and the same:
// letter case aside, and with one of 16 hex digits or more standing for a longer
// one that begins with it (RECORDS, Verdict of one span).
func (h Hash) Equal(other Hash) bool { return equalHashes(&h, &other) }

func equalHashes(a, b *Hash) bool {
	switch {
	case !a.set || !b.set || !sameScheme(a, b):
		return false
	case a.text == "" && b.text == "":
		return a.sum == b.sum
	default:
		return equalDigits(a.digits(), b.digits())
	}
}

func equalDigits(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) < len(b) && (len(a) < minPrefixDigits || !isHex(a)) {
		return false
	}
	return strings.EqualFold(a, b[:len(a)])
}

func (h Hash) digits() string {
	text := h.String()
	return text[strings.LastIndexByte(text, ':')+1:]
}

func isHex(s string) bool { return strings.Trim(s, "0123456789abcdefABCDEF") == "" }
