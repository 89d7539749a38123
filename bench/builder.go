package main

import (
	"context"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/builder"
	"github.com/clipspan/clipspan/tokens"
	"github.com/clipspan/clipspan/tokens/bpe"
)

// builderTable measures that a cap costs what it keeps, not what it cuts.
func builderTable(b *bench) (*table, error) {
	t := &table{title: "MaxTokens(8192), CPU a text"}
	for _, counter := range []clipspan.TokenCounter{tokens.Estimate, bpe.O200kBase()} {
		capped := builder.Chain("bench", builder.MaxTokens(8192, counter))
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
		t.share(string(counter.Source())+", 10 MB", costs[0].cpu, costs[1].cpu, "100 KB", atMost(1.5))
	}
	return t, nil
}
