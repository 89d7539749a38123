package main

import (
	"context"
	"strings"

	"github.com/clipspan/clipspan/tokens"
)

// tokensTable measures that counting is linear, in the case where tokenizers are
// not: one character over and over.
func tokensTable(b *bench) (*table, error) {
	count := func(size int) side {
		text := strings.Repeat("a", size)
		return side{name: "counting", run: times(func() error {
			_, err := tokens.Estimate.CountTokens(context.Background(), text)
			return err
		})}
	}
	costs, err := b.compare(count(96<<10), count(32<<10))
	if err != nil {
		return nil, err
	}
	t := &table{title: "Counting tokens, CPU a text"}
	t.share("96 KB of one repeated character", costs[0].cpu, costs[1].cpu, "32 KB of it", atMost(4))
	return t, nil
}
