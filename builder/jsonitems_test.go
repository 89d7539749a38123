package builder_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/builder"
)

func TestItemsAndMembersAreDroppedWhole(t *testing.T) {
	long := strings.Repeat("x", 100)
	for _, c := range []struct {
		name, text string
		max        int64
		want       string
	}{
		{"the first items of an array stay", `[` + strings.Repeat(`"item", `, 20) + `1]`, 60, `["item", "item", "item", "[... 18 of 21 items cut ...]"]`},
		{
			"white space stays, too",
			"[\n  \"" + long[:30] + "\",\n  \"" + long[:30] + "\",\n  \"" + long + "\"\n]\n", 120,
			"[\n  \"" + long[:30] + "\",\n  \"" + long[:30] + "\",\n  \"[... 1 of 3 items cut ...]\"\n]",
		},
		{"of a long string the beginning stays", `"` + long + `"`, 50, `"xxxxxxxxxxxxxxxx[... 84 of 102 bytes cut ...]"`},
		{
			"small members are untouched and a large one takes what they leave",
			`{"a": 1, "text": "` + long + `", "b": [true, null]}`, 136,
			`{"a": 1, "text": "xxxxxxxxxxxxxxxxxxxxxxxx[... 76 of 139 bytes cut ...]", "b": [true, null]}`,
		},
		{
			"large members share",
			`{"a":[` + strings.Repeat(`1,`, 200) + `1],"b":[` + strings.Repeat(`2,`, 400) + `2]}`, 200,
			`{"a":[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"[... 184 of 201 items cut ...]"],"b":[2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,"[... 384 of 401 items cut ...]"]}`,
		},
		{
			"the content of a tool's result with one part",
			`{"content":[{"type":"text","text":"` + long + long + `"}],"isError":false}`, 220,
			`{"content":[{"type":"text","text":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx[... 149 of 255 bytes cut ...]"}],"isError":false}`,
		},
		{
			"a large item behind a small one is not lost as a whole",
			`["` + long[:10] + `","` + long + long + `","end"]`, 120,
			`["xxxxxxxxxx","xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx[... 164 of 223 bytes cut ...]","[... 1 of 3 items cut ...]"]`,
		},
		{
			"members that can't be fitted go, and one says so",
			`{` + strings.Repeat(`"name": 12345, `, 20) + `"last": 1}`, 100,
			`{"name": 12345, "name": 12345, "name": 12345, "...":"[... 17 of 21 members cut ...]", "last": 1}`,
		},
		{
			"a name that is taken is not used again",
			`{"...": 1, "\u002e...": 2, "a": ` + strings.Repeat("1", 60) + `}`, 85,
			`{"...": 1, "\u002e...": 2, ".....":"[... 1 of 3 members cut ...]"}`,
		},
		{"an emoji in two escapes stays in one piece", `"` + strings.Repeat(`\ud83d\ude00`, 20) + `"`, 60, `"\ud83d\ude00\ud83d\ude00[... 216 of 242 bytes cut ...]"`},
		{"what does not even leave room for a notice is still JSON", `[1, 2, 3, 4, 5, 6, 7, 8]`, 10, `[1, 2]`},
		{"and so is nothing at all", `[1, 2, 3, 4, 5, 6, 7, 8]`, 2, `[]`},
		{"white space around it goes without a word", "  [1, 2]\n\n", 6, "[1, 2]"},
		{"no JSON fits", `[1, 2, 3, 4, 5, 6, 7, 8]`, 1, ""},
		{"a long number can't be cut", strings.Repeat("1", 100), 99, ""},
		{"a text that is not JSON is cut as a text", strings.Repeat("no json ", 10), 40, "no json no \n[... 69 of 80 bytes cut ...]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := build(t, c.text, builder.MaxBytes(c.max, builder.JSONItems()))
			assert.LessOrEqual(t, int64(len(in.Text)), c.max)
			assert.Equal(t, c.want, in.Text)
		})
	}
}

var smallJSON = []string{
	`[]`, `{}`, `""`, `null`, ` [ ] `, `[[[[[[1,2],3],4],5],6],7]`, `[1,22,333,4444,55555,666666,7777777,88888888,999999999]`,
	`{"a":{"b":{"c":{"d":["long enough to be cut somewhere in the middle of it all, is it not?"]}}}}`,
	`{"first":"one","second":"two","third":[1,2,3],"fourth":{"x":null},"fifth":"5555555555555555555555555555555555555555555"}`,
	"{\n\t\"a\" : [ 1 , 2 ] ,\n\t\"b\" : { \"c\" : true , \"...\" : \"é\\u00e9\\n\\\\\\\"日本語 and some more of it to be cut\" }\n}",
	`{"":"","":"","...":[],"....":{},".....":"......................................................................"}`,
	`["\ud800\ud83d\ude00\udfff\u0041\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\", "` + "\xff\xfe" + `"]`,
}

func TestAnyLimitGivesJSON(t *testing.T) {
	for _, text := range smallJSON {
		for limit := range len(text) + 1 {
			checkItems(t, text, limit)
		}
	}
}

func FuzzJSONItems(f *testing.F) {
	for _, text := range smallJSON {
		f.Add(text, 60)
	}
	f.Fuzz(func(t *testing.T, text string, limit int) {
		if json.Valid([]byte(text)) && limit >= 0 {
			checkItems(t, text, limit)
		}
	})
}

