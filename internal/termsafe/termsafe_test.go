package termsafe_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/clipspan/clipspan/internal/termsafe"
)

func TestWhatCanBeShownStaysAndWhatCannotIsEscaped(t *testing.T) {
	for name, c := range map[string]struct{ text, shown string }{
		"plain text stays":                               {"read_file", "read_file"},
		"letters of any script stay":                     {"édition 设置 設定 ملف", "édition 设置 設定 ملف"},
		"a Windows path stays":                           {`C:\x1\new`, `C:\x1\new`},
		"line ends and tabs":                             {"a\r\n\tb", `a\r\n\tb`},
		"an escape sequence that clears the screen":      {"\x1b[2J", `\x1b[2J`},
		"an OSC 52 that writes to the clipboard":         {"\x1b]52;c;cm0=\a", `\x1b]52;c;cm0=\x07`},
		"a C1 control as UTF-8":                          {"\u009b2J", `\x9b2J`},
		"a C1 control as a raw byte":                     {"\x9b2J", `\x9b2J`},
		"DEL":                                            {"\x7f", `\x7f`},
		"a right-to-left override":                       {"gpj.\u202eexe", `gpj.\u202eexe`},
		"a zero-width space":                             {"a\u200bb", `a\u200bb`},
		"a byte order mark":                              {"\ufeffa", `\ufeffa`},
		"tag characters, which are invisible":            {"\U000e0041", `\U000e0041`},
		"a variation selector, which is invisible":       {"a\ufe01", `a\ufe01`},
		"a Hangul filler, a letter of no width":          {"a\u3164b", `a\u3164b`},
		"line and paragraph separators":                  {"\u2028\u2029", `\u2028\u2029`},
		"invalid UTF-8":                                  {"a\xffb\xc3", `a\xffb\xc3`},
		"a surrogate half":                               {"\xed\xa0\x80", `\xed\xa0\x80`},
		"U+FFFD that stood in the text":                  {"a\ufffdb", "a\ufffdb"},
		"a command to the service that collects the log": {"##[add-mask]x ##vso[task.x]", `#\x23[add-mask]x #\x23vso[task.x]`},
		"one # is none":                                  {"# a #b", "# a #b"},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, c.shown, termsafe.String(c.text))
			assert.Equal(t, c.shown, string(termsafe.Append(nil, c.text)))
			assert.Equal(t, c.shown == c.text, termsafe.Clean(c.text))
		})
	}
}

func TestCleanTextIsNotCopied(t *testing.T) {
	text := strings.Repeat("read_file", 10)
	assert.Zero(t, testing.AllocsPerRun(10, func() { _ = termsafe.String(text) }))
}

func FuzzString(f *testing.F) {
	for _, seed := range []string{"read_file", "\x1b]8;;http://a\x1b\\b", "\u202e\u2066", "\xff\x9b", "###[a]", "C:\\n", "\U000e0041\U0001d173"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		shown := termsafe.String(text)
		require.True(t, utf8.ValidString(shown))
		require.NotContains(t, shown, "##")
		for _, r := range shown {
			require.False(t, unicode.Is(unicode.C, r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r), "%U in %q", r, shown)
		}
		require.True(t, termsafe.Clean(shown))
		require.Equal(t, shown, termsafe.String(shown))
		require.Equal(t, shown == text, termsafe.Clean(text))
	})
}
