package builder

import (
	"context"
	"crypto/sha256"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/clipspan/clipspan"
)

// OmitBinary lets text pass, and puts in the place of every other part one line
// with its media type, its size in bytes and the beginning of its hash:
//
//	[image/png, 14396 bytes, sha256 9f86d081884c7d65, left out]
//
// A part that came as bytes and is text by its media type is injected as text. The
// reason is [clipspan.ReasonBinaryOmitted].
func OmitBinary(options ...BinaryOption) Stage {
	s := &omitBinary{}
	for _, o := range options {
		o(s)
	}
	return s
}

// BinaryOption says which parts pass besides text.
type BinaryOption func(*omitBinary)

// KeepImages lets images pass, for a model that sees.
func KeepImages() BinaryOption { return func(s *omitBinary) { s.images = true } }

type omitBinary struct{ images bool }

func (s *omitBinary) String() string {
	if s.images {
		return "omit_binary(keep images)"
	}
	return "omit_binary"
}

func (s *omitBinary) phase() phase { return omitting }

func (s *omitBinary) apply(_ context.Context, d *draft) (fired bool, err error) {
	before := d.size()
	segments := make([]segment, 0, len(d.split()))
	asText := false
	for _, g := range d.split() {
		media, _, _ := strings.Cut(d.base[g.part].MediaType, ";")
		switch media = strings.ToLower(strings.TrimSpace(media)); {
		case g.data == nil:
		case isText(media) && utf8.Valid(g.data):
			g.text, g.data, asText = string(g.data), nil, true
		case s.images && strings.HasPrefix(media, "image/"):
		default:
			g = segment{part: g.part, text: leftOut(media, g.data), own: true}
			fired = true
		}
		segments = append(segments, g)
	}
	switch {
	case fired:
		d.change(s, clipspan.ReasonBinaryOmitted, before, segments)
	case asText: // the same bytes: nothing to declare
		d.segments, d.text = segments, textOf(segments)
	}
	return fired, nil
}

// isText reports whether a media type is one of text, by RFC 6838 and the
// structured suffixes of RFC 6839.
func isText(media string) bool {
	switch media {
	case "application/json", "application/xml", "application/yaml", "application/toml", "application/javascript",
		"application/x-yaml", "application/x-sh", "application/x-ndjson", "application/jsonl", "application/sql":
		return true
	}
	return strings.HasPrefix(media, "text/") || strings.HasSuffix(media, "+json") ||
		strings.HasSuffix(media, "+xml") || strings.HasSuffix(media, "+yaml")
}

// leftOut is the line that stands for some bytes.
func leftOut(media string, data []byte) string {
	if media == "" {
		media = "unknown type"
	}
	sum := sha256.Sum256(data)
	return fmt.Sprintf("[%s, %d bytes, sha256 %x, left out]", clean(media), len(data), sum[:8])
}
