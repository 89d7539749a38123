package builder

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// ToUTF8 is the renderer "utf-8/1". A text that is not UTF-8 is decoded from an
// encoding of golang.org/x/text, unless it begins with the byte order mark of
// UTF-8 or UTF-16. With nil, and where the encoding knows no character, U+FFFD
// shows that there was something. A text that is UTF-8 stays as it is, but for the
// encodings whose texts look like that: UTF-16 with its zero bytes and ISO-2022-JP
// with its escape sequences.
func ToUTF8(e encoding.Encoding) Stage {
	s := toUTF8{from: e}
	if e != nil {
		s.name = nameOf(e)
	}
	return s
}

type toUTF8 struct {
	from encoding.Encoding // nil for UTF-8 with mistakes
	name string
}

func (s toUTF8) String() string {
	if s.from == nil {
		return "to_utf8"
	}
	return "to_utf8(" + s.name + ")"
}

func (s toUTF8) phase() phase { return rendering }

func (s toUTF8) apply(_ context.Context, d *draft) (fired bool, err error) {
	fired = d.render("utf-8/1", func(text string) string {
		if err != nil || s.isUTF8(text) {
			return text
		}
		var decoded string
		if decoded, err = s.decode(text); err != nil {
			return text
		}
		return decoded
	})
	return fired, err
}

func (s toUTF8) isUTF8(text string) bool {
	switch {
	case strings.HasPrefix(s.name, "utf-16") && strings.IndexByte(text, 0) >= 0,
		s.name == "iso-2022-jp" && strings.Contains(text, "\x1b$"):
		return false
	default:
		return utf8.ValidString(text)
	}
}

func (s toUTF8) decode(text string) (string, error) {
	from := s.from
	if from == nil {
		from = unicode.UTF8
	}
	decoded, _, err := transform.String(unicode.BOMOverride(from.NewDecoder()), text)
	if err != nil {
		return "", fmt.Errorf("decoding %d bytes: %w", len(text), err)
	}
	return decoded, nil
}

// nameOf is the name of an encoding: the standard's, or the one that it gives itself.
func nameOf(e encoding.Encoding) string {
	if name, err := htmlindex.Name(e); err == nil {
		return name
	}
	return fmt.Sprint(e)
}
