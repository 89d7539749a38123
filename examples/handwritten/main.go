// Handwritten is an agent loop as people have it: a switch over tool names and an
// inline truncate that nobody remembers. One added call, Record, turns the
// forgotten cut into a finding.
//
//	go run ./examples/handwritten
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/tokens"
)

func main() {
	if err := loop(context.Background(), clipspan.NewJSONLSink(os.Stdout), script); err != nil {
		log.Fatal(err)
	}
}

// toolCall is what a model asks for.
type toolCall struct{ id, name, args string }

// script stands for a model that makes two calls.
var script = []toolCall{
	{"call-1", "list_files", "."},
	{"call-2", "read_file", "server.log"},
}

func loop(ctx context.Context, sink clipspan.Sink, calls []toolCall) error {
	run := clipspan.NewEmitter(sink, tokens.Estimate)
	for _, c := range calls {
		var result string
		var err error
		switch c.name {
		case "list_files":
			result, err = listFiles(c.args)
		case "read_file":
			result, err = readFile(c.args)
		default:
			err = fmt.Errorf("no tool %q", c.name)
		}
		if err != nil {
			result = err.Error()
		}
		prompt := truncate(result, 30000)

		// The one added call: what the tool returned, and what goes into the prompt.
		found, lost := run.Record(ctx, clipspan.Call{ID: c.id, Name: c.name, Args: c.args},
			clipspan.Output{Text: result, Err: err}, clipspan.Injection{Text: prompt}, "truncate-30000")
		if lost != nil {
			return lost
		}
		if !found.Verdict.Trusted() {
			fmt.Fprintln(os.Stderr, c.name, found.Verdict, found.Detail)
		}

		send(prompt)
	}
	return run.Close(ctx)
}

// truncate is the cut that nobody remembers.
func truncate(s string, n int) string {
	if len(s) > n {
		return s[:n]
	}
	return s
}

func listFiles(string) (string, error) { return "main.go\nserver.log\n", nil }

func readFile(string) (string, error) {
	return strings.Repeat("2026-01-02T03:04:05Z GET /health 200\n", 2000), nil
}

// send stands for the request to a model.
func send(string) {}
