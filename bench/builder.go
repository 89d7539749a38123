package main

import (
	"context"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/builder"
	"github.com/clipspan/clipspan/tokens"
)

// builderTable measures that a cap costs what it keeps, not what it cuts.
func builderTable(b *bench) (*table, error) {
	capped := builder.Chain("bench", builder.MaxTokens(8192, tokens.Estimate))
	build := func(size int) side {
		observation := clipspan.Observation{Text: result(size)}
		return side{name: "cutting", run: times(func() error {
			_, err := capped.Build(context.Background(), observation)
			return err
		})}
	}
	costs, err := b.compare(build(10_000_000), build(100_000))
	if err != nil {
		return nil, err
	}
	t := &table{title: "MaxTokens(8192), CPU a text"}
	t.share("10 MB", costs[0].cpu, costs[1].cpu, "100 KB", atMost(1.5))
	return t, nil
}
