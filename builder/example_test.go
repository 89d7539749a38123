package builder_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/builder"
	"github.com/clipspan/clipspan/tokens/bpe"
)

func ExampleChain() {
	policy := builder.Chain("cap-v4",
		builder.StripANSI(),
		builder.Redact(),
		builder.MaxTokens(40, bpe.O200kBase(), builder.HeadTail(0.8)))

	result := "\x1b[32mok\x1b[0m DB_PASSWORD=hunter2\n" + strings.Repeat("GET /health 200\n", 50)
	in, err := policy.Build(context.Background(), clipspan.Observation{Tool: "read_logs", Text: result})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(in.Text)
	fmt.Println("rendered by", in.Rendered.ID, "and kept", in.Kept)
	for _, s := range in.Stages {
		fmt.Println(s.Reason, s.BytesIn, "to", s.BytesOut, "bytes")
	}
	// Output:
	// ok DB_PASSWORD=[redacted:named-secret]
	// GET /health 200
	// GET /health 200
	// [... 752 of 823 bytes cut ...]
	// GET /health 200
	//
	// rendered by ansi/1 and kept [{0 15} {22 55} {807 823}]
	// redaction 823 to 839 bytes
	// prompt_token_cap 839 to 118 bytes
}

func ExampleJSONItems() {
	list := `{"total": 100, "items": [` + strings.Repeat(`{"name": "alpha"}, `, 99) + `{"name": "omega"}]}`
	in, err := builder.Chain("v1", builder.MaxBytes(160, builder.JSONItems())).
		Build(context.Background(), clipspan.Observation{Text: list})
	fmt.Println(in.Text, err)
	// Output:
	// {"total": 100, "items": [{"name": "alpha"}, {"name": "alpha"}, "[... 98 of 100 items cut ...]"]} <nil>
}

func ExampleMarker() {
	policy := builder.Chain("v1", builder.MaxLines(3, 4096,
		builder.Marker("[{lost} of {total} {unit} cut; call {tool} with offset={line}]")))
	in, err := policy.Build(context.Background(), clipspan.Observation{Tool: "read_file", Text: strings.Repeat("a line of the file that was read\n", 100)})
	fmt.Println(in.Text, err)
	// Output:
	// a line of the file that was read
	// a line of the file that was read
	// [98 of 100 lines cut; call read_file with offset=3] <nil>
}

func ExampleBuildTurn() {
	policy := builder.Chain("v1", builder.TurnBudget(builder.MaxBytes(1000)))
	injections, err := builder.BuildTurn(context.Background(), policy, []clipspan.Observation{
		{Text: strings.Repeat("x", 5000)}, {Text: "small"}, {Text: strings.Repeat("y", 700)},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, in := range injections {
		fmt.Println(len(in.Text), in.Cap.Value)
	}
	// Output:
	// 497 497
	// 5 0
	// 497 497
}

func ExampleByTool() {
	policy := builder.ByTool(map[string]clipspan.Builder{
		"load_skill": builder.Chain("skills", builder.Full()),
	}, builder.Chain("others", builder.MaxChars(100)))
	for _, tool := range []string{"load_skill", "search"} {
		in, err := policy.Build(context.Background(), clipspan.Observation{Tool: tool, Text: strings.Repeat("x", 2000)})
		fmt.Println(tool, len(in.Text), err)
	}
	// Output:
	// load_skill 2000 <nil>
	// search 100 <nil>
}

func ExampleParsePolicy() {
	_, err := builder.ParsePolicy("policy.json", []byte(`{
  "version": "cap-v4",
  "stages": [
    {"stage": "redact"},
    {"stage": "max_tokens", "limits": 8192, "tokenizer": "o200k_base"}
  ]
}`), bpe.O200kBase())
	fmt.Println(err)
	// Output:
	// policy.json:5: stages[1]: limit is missing: a whole number of tokens
	// policy.json:5: stages[1].limits: unknown key; known here: stage, limit, tokenizer, keep, ratio, json_items, on, marker
}

func ExampleNewRule() {
	ticket, err := builder.NewRule("ticket", `TICKET-[0-9]+`)
	if err != nil {
		fmt.Println(err)
		return
	}
	policy := builder.Chain("v1", builder.Redact(append(builder.DefaultRules(), ticket)...))
	in, err := policy.Build(context.Background(), clipspan.Observation{Text: "api_key: k-123456, see TICKET-42"})
	fmt.Println(in.Text, err)
	// Output:
	// api_key: [redacted:named-secret], see [redacted:ticket] <nil>
}
