package clipspan

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// lines is a text in which no run repeats.
func lines(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(string(rune('a'+i%26)), 3+i%5))
		b.WriteByte(byte('0' + i%10))
		b.WriteByte('\n')
	}
	return b.String()
}

func TestKeptIsExactOrAbsent(t *testing.T) {
	text := lines(200)
	n := int64(len(text))
	const marker = "\n[... 1,204 bytes removed; read with offset=300 ...]\n"
	for name, c := range map[string]struct {
		base, injected string
		want           []Range
		ok             bool
	}{
		"the same text":                                    {text, text, []Range{{0, n}}, true},
		"two empty texts":                                  {"", "", nil, true},
		"nothing injected":                                 {text, "", nil, true},
		"a head":                                           {text, text[:500], []Range{{0, 500}}, true},
		"a tail":                                           {text, text[500:], []Range{{500, n}}, true},
		"head and tail":                                    {text, text[:100] + text[900:], []Range{{0, 100}, {900, n}}, true},
		"a middle piece":                                   {text, text[300:700], []Range{{300, 700}}, true},
		"a head and a marker":                              {text, text[:500] + marker[1:len(marker)-1], []Range{{0, 500}}, true},
		"a marker and a tail":                              {text, "[cut]" + text[500:], []Range{{500, n}}, true},
		"head, marker and tail":                            {text, text[:100] + marker + text[900:], []Range{{0, 100}, {900, n}}, true},
		"the whole text in wrappers":                       {text, "<result>\n" + text + "</result>\n", []Range{{0, n}}, true},
		"something put into it":                            {text, text[:100] + marker + text[100:], []Range{{0, n}}, true},
		"an empty text decorated":                          {"", "(no output)", nil, true},
		"a marker longer than what it replaced":            {strings.Repeat("a", 2010), strings.Repeat("a", 2000) + marker, []Range{{0, 2000}}, true},
		"nothing in common":                                {text, "(omitted)", nil, false},
		"two masked places with text between them":         {"key1=SECRETA\nname: billing-service\nkey2=SECRETB\n", "key1=****\nname: billing-service\nkey2=****\n", nil, false},
		"an address masked twice":                          {"alice@example.com\nbob\nalice@example.com\n", "[email]\nbob\n[email]\n", nil, false},
		"two numbers masked":                               {"id=1234 a id=5678", "id=# a id=#", nil, false},
		"one number masked":                                {"id=1234 a", "id=# a", []Range{{0, 3}, {7, 9}}, true},
		"a replacement longer than a marker can be":        {text, text[:100] + strings.Repeat("z", maxMarker+1) + text[900:], nil, false},
		"a wrapped head, which only the builder can prove": {text, "<result>" + text[:500] + "</result>", nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			got, ok := Kept(c.base, c.injected)
			assert.Equal(t, c.ok, ok)
			assert.Equal(t, c.want, got)
		})
	}
}

func TestKeptAllocatesNothingForThePlainCases(t *testing.T) {
	text := lines(2000)
	head := text[:700] + "\n[cut]"
	assert.Zero(t, testing.AllocsPerRun(10, func() { keptIn(text, head) }))
}

func TestABuildersOwnRangesAreCheckedByteByByte(t *testing.T) {
	const base = "0123456789abcdef"
	for name, c := range map[string]struct {
		injected string
		hint     []Range
		want     []Range
		ok       bool
	}{
		"true ranges inside wrappers": {"<0123><cdef>", []Range{{0, 4}, {12, 16}}, []Range{{0, 4}, {12, 16}}, true},
		"ranges that touch are one":   {"<0123><4567>", []Range{{0, 4}, {4, 8}}, []Range{{0, 8}}, true},
		"empty ranges are nothing":    {"", []Range{{3, 3}}, nil, true},
		"a byte that is not there":    {"<0123>", []Range{{0, 5}}, nil, false},
		"out of order":                {"<cdef><0123>", []Range{{0, 4}, {12, 16}}, nil, false},
		"overlapping":                 {"01232345", []Range{{0, 4}, {2, 6}}, nil, false},
		"beyond the text":             {base, []Range{{0, 17}}, nil, false},
		"upside down":                 {base, []Range{{4, 2}}, nil, false},
		"negative":                    {base, []Range{{-1, 2}}, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			got, ok := checkKept(base, c.injected, c.hint)
			assert.Equal(t, c.ok, ok)
			assert.Equal(t, c.want, got)
		})
	}
}

