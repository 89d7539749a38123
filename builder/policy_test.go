package builder_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/charmap"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/builder"
	"github.com/clipspan/clipspan/tokens"
	"github.com/clipspan/clipspan/tokens/bpe"
)

const wholePolicy = `{
  "version": "cap-v4",
  "stages": [
    {"stage": "strip_ansi"},
    {"stage": "to_utf8", "encoding": "windows-1252"},
    {"stage": "join_output"},
    {"stage": "canonical_json"},
    {"stage": "number_lines"},
    {"stage": "omit_binary", "keep_images": true},
    {"stage": "redact", "rules": [{"name": "ticket", "pattern": "TICKET-[0-9]+"}]},
    {"stage": "max_tokens", "limit": 8192, "tokenizer": "halves", "keep": "head_tail", "ratio": 0.8},
    {"stage": "max_bytes", "limit": 60000, "keep": "tail", "on": "lines"},
    {"stage": "max_chars", "limit": 50000, "json_items": true, "marker": "[{lost} gone]"},
    {"stage": "max_lines", "limit": 2000, "bytes": 50000, "on": "graphemes"},
    {"stage": "window_share", "share": 0.5, "window": 128000, "tokenizer": "estimate"},
    {"stage": "turn_budget", "cap": {"stage": "max_tokens", "limit": 20000, "tokenizer": "estimate", "keep": "head"}},
    {"stage": "full"}
  ]
}`

func TestAPolicyFileMakesTheChainOfItsStages(t *testing.T) {
	fromFile, err := builder.ParsePolicy("policy.json", []byte(wholePolicy), other{})
	require.NoError(t, err)
	ticket, err := builder.NewRule("ticket", "TICKET-[0-9]+")
	require.NoError(t, err)
	inCode := builder.Chain("cap-v4",
		builder.StripANSI(), builder.ToUTF8(charmap.Windows1252), builder.JoinOutput(), builder.CanonicalJSON(), builder.NumberLines(),
		builder.OmitBinary(builder.KeepImages()),
		builder.Redact(append(builder.DefaultRules(), ticket)...),
		builder.MaxTokens(8192, other{}, builder.HeadTail(0.8)),
		builder.MaxBytes(60000, builder.Tail(), builder.OnLines()),
		builder.MaxChars(50000, builder.JSONItems(), builder.Marker("[{lost} gone]")),
		builder.MaxLines(2000, 50000, builder.OnGraphemes()),
		builder.WindowShare(0.5, 128000, tokens.Estimate),
		builder.TurnBudget(builder.MaxTokens(20000, tokens.Estimate, builder.Head())),
		builder.Full())
	assert.Equal(t, inCode.Version(), fromFile.Version(), "the fingerprint covers every setting")
}

func TestThePolicyFileOfTheDocumentationIsOne(t *testing.T) {
	page, err := os.ReadFile("../docs/builders.md")
	require.NoError(t, err)
	_, file, found := strings.Cut(string(page), "```json\n")
	require.True(t, found)
	file, _, _ = strings.Cut(file, "```")
	b, err := builder.ParsePolicy("docs/builders.md", []byte(file), bpe.O200kBase())
	require.NoError(t, err)
	in, err := b.Build(t.Context(), clipspan.Observation{Tool: "search", Text: "see TICKET-42"})
	require.NoError(t, err)
	assert.Equal(t, "see [redacted:ticket]", in.Text)
}

func TestAPolicyFileMayHaveStagesOfATool(t *testing.T) {
	b, err := builder.ParsePolicy("policy.json", []byte(`{"version": "v1", "stages": [{"stage": "max_bytes", "limit": 20}],
		"tools": {"read_file": {"stages": []}}}`))
	require.NoError(t, err)
	for tool, want := range map[string]int{"read_file": 100, "search": 20} {
		in, err := b.Build(t.Context(), clipspan.Observation{Tool: tool, Text: strings.Repeat("x", 100)})
		require.NoError(t, err)
		assert.Len(t, in.Text, want, tool)
	}
}

