// Quickstart is the README's first example: a plain agent loop with one wrapped
// tool, whose trace can be checked with
//
//	go run ./examples/quickstart && go run ./cmd/clipspan check run.jsonl
package main

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/tokens"
)

func main() {
	if err := agent(context.Background(), "run.jsonl"); err != nil {
		log.Fatal(err)
	}
}

// README:begin
func agent(ctx context.Context, trace string) error {
	sink, err := clipspan.OpenJSONL(trace) // appends
	if err != nil {
		return err
	}
	defer sink.Close()
	run := clipspan.NewEmitter(sink, tokens.Estimate) // one emitter is one run
	logs := run.Wrap(clipspan.ToolFunc("read_logs", readLogs), capBytes)

	for turn := range 3 { // a plain agent loop
		call := clipspan.Call{ID: fmt.Sprint("call-", turn), ParentID: fmt.Sprint("turn-", turn)}
		text, err := logs.Call(clipspan.ContextWithCall(ctx, call), fmt.Sprint(turn))
		if err != nil && text == "" {
			return err // nothing was injected; else text is the tool's error, cut like any result
		}
		askModel(text) // the span is on disk by now
	}
	return run.Close(ctx)
}

// capBytes puts at most 1,000 bytes into the prompt, and says so.
var capBytes = clipspan.BuilderFunc("cap-v1", func(_ context.Context, o clipspan.Observation) (clipspan.Injection, error) {
	if len(o.Text) <= 1000 {
		return clipspan.Injection{Text: o.Text, Parts: o.Parts}, nil
	}
	head := clipspan.Preview(o.Text, 1000) // cuts no rune
	return clipspan.Injection{Text: head, Reason: clipspan.ReasonToolResultCharLimit}, nil
})

// README:end

// readLogs is the tool: its result grows tenfold from turn to turn.
func readLogs(_ context.Context, turn string) (string, error) {
	lines := map[string]int{"0": 3, "1": 30, "2": 300}[turn]
	return strings.Repeat("GET /health 200\n", lines), nil
}

// askModel stands for the request to a model.
func askModel(toolResult string) { fmt.Println("the model sees", len(toolResult), "bytes") }
