package rawjson_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/clipspan/clipspan/internal/rawjson"
)

// check reads a whole text.
func check(text []byte) error {
	var s rawjson.Scanner
	s.Reset(text)
	s.Skip()
	return s.End()
}

func TestEveryTextIsValidOrHasAnError(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for _, c := range []struct{ name, text, wrong string }{
		{"an object", `{"a":1,"b":[true,false,null],"c":{"d":"e"}}`, ""},
		{"white space everywhere", " {\t\"a\" : 1 ,\r \"b\" : [ ] , \"c\" : { } } ", ""},
		{"the numbers of the grammar", `[0,-0,1,-1,10,1.5,-1.5e3,1E+9,1e-9,123456789012345678901234567890]`, ""},
		{"all escapes", `["\"\\\/\b\f\n\r\t\u00e9\uD83D\ude00"]`, ""},
		{"a lone surrogate", `["\ud800","\udc00x"]`, ""},
		{"text beyond ASCII", `["é","漢","😀"]`, ""},
		{"DEL stands for itself", "[\"\x7f\"]", ""},
		{"as deep as is allowed", deep(rawjson.MaxDepth), ""},

		{"one level deeper", deep(rawjson.MaxDepth + 1), "nested too deep at byte 101"},
		{"deep enough to kill a process", strings.Repeat("[", 5_000_000), "nested too deep at byte 101"},
		{"nothing", ``, "unexpected end of input"},
		{"an object that breaks off in a key", `{"a`, "unexpected end of input"},
		{"… behind a key", `{"a"`, "unexpected end of input"},
		{"… behind a colon", `{"a":`, "unexpected end of input"},
		{"… in a value", `{"a":tr`, "unexpected end of input"},
		{"… in a number", `{"a":1.`, "unexpected end of input"},
		{"… behind a value", `{"a":12`, "unexpected end of input"},
		{"… behind a comma", `{"a":1,`, "unexpected end of input"},
		{"… in an escape", `{"a":"\`, "unexpected end of input"},
		{"… in a \\u escape", `{"a":"\u00`, "unexpected end of input"},
		{"… in a rune", "{\"a\":\"\xe6\xbc", "unexpected end of input"},
		{"a comma too many", `{"a":1,}`, `unexpected character '}' at byte 8`},
		{"a comma too many in an array", `[1,]`, `unexpected character ']' at byte 4`},
		{"a comma missing", `{"a":1 "b":2}`, `unexpected character '"' at byte 8`},
		{"a colon missing", `{"a" 1}`, `unexpected character '1' at byte 6`},
		{"a key without quotes", `{a:1}`, `unexpected character 'a' at byte 2`},
		{"a key that is a number", `{1:1}`, `unexpected character '1' at byte 2`},
		{"brackets that don't match", `[1}`, `unexpected character '}' at byte 3`},
		{"two values", `{} {}`, `unexpected character '{' at byte 4`},
		{"a leading zero", `[01]`, `unexpected character '1' at byte 3`},
		{"a plus", `[+1]`, `unexpected character '+' at byte 2`},
		{"no digit before the point", `[.5]`, `unexpected character '.' at byte 2`},
		{"no digit behind the point", `[5.]`, `unexpected character ']' at byte 4`},
		{"no digit in the exponent", `[5e]`, `unexpected character ']' at byte 4`},
		{"not a number", `[NaN]`, `unexpected character 'N' at byte 2`},
		{"a name that is none of JSON's", `[nul]`, `unexpected character ']' at byte 5`},
		{"a capital", `[True]`, `unexpected character 'T' at byte 2`},
		{"single quotes", `['a']`, `unexpected character '\'' at byte 2`},
		{"a comment", `{} // no`, `unexpected character '/' at byte 4`},
		{"an unknown escape", `["\x41"]`, `invalid escape at byte 4`},
		{"a \\u escape that is not hex", `["\u00g0"]`, `invalid escape at byte 7`},
		{"a raw line end in a string", "[\"a\nb\"]", `control character 0x0a in a string at byte 4`},
		{"a NUL in a string", "[\"\x00\"]", `control character 0x00 in a string at byte 3`},
		{"a run of NULs", "\x00\x00\x00\x00", `unexpected character '\x00' at byte 1`},
		{"a form feed is no white space", "\f{}", `unexpected character '\f' at byte 1`},
		{"a byte order mark", "\ufeff{}", `unexpected character 'ï' at byte 1`},
		{"a byte that is never UTF-8", "[\"\xff\"]", "invalid UTF-8"},
		{"an encoded surrogate", "[\"\xed\xa0\x80\"]", "invalid UTF-8"},
		{"an overlong slash", "[\"\xc0\xaf\"]", "invalid UTF-8"},
		{"invalid UTF-8 before the end of input", "[\"\xff abc", "invalid UTF-8"},
		{"invalid UTF-8 in a key", "{\"\xff\":1}", "invalid UTF-8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := check([]byte(c.text))
			if c.wrong == "" {
				assert.NoError(t, err)
				return
			}
			assert.EqualError(t, err, c.wrong)
		})
	}
}

// The word-wise search must stop at every special byte, whatever its place.
func TestStringsEndWhereTheyEnd(t *testing.T) {
	for length := range 40 {
		for _, special := range []string{`\n`, `\"`, "é", "\x7f", `\\`} {
			for at := range length + 1 {
				inside := strings.Repeat("x", at) + special + strings.Repeat("y", length-at)
				var s rawjson.Scanner
				s.Reset([]byte(`["` + inside + `","next"]`))
				s.Enter()
				require.True(t, s.Element())
				var want string
				require.NoError(t, json.Unmarshal([]byte(`"`+inside+`"`), &want))
				require.Equal(t, want, string(s.Text()))
				require.True(t, s.Element())
				require.Equal(t, "next", string(s.Text()))
				require.False(t, s.Element())
				require.NoError(t, s.End())
			}
		}
	}
}

func TestCountsAreExactOrNone(t *testing.T) {
	for text, want := range map[string]int64{
		"0": 0, "7": 7, "10": 10, "96412": 96412,
		"123456789012345678":  123456789012345678,
		"1234567890123456789": 1234567890123456789,
		"9007199254740993":    1<<53 + 1,
		"9223372036854775807": 1<<63 - 1,
		"-0":                  -1, "-5": -1, "1.0": -1, "1e3": -1, "1E3": -1, "0.5": -1,
		"9223372036854775808": -1, "18446744073709551616": -1, "99999999999999999999999": -1,
	} {
		for _, behind := range []string{"]", " ]", ",1]", "\t]"} {
			var s rawjson.Scanner
			s.Reset([]byte("[" + text + behind))
			s.Enter()
			require.True(t, s.Element())
			n, ok := s.Count()
			assert.Equal(t, want >= 0, ok, text)
			if ok {
				assert.Equal(t, want, n)
			}
			for s.Element() {
				s.Skip()
			}
			assert.NoError(t, s.End(), text)
		}
	}
}

func TestACountThatIsNoJSONIsAnError(t *testing.T) {
	for _, text := range []string{"[01]", "[1.]", "[1x]", "[12", "[-]", "[1e]"} {
		var s rawjson.Scanner
		s.Reset([]byte(text))
		s.Enter()
		require.True(t, s.Element())
		s.Count()
		s.Element()
		assert.Error(t, s.End(), text)
	}
}

func TestHexReadsOnlyWhatFits(t *testing.T) {
	read := func(text string) ([4]byte, bool, int) {
		var s rawjson.Scanner
		var sum [4]byte
		s.Reset([]byte(text))
		ok := s.Hex(sum[:])
		return sum, ok, s.Pos()
	}
	sum, ok, pos := read(`"01ab23cd"`)
	assert.True(t, ok)
	assert.Equal(t, [4]byte{0x01, 0xab, 0x23, 0xcd}, sum)
	assert.Equal(t, 10, pos)
	for _, text := range []string{`"01AB23cd"`, `"01ab23c"`, `"01ab23cde"`, `"01ab23cg"`, `""`, `"01ab23cd`} {
		_, ok, pos := read(text)
		assert.False(t, ok, text)
		assert.Zero(t, pos, "nothing was read of %s", text)
	}
}

func TestMembersAreMetInOrder(t *testing.T) {
	names := rawjson.NewNames("name", "names", "injected_bytes", "injected_tokens", "v", "")
	var s rawjson.Scanner
	s.Reset([]byte(`{"v":1, "injected_tokens" :2,"names":3,"other":4,"n\u0061me":5,"injected_bytes":6,"inject":7,"Name":8}`))
	s.Enter()
	type member struct {
		known int
		name  string
		value int64
	}
	var met []member
	for {
		known, name, more := s.Key(names)
		if !more {
			break
		}
		n, _ := s.Count()
		met = append(met, member{known, string(name), n})
	}
	require.NoError(t, s.End())
	assert.Equal(t, []member{
		{5, "v", 1},
		{4, "injected_tokens", 2},
		{2, "names", 3},
		{0, "other", 4},
		{1, "name", 5},
		{3, "injected_bytes", 6},
		{0, "inject", 7},
		{0, "Name", 8},
	}, met)
}

func TestFoldFindsNamesInAnotherLetterCase(t *testing.T) {
	names := rawjson.NewNames("name", "seq", "kind")
	for text, want := range map[string]int{
		"Name": 1, "NAME": 1, "nAmE": 1, "SEQ": 2, "\u017feq": 2, "\u212aind": 3,
		"name": 0, "other": 0, "Other": 0, "näme": 0, "": 0,
	} {
		assert.Equal(t, want, names.Fold([]byte(text)), text)
	}
}

func TestAfterAnErrorNothingMoreIsRead(t *testing.T) {
	var s rawjson.Scanner
	s.Reset([]byte(`{"a":nope,"b":1}`))
	s.Enter()
	_, _, more := s.Key(rawjson.NewNames())
	require.True(t, more)
	s.Skip()
	first := s.Err()
	require.Error(t, first)
	_, _, more = s.Key(rawjson.NewNames())
	assert.False(t, more)
	assert.False(t, s.Element())
	assert.Equal(t, first, s.End())
}

func TestCompactingKeepsWhatIsInStrings(t *testing.T) {
	text := `{ "a b" : [ 1 , "c \" d" , "\\" ] , "e" : { } }`
	var want bytes.Buffer
	require.NoError(t, json.Compact(&want, []byte(text)))
	assert.Equal(t, want.String(), string(rawjson.AppendCompact(nil, []byte(text))))
}

// encoding/json is the second opinion. It takes invalid UTF-8 for U+FFFD, and
// is content with a deeper nesting.
func FuzzScanner(f *testing.F) {
	for _, seed := range []string{
		`{"a":1,"b":[true,null,"x"]}`, `"\ud83d\ude00"`, `[1.5e-3]`, `{"a":`, "\x00", `{"a":"é"}`, `["\u0041"]`, `-`, `[01]`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		err := check(text)
		if strings.Count(string(text), "[")+strings.Count(string(text), "{") > rawjson.MaxDepth {
			return
		}
		valid := json.Valid(text) && utf8.Valid(text)
		if valid != (err == nil) {
			t.Fatalf("%q: valid %v, error %v", text, valid, err)
		}
		if !valid || text[0] != '"' {
			return
		}
		var want string
		if json.Unmarshal(text, &want) != nil {
			return
		}
		inside := bytes.TrimRight(text, " \t\r\n")
		got := rawjson.AppendUnescaped(nil, inside[1:len(inside)-1])
		if string(got) != want {
			t.Fatalf("%q: got %q, want %q", text, got, want)
		}
	})
}

// Whatever a string holds, it is written as one that reads the same and can't
// break a line.
func FuzzAppendString(f *testing.F) {
	f.Add("plain")
	f.Add("\x00\x1f\"\\/\u0085\u2028\u2029\x7f\xff é漢😀")
	f.Fuzz(func(t *testing.T, text string) {
		out := rawjson.AppendString(nil, text)
		if err := check(out); err != nil {
			t.Fatalf("%q: %v", out, err)
		}
		if bytes.ContainsAny(out, "\n\r\x7f\u0085\u2028\u2029") {
			t.Fatalf("%q breaks a line", out)
		}
		var got string
		if err := json.Unmarshal(out, &got); err != nil || got != strings.ToValidUTF8(text, "\ufffd") && utf8.ValidString(text) {
			t.Fatalf("%q: got %q, %v", text, got, err)
		}
	})
}