func TestEachMistakeInAPolicyFileIsNamedWithItsPlace(t *testing.T) {
	stage := func(s string) string { return "{\"version\": \"v1\",\n \"stages\": [\n" + s + "]}" }
	for _, c := range []struct{ name, file, want string }{
		{"an empty file", "", "p.json:1: the file ends within the policy: one JSON object is expected"},
		{"a file that breaks off", "{\n\"version\": \"v1\"", "p.json:2: the file ends within the policy: one JSON object is expected"},
		{"a missing comma", "{\n\"version\": \"v1\"\n\"stages\": []}", "p.json:3: no JSON: "},
		{"two values", "{\"version\": \"v1\", \"stages\": []}\n{}", "p.json:2: something stands behind the end of the policy"},
		{"a list", "[]", "p.json:1: must be an object, not a list"},
		{"no version", `{"stages": []}`, `p.json:1: version is missing: give the policy a name of its own, such as "cap-v4"`},
		{"no stages", `{"version": "v1"}`, "p.json:1: stages is missing: a list, [] for a policy that changes nothing"},
		{"a key twice", "{\"version\": \"v1\",\n\"version\": \"v2\"}", "p.json:2: version stands here twice"},
		{"an unknown key", "{\"version\": \"v1\", \"stages\": [],\n \"limit\": 3}", "p.json:2: limit: unknown key; known here: version, stages, tools"},
		{
			"a key in the wrong case", "{\"version\": \"v1\", \"stages\": [],\n \"Tools\": {}}",
			"p.json:2: Tools: unknown key; known here: version, stages, tools",
		},
		{
			"an unknown key of a stage", stage(`{"stage": "max_bytes", "limit": 5, "head": true}`),
			"p.json:3: stages[0].head: unknown key; known here: stage, limit, keep, ratio, json_items, on, marker",
		},
		{
			"an unknown stage", stage("{\"stage\": \"full\"},\n{\"stage\": \"truncate\"}"),
			"p.json:4: stages[1]: stage must be one of strip_ansi, to_utf8, join_output, canonical_json, number_lines, omit_binary, redact, " +
				"max_tokens, max_bytes, max_chars, max_lines, window_share, turn_budget, full, not \"truncate\"",
		},
		{"no limit", stage(`{"stage": "max_chars"}`), "p.json:3: stages[0]: limit is missing: a whole number of characters"},
		{"a limit that is no whole number", stage(`{"stage": "max_chars", "limit": 1.5}`), "p.json:3: stages[0].limit: must be a whole number of characters, not 1.5"},
		{"a limit in quotes", stage(`{"stage": "max_chars", "limit": "5"}`), "p.json:3: stages[0].limit: must be a whole number of characters, not \"5\""},
		{"a limit beyond 64 bits", stage(`{"stage": "max_chars", "limit": 99999999999999999999}`), "not 99999999999999999999"},
		{
			"an unknown tokenizer", stage(`{"stage": "max_tokens", "limit": 5, "tokenizer": "gpt2"}`),
			"p.json:3: stages[0].tokenizer: must be one of estimate, halves, not \"gpt2\"",
		},
		{"no tokenizer", stage(`{"stage": "max_tokens", "limit": 5}`), "stages[0]: tokenizer is missing: say how tokens are counted, such as \"estimate\""},
		{"a strange keep", stage(`{"stage": "max_bytes", "limit": 5, "keep": "middle"}`), "stages[0].keep: must be head, tail or head_tail, not \"middle\""},
		{"a keep of null", stage(`{"stage": "max_bytes", "limit": 5, "keep": null}`), "stages[0].keep: must be head, tail or head_tail, not null"},
		{"a ratio missing", stage(`{"stage": "max_bytes", "limit": 5, "keep": "head_tail"}`), "stages[0].keep: needs a ratio beside it"},
		{"a ratio of a head", stage(`{"stage": "max_bytes", "limit": 5, "keep": "head", "ratio": 0.5}`), "stages[0].ratio: is only for keep head_tail"},
		{"a ratio beyond 1", stage(`{"stage": "max_bytes", "limit": 5, "keep": "head_tail", "ratio": 80}`), "stages[0].ratio: must be a number from 0 to 1, not 80"},
		{"cuts on words", stage(`{"stage": "max_bytes", "limit": 5, "on": "words"}`), "stages[0].on: must be lines or graphemes, not \"words\""},
		{"a marker's placeholder", stage(`{"stage": "max_bytes", "limit": 5, "marker": "{gone}"}`), "stages[0].marker: "},
		{"a flag in quotes", stage(`{"stage": "omit_binary", "keep_images": "yes"}`), "stages[0].keep_images: must be true or false, not a string"},
		{"an unknown encoding", stage(`{"stage": "to_utf8", "encoding": "klingon"}`), "stages[0].encoding: must be the name of an encoding"},
		{"a rule that is no expression", stage(`{"stage": "redact", "rules": [{"name": "x", "pattern": "("}]}`), "stages[0].rules[0]: "},
		{"no rule", stage(`{"stage": "redact", "defaults": false}`), "stages[0]: no rule is left: nothing would be redacted"},
		{
			"two turn budgets",
			stage(strings.Repeat(`{"stage": "turn_budget", "cap": {"stage": "max_bytes", "limit": 5}},`, 2) + `{"stage": "full"}`),
			"stages has 2 turn budgets, and can have one",
		},
		{"a turn budget of no cap", stage(`{"stage": "turn_budget", "cap": {"stage": "full"}}`), "stages[0].cap: stage must be one of max_tokens, max_bytes, max_chars, window_share, not \"full\""},
		{"a tool's unknown key", `{"version": "v1", "stages": [], "tools": {"a.b": {"stages": [], "x": 1}}}`, "tools.a.b.x: unknown key; known here: stages"},
		{"deep nesting", strings.Repeat("[", 100), "is nested too deep"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := builder.ParsePolicy("p.json", []byte(c.file), other{})
			require.ErrorContains(t, err, c.want)
			var at *builder.PolicyError
			require.ErrorAs(t, err, &at)
			assert.Equal(t, "p.json", at.File)
			assert.Positive(t, at.Line)
		})
	}
}

