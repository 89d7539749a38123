package builder_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/builder"
)

func TestJSONHasOneForm(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"white space goes", " [ 1 ,\n\t2 ] ", "[1,2]"},
		{"names are in order, at every depth", `{"b": {"z": 1, "y": 2}, "a": 3}`, `{"a":3,"b":{"y":2,"z":1}}`},
		{"names that need no escapes", `{"\u0062": 1, "a": 2}`, `{"a":2,"b":1}`},
		{"numbers keep their spelling", `[1.0, 1e2, 1E+2, -0, 12345678901234567890]`, `[1.0,1e2,1E+2,-0,12345678901234567890]`},
		{"only the escapes that JSON demands", `"\u003c\/\u00e9\ud83d\ude00 \"\\\u000a\u0001\u007f"`, `"</é😀 \"\\\n\u0001` + "\x7f\""},
		{"half of a surrogate pair", `"\uD800\u0041\uDC00\uD83D\uD83D\uDE00"`, `"\ud800A\udc00\ud83d😀"`},
		{"a replacement character is one", `"\ufffd"`, `"` + "\ufffd" + `"`},
		{"nothing", ``, ``},
		{"no JSON", `{"a": 1`, `{"a": 1`},
		{"several values", `{"a": 1} {"b": 2}`, `{"a": 1} {"b": 2}`},
		{"a name twice", `[ {"a": 1, "\u0061": 2} ]`, `[ {"a": 1, "\u0061": 2} ]`},
		{"invalid UTF-8", "[ \"\xff\" ]", "[ \"\xff\" ]"},
		{"nested too deep", strings.Repeat("[ ", 102) + strings.Repeat("]", 102), strings.Repeat("[ ", 102) + strings.Repeat("]", 102)},
		{"nested deep", strings.Repeat("[ ", 101) + strings.Repeat("]", 101), strings.Repeat("[", 101) + strings.Repeat("]", 101)},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.want, build(t, c.text, builder.CanonicalJSON()).Text)
			s := span(t, clipspan.Observation{Text: c.text}, builder.CanonicalJSON())
			if c.text != c.want {
				assert.Equal(t, "json/1", s.Render)
				assert.True(t, s.RenderLossless)
			}
		})
	}
}

func FuzzCanonicalJSON(f *testing.F) {
	for _, text := range smallJSON {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := build(t, text, builder.CanonicalJSON()).Text
		if !json.Valid([]byte(text)) || !utf8.ValidString(text) {
			require.Equal(t, text, got)
			return
		}
		require.Equal(t, decoded(t, text), decoded(t, got))
		require.Equal(t, got, build(t, got, builder.CanonicalJSON()).Text)
		var wide bytes.Buffer
		require.NoError(t, json.Indent(&wide, []byte(text), " ", "\t"))
		if again := build(t, wide.String(), builder.CanonicalJSON()).Text; again != wide.String() {
			require.Equal(t, got, again)
		}
	})
}

// decoded is a JSON text as Go values, of which half surrogates are no part.
func decoded(tb testing.TB, text string) (value any) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	require.NoError(tb, d.Decode(&value))
	return value
}
