package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"os"

	"github.com/clipspan/clipspan"
)

// wrapTable measures what recording a tool call costs above the floor: a hash of
// each text, and one write of a record that is ready.
func wrapTable(b *bench) (*table, error) {
	t := &table{title: "Wrap with all defaults on, CPU a span, against two hashes and one write"}
	limits := []goal{atMost(2.0), atMost(0.80), atMost(1.02)}
	for i, x := range exchanges {
		wrapped, line, err := b.wrap(x)
		if err != nil {
			return nil, err
		}
		unguarded, _, err := b.wrap(x, clipspan.WithWriteDeadline(0))
		if err != nil {
			return nil, err
		}
		floor, err := b.floor(x, line)
		if err != nil {
			return nil, err
		}
		costs, err := b.compare(wrapped, floor, unguarded)
		if err != nil {
			return nil, err
		}
		t.share(x.job, costs[0].cpu, costs[1].cpu, floor.name, limits[i])
		t.allocs(x.job, costs[0], atMost(2))
		t.share(x.job+", without the sink's deadline", costs[2].cpu, costs[1].cpu, floor.name, goal{})
	}
	return t, nil
}

// wrap is a wrapped tool onto a file that is kept open, and a line that it wrote.
// The prompt builder counts the tokens.
func (b *bench) wrap(x exchange, opts ...clipspan.JSONLOption) (side, []byte, error) {
	f, err := b.newFile("wrap-*.jsonl")
	if err != nil {
		return side{}, nil, err
	}
	sink, err := clipspan.OpenJSONL(f.Name(), opts...)
	if err != nil {
		return side{}, nil, err
	}
	tool := clipspan.NewEmitter(sink, nil).Wrap(
		clipspan.ToolFunc("read_file", func(context.Context, string) (string, error) { return x.observed, nil }),
		clipspan.BuilderFunc("cap-v3", func(context.Context, clipspan.Observation) (clipspan.Injection, error) {
			return clipspan.Injection{
				Text: x.injected, Reason: x.reason,
				Tokens: clipspan.Known(x.tokens()), TokenSource: clipspan.TokensEstimated,
			}, nil
		}))
	ctx := clipspan.ContextWithCall(context.Background(), clipspan.Call{ID: "toolu_01A09q90qw90lq917835lq9", ParentID: "turn-3"})
	once := func() error {
		_, err := tool.Call(ctx, `{"path":"production.yaml"}`)
		return err
	}
	for range 1000 { // so that the line is one of a run that has gone on for a while
		if err := once(); err != nil {
			return side{}, nil, err
		}
	}
	written, err := os.ReadFile(f.Name())
	if err != nil {
		return side{}, nil, err
	}
	lines := bytes.SplitAfter(written, []byte("\n"))
	if len(lines) != 1001 {
		return side{}, nil, fmt.Errorf("%d lines for 1000 calls", len(lines)-1)
	}
	return side{"Wrap", times(once), f}, lines[999], nil
}

// floor is what no recorder can do without.
func (b *bench) floor(x exchange, line []byte) (side, error) {
	f, err := b.newFile("floor-*.jsonl")
	if err != nil {
		return side{}, err
	}
	observed, injected := x.bytes()
	return side{"two hashes and one write", times(func() error {
		_, _ = sha256.Sum256(observed), sha256.Sum256(injected)
		_, err := f.Write(line)
		return err
	}), f}, nil
}