func TestAllMistakesOfAPolicyFileAreToldAtOnce(t *testing.T) {
	_, err := builder.ParsePolicy("p.json", []byte("{\"stages\": [\n{\"stage\": \"max_bytes\"},\n{\"stage\": \"max_chars\", \"limit\": true, \"x\": 1}]}"))
	require.Error(t, err)
	assert.Equal(t, []string{
		`p.json:1: version is missing: give the policy a name of its own, such as "cap-v4"`,
		"p.json:2: stages[0]: limit is missing: a whole number of bytes",
		"p.json:3: stages[1].limit: must be a whole number of characters, not true",
		"p.json:3: stages[1].x: unknown key; known here: stage, limit, keep, ratio, json_items, on, marker",
	}, strings.Split(err.Error(), "\n"))
}

func FuzzParsePolicy(f *testing.F) {
	f.Add([]byte(wholePolicy))
	f.Add([]byte(`{"version": "v1", "stages": [], "tools": {"read_file": {"stages": [{"stage": "max_bytes", "limit": 0}]}}}`))
	f.Add([]byte("{\"version\"\n: {"))
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := builder.ParsePolicy("p.json", data, other{})
		if err == nil {
			again, err := builder.ParsePolicy("q.json", data, other{})
			require.NoError(t, err)
			require.Equal(t, b.Version(), again.Version())
			return
		}
		require.Nil(t, b)
		var at *builder.PolicyError
		require.True(t, errors.As(err, &at))
		require.LessOrEqual(t, at.Line, 1+strings.Count(string(data), "\n"))
		require.True(t, strings.HasPrefix(err.Error(), fmt.Sprintf("p.json:%d: ", at.Line)), err.Error())
	})
}