// FuzzKept cuts a text at places of the fuzzer's choice: no byte is ever claimed
// that is not there.
func FuzzKept(f *testing.F) {
	f.Add("the quick brown fox jumps", "[cut]", 4, 10)
	f.Add(lines(50), "", 0, 300)
	f.Add("aaaaaaaaaaaaaaaa", "aa", 3, 3)
	f.Fuzz(func(t *testing.T, base, marker string, from, to int) {
		base, marker = base[:min(len(base), 2000)], marker[:min(len(marker), 2000)] // the proof below is quadratic
		if from < 0 || to < from || to > len(base) {
			from, to = 0, len(base)
		}
		injected := base[:from] + marker + base[to:]
		for _, pair := range [][2]string{{base, injected}, {injected, base}, {base, marker}, {base, base[from:to]}} {
			ranges, ok := Kept(pair[0], pair[1])
			if !ok {
				require.Empty(t, ranges)
				continue
			}
			require.True(t, survives(pair[0], pair[1], ranges), "%q in %q: %v", pair[0], pair[1], ranges)
			require.LessOrEqual(t, totalKept(ranges), int64(min(len(pair[0]), len(pair[1]))))
		}
		if marker == "" {
			ranges, ok := Kept(base, injected)
			require.True(t, ok, "a pure cut is always exact")
			require.Equal(t, int64(len(injected)), totalKept(ranges))
		}
	})
}

// survives proves ranges without the code under test: their bytes stand in
// injected in order, a range in one piece or, where something was put into the
// whole text, in two.
func survives(base, injected string, ranges []Range) bool {
	if len(ranges) == 1 && ranges[0] == (Range{0, int64(len(base))}) {
		for i := range len(base) + 1 {
			if head := strings.Index(injected, base[:i]); head >= 0 && strings.Contains(injected[head+i:], base[i:]) {
				return true
			}
		}
		return false
	}
	for _, r := range ranges {
		piece := base[r.From:r.To]
		i := strings.Index(injected, piece)
		if i < 0 {
			return false
		}
		injected = injected[i+len(piece):]
	}
	return true
}

func TestRenderedTextIsLosslessOnlyWhereEveryLineIsFound(t *testing.T) {
	for name, c := range map[string]struct {
		observed, rendered string
		want               bool
	}{
		"line numbers":                   {"a\nb\n", "1\ta\n2\tb\n", true},
		"line numbers without final end": {"a\nb\n", "1\ta\n2\tb", true},
		"something after each line":      {"a\nb", "a |\nb |", true},
		"a header before":                {"a\nb", "stdout:\na\nb\nexit 0", true},
		"nothing observed":               {"", "(no output)", true},
		"a line is missing":              {"a\nb\nc", "1\ta\n3\tc", false},
		"the order changed":              {"a\nb", "b\na", false},
		"a line is cut":                  {"abcdef", "1\tabc", false},
		"an empty line is missing":       {"a\n\nb", "1\ta", false},
		"colour codes stripped":          {"\x1b[31mred\x1b[0m", "red", false},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, c.want, lossless(content{text: c.observed}, content{text: c.rendered}))
		})
	}
}

func TestRenderedPartsAreLosslessOnlyWhereEveryLineAndAllDataAreFound(t *testing.T) {
	image := Part{MediaType: "image/png", Data: []byte{1, 2}}
	other := Part{MediaType: "image/png", Data: []byte{3}}
	text := func(s string) Part { return Part{Text: s} }
	for name, c := range map[string]struct {
		observed, rendered []Part
		want               bool
	}{
		"two texts joined into one":          {[]Part{text("a"), text("b\n")}, []Part{text("a\nstderr:\nb\n")}, true},
		"line numbers beside an image":       {[]Part{text("a\nb"), image}, []Part{text("1\ta\n2\tb"), image}, true},
		"the second text is missing":         {[]Part{text("a"), text("b")}, []Part{text("a")}, false},
		"the texts are in another order":     {[]Part{text("a"), text("b")}, []Part{text("b\na")}, false},
		"the image is missing":               {[]Part{text("a"), image}, []Part{text("a")}, false},
		"the image is another":               {[]Part{text("a"), image}, []Part{text("a"), other}, false},
		"two lines that were never together": {[]Part{text("a"), text("b")}, []Part{text("ab")}, false},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, c.want, lossless(newContent("", c.observed), newContent("", c.rendered)))
		})
	}
}

func TestPreviewIsAtMostItsSizeAndNeverCutsARune(t *testing.T) {
	mixed := strings.Repeat("aé€🦊", 40)
	for n := range 200 {
		p := Preview(mixed, n)
		require.LessOrEqual(t, len(p), n)
		require.Greater(t, len(p), n-4)
		require.True(t, strings.HasPrefix(mixed, p))
		require.NotContains(t, p, "\uFFFD")
	}
	assert.Empty(t, Preview(mixed, -1))
	assert.LessOrEqual(t, len(Preview(strings.Repeat("\x80", 500), 128)), 128)
	assert.Equal(t, "a\uFFFDb", Preview("a\xffb", 128))
}
