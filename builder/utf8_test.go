package builder_test

import (
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"

	"github.com/clipspan/clipspan/builder"
	"github.com/clipspan/clipspan/clipspantest"
)

func TestATextOfAnotherEncodingBecomesUTF8(t *testing.T) {
	utf16 := unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
	for _, c := range []struct {
		name       string
		from       encoding.Encoding
		text, want string
	}{
		{"UTF-8 stays", charmap.Windows1252, "Größe 5 €", "Größe 5 €"},
		{"Windows-1252", charmap.Windows1252, "Gr\xf6\xdfe 5 \x80", "Größe 5 €"},
		{"Shift JIS", japanese.ShiftJIS, "\x93\xfa\x96\x7b", "日本"},
		{"GB 18030", simplifiedchinese.GB18030, "\xba\xba", "汉"},
		{"ISO-2022-JP, which is ASCII to look at", japanese.ISO2022JP, "\x1b$BF|K\\\x1b(B", "日本"},
		{"UTF-16", utf16, "a\x00\xe9\x00", "aé"},
		{"UTF-16 of ASCII, which is UTF-8 with zero bytes to look at", utf16, "a\x00b\x00", "ab"},
		{"a byte order mark says it better", charmap.Windows1252, "\xfe\xff\x00a\x00\xe9", "aé"},
		{"a byte order mark without an encoding", nil, "\xff\xfea\x00\xe9\x00", "aé"},
		{"a byte that the encoding does not know", charmap.Windows1253, "a\xaab", "a\ufffdb"},
		{"invalid bytes are shown", nil, "a\xffb\x80", "a\ufffdb\ufffd"},
		{"a rune that breaks off", nil, "a\xf0\x9f", "a\ufffd"},
		{"nothing", charmap.Windows1252, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := build(t, c.text, builder.ToUTF8(c.from))
			assert.Equal(t, c.want, in.Text)
			if c.text == c.want {
				assert.Nil(t, in.Rendered)
				return
			}
			require.NotNil(t, in.Rendered)
			assert.Equal(t, "utf-8/1", in.Rendered.ID)
		})
	}
}

func TestTheEncodingIsPartOfTheVersion(t *testing.T) {
	for want, stage := range map[string]builder.Stage{
		"to_utf8":                    builder.ToUTF8(nil),
		"to_utf8(windows-1252)":      builder.ToUTF8(charmap.Windows1252),
		"to_utf8(utf-16le)":          builder.ToUTF8(unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)),
		"to_utf8(IBM Code Page 437)": builder.ToUTF8(charmap.CodePage437),
	} {
		assert.Equal(t, want, stage.String())
	}
}

func TestToUTF8TellsTheTruth(t *testing.T) {
	clipspantest.RunBuilder(t, builder.Chain("v1", builder.ToUTF8(charmap.Windows1252), builder.MaxBytes(1000)), nil)
	clipspantest.RunBuilder(t, builder.Chain("v1", builder.ToUTF8(nil)), nil)
}

func FuzzToUTF8(f *testing.F) {
	encodings := []encoding.Encoding{
		nil, charmap.Windows1252, charmap.CodePage437, japanese.ShiftJIS, japanese.ISO2022JP, japanese.EUCJP, simplifiedchinese.GB18030,
		simplifiedchinese.HZGB2312, unicode.UTF16(unicode.BigEndian, unicode.UseBOM), unicode.UTF8, encoding.Replacement,
	}
	f.Add(uint8(1), "Gr\xf6\xdfe")
	f.Add(uint8(4), "\x1b$BF|K\\\x1b(B\xff")
	f.Add(uint8(8), "\xff\xfea\x00\xd8")
	f.Fuzz(func(t *testing.T, which uint8, text string) {
		in := build(t, text, builder.ToUTF8(encodings[int(which)%len(encodings)]))
		assert.True(t, utf8.ValidString(in.Text), "%q", in.Text)
	})
}
