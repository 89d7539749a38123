// Incident replays, offline, the incident of the article that clipspan comes
// from: a tool reads a whole file, the prompt builder cuts it, the model answers
// from what is left, and only the trace can show why.
//
//	go run ./examples/incident            # leaves its traces in ./traces
//	go run ./examples/incident -out DIR   # leaves them in DIR
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/internal/cli"
	"github.com/clipspan/clipspan/tokens"
)

func main() {
	dir := flag.String("out", "traces", "folder for the traces")
	flag.Parse()
	if err := run(context.Background(), os.Stdout, *dir); err != nil {
		fmt.Fprintln(os.Stderr, "incident:", err)
		os.Exit(1)
	}
}

// scenario is one run of the same agent under another prompt builder.
type scenario struct {
	run     string
	what    string
	builder clipspan.Builder
}

func scenarios() []scenario {
	return []scenario{
		{"incident", "the cap of 8,192 tokens, declared", capTokens("cap-v3", 8192, clipspan.ReasonPromptTokenCap)},
		{"silent", "the same cut, declared as none", capTokens("cap-v3-silent", 8192, clipspan.ReasonNone)},
		{"wider", "a wider policy", capTokens("cap-v4", 65536, clipspan.ReasonPromptTokenCap)},
		{"swapped", "other bytes of equal length, declared as none", swapPort("cap-v4-swap")},
	}
}

// run replays all scenarios and writes the report to out.
func run(ctx context.Context, out io.Writer, dir string) error {
	work, err := os.MkdirTemp("", "incident")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	file := filepath.Join(work, "production.yaml")
	if err := os.WriteFile(file, []byte(productionYAML()), 0o600); err != nil {
		return err
	}
	sink, err := clipspan.OpenJSONLDir(dir)
	if err != nil {
		return err
	}
	var traces []string
	for i, s := range scenarios() {
		trace := sink.Path(s.run)
		if err := os.Remove(trace); err != nil && !errors.Is(err, os.ErrNotExist) { // of an earlier replay
			return errors.Join(err, sink.Close())
		}
		injected, answer, err := agent(ctx, sink, s, file)
		if err != nil {
			return errors.Join(err, sink.Close())
		}
		if i == 0 {
			showIncident(out, injected, productionYAML())
		}
		fmt.Fprintf(out, "%-9s %-46s model says: %s\n", s.run, s.what, answer)
		traces = append(traces, trace)
	}
	if err := sink.Close(); err != nil {
		return err
	}
	fmt.Fprintf(out, "\nclipspan check --all %s\n\n", strings.Join(traces, " "))
	cli.Run(ctx, append([]string{"check", "--all"}, traces...), strings.NewReader(""), out, out)
	return nil
}

// agent is one run: one tool call, then one model call with its result.
func agent(ctx context.Context, sink clipspan.Sink, s scenario, file string) (injected, answer string, err error) {
	em := clipspan.NewEmitter(sink, tokens.Estimate,
		clipspan.WithRunID(s.run),
		clipspan.WithIDs(func() string { return s.run + "/tool-14" }))
	read := em.Wrap(clipspan.ToolFunc("read_file", readFile), s.builder)

	ctx = clipspan.ContextWithCall(ctx, clipspan.Call{ID: "call-1", ParentID: "turn-3"})
	injected, err = read.Call(ctx, file)
	if err != nil {
		return "", "", err
	}
	if err := em.Barrier(ctx); err != nil { // the span is on disk before the next model call
		return "", "", err
	}
	return injected, model(systemPrompt, injected), em.Close(ctx)
}

func readFile(_ context.Context, path string) (string, error) {
	b, err := os.ReadFile(path)
	return string(b), err
}

const systemPrompt = "You configure alerts. If no port is given, the default port is 8080."

// model answers from exactly the text that it was given, as a model does.
func model(system, toolResult string) string {
	for line := range strings.Lines(toolResult) {
		if port, ok := strings.CutPrefix(strings.TrimSpace(line), "port: "); ok {
			return "port " + port
		}
	}
	_, fallback, _ := strings.Cut(system, "default port is ")
	return "port " + strings.TrimSuffix(fallback, ".")
}

// showIncident prints the injected slice before the observed body, and where in
// the body the port stood.
func showIncident(out io.Writer, injected, observed string) {
	at := strings.Index(observed, "port: ")
	fmt.Fprintf(out, "read_file returned %d bytes; the prompt holds %d of them\n\n", len(observed), len(injected))
	fmt.Fprintf(out, "end of the injected slice (what the model saw):\n%s\n", indent(lastLines(injected, 3)))
	fmt.Fprintf(out, "end of the observed body (what the trace of a green span shows):\n%s\n", indent(lastLines(observed, 3)))
	seen := "not injected"
	if at < len(injected) {
		seen = "injected"
	}
	fmt.Fprintf(out, "\"port:\" stands at byte %d, line %d of the observed body: %s\n\n",
		at, 1+strings.Count(observed[:at], "\n"), seen)
}

func lastLines(text string, n int) string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}

func indent(text string) string { return "  | " + strings.ReplaceAll(text, "\n", "\n  | ") + "\n" }