// checkItems holds to a text that is JSON what JSONItems promises.
func checkItems(tb testing.TB, text string, limit int) {
	for _, options := range [][]builder.CutOption{
		{builder.JSONItems()},
		{builder.JSONItems(), builder.Marker("")},
		{builder.JSONItems(), builder.Marker("\"{from}-{to}\"\n{line} {tool}")},
	} {
		in := build(tb, text, builder.MaxBytes(int64(limit), options...))
		require.LessOrEqual(tb, len(in.Text), limit, "%q in %d", text, limit)
		require.True(tb, in.Text == "" || json.Valid([]byte(in.Text)), "%q in %d: %q", text, limit, in.Text)
		require.Equal(tb, in, build(tb, text, builder.MaxBytes(int64(limit), options...)))
		if len(text) <= limit {
			require.Equal(tb, text, in.Text)
			return
		}
		require.True(tb, keptIn(text, in.Text, in.Kept), "%q in %d: %q keeps %v", text, limit, in.Text, in.Kept)
	}
}

func TestARecordThatIsCutIsFoundInWhatWasObserved(t *testing.T) { // field case F04
	observed := records(276)
	in := build(t, observed, builder.MaxChars(51_000, builder.JSONItems()))
	var kept []any
	require.NoError(t, json.Unmarshal([]byte(in.Text), &kept))
	assert.Contains(t, observed, `"id": 200,`)
	assert.NotContains(t, in.Text, `"id": 200,`)
	assert.Contains(t, in.Text, fmt.Sprintf("[... %d of 276 items cut ...]", 276-len(kept)+1))
	assert.Equal(t, clipspan.NoticeGiven, in.Notice)
}

func TestAFieldInTheMiddleOf3MBIsNamedAsCut(t *testing.T) { // field case F06
	filler := strings.Repeat(`{"k": "vvvvvvvvvvvvvvvvvvvvvvvv"}, `, 42_000)
	observed := `{"head": [` + filler + `1], "version": "1.43.67", "tail": [` + filler + `2]}`
	observed += strings.Repeat(" ", 3_000_000-len(observed))

	in := build(t, observed, builder.MaxBytes(4096, builder.JSONItems()))
	assert.Contains(t, in.Text, `"version": "1.43.67"`, "a small member is untouched")
	assert.True(t, json.Valid([]byte(in.Text)))
	assert.Greater(t, len(in.Text), 3900)

	in = build(t, observed, builder.MaxBytes(4096, builder.HeadTail(0.5)))
	assert.NotContains(t, in.Text, "1.43.67")
	at := int64(strings.Index(observed, "1.43.67"))
	assert.False(t, slices.ContainsFunc(in.Kept, func(r clipspan.Range) bool { return r.From <= at && at < r.To }))
}

func TestColumnsVanishAsWholes(t *testing.T) { // field case F35
	observed := `{"columns":[` + strings.Repeat(`{"name":"c","type":"varchar"},`, 232) + `{"name":"last","type":"int"}]}`
	require.InDelta(t, 7000, len(observed), 50)
	in := build(t, observed, builder.MaxChars(6000, builder.JSONItems()))
	var table struct{ Columns []any }
	require.NoError(t, json.Unmarshal([]byte(in.Text), &table))
	lost := 233 - (len(table.Columns) - 1)
	assert.Equal(t, fmt.Sprintf("[... %d of 233 items cut ...]", lost), table.Columns[len(table.Columns)-1])
	assert.Greater(t, len(in.Text), 5900)
}

func TestAPreviewIsParsedByTheProvider(t *testing.T) { // field case F36
	observed := records(40)
	observed = observed[:len(observed)-1] + `, "` + strings.Repeat("p", 8500-len(observed)-4) + `"]`
	require.Len(t, observed, 8500)
	in := build(t, observed, builder.MaxChars(2000, builder.JSONItems()))
	assert.True(t, json.Valid([]byte(in.Text)), in.Text)
}

func TestOneLineOfJSONStaysJSON(t *testing.T) { // field case F37
	observed := `{"output": "` + strings.Repeat(`line\n`, 4093) + `xxxx"}`
	require.Len(t, observed, 24_576)
	for _, stage := range []builder.Stage{
		builder.MaxBytes(4096, builder.JSONItems(), builder.HeadTail(0.5)),
		builder.MaxTokens(1000, nil, builder.JSONItems()),
		builder.MaxChars(4049, builder.JSONItems(), builder.OnLines()),
	} {
		in := build(t, observed, stage)
		assert.True(t, json.Valid([]byte(in.Text)), "%s: %s", stage, in.Text)
		assert.Regexp(t, `\[\.\.\. \d+ of 24576 bytes cut \.\.\.\]"\}$`, in.Text)
		assert.NotContains(t, in.Text, `\[`, "no escape is cut in two")
		assert.Equal(t, clipspan.NoticeGiven, in.Notice)
	}
}

func TestDeepNestingIsHeldTo(t *testing.T) {
	const depth = 9_000
	in := build(t, strings.Repeat("[", depth)+strings.Repeat("]", depth), builder.MaxBytes(1000, builder.JSONItems()))
	assert.True(t, json.Valid([]byte(in.Text)))
	assert.Contains(t, in.Text, "[... 1 of 1 items cut ...]")

	tooDeep := strings.Repeat("[", 1_000_000) // no reader takes it for JSON
	in = build(t, tooDeep, builder.MaxBytes(1000, builder.JSONItems()))
	assert.Len(t, in.Text, 1000)
}

// records is a JSON array of n objects.
func records(n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf(`{"id": %d, "name": "record number %d", "total": %d.50, "note": "%s"}`, i, i, i*7, strings.Repeat("n", 100+i%300))
	}
	return "[" + strings.Join(list, ", ") + "]"
}
