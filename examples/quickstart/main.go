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
	"github.com/clipspan/clipspan/builder"
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
	logs := run.Wrap(clipspan.ToolFunc("read_logs", readLogs), capLogs)

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

// capLogs puts at most 1,000 bytes into the prompt, and never a secret, and says so.
var capLogs = builder.Chain("cap-v1",
	builder.StripANSI(),
	builder.Redact(),
	builder.MaxBytes(1000, builder.HeadTail(0.8)))

// README:end

// readLogs is the tool: its result grows tenfold from turn to turn.
func readLogs(_ context.Context, turn string) (string, error) {
	lines := map[string]int{"0": 3, "1": 30, "2": 300}[turn]
	return strings.Repeat("GET /health 200\n", lines), nil
}

// askModel stands for the request to a model.
func askModel(toolResult string) { fmt.Println("the model sees", len(toolResult), "bytes") }
