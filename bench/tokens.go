package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/tiktoken-go/tokenizer"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/tokens"
	"github.com/clipspan/clipspan/tokens/bpe"
)

func counting(counter clipspan.TokenCounter, text string) side {
	return side{name: "counting", run: times(func() error {
		_, err := counter.CountTokens(context.Background(), text)
		return err
	})}
}

// tokensTable measures that counting is linear, in the case where tokenizers are
// not, one character over and over; and how fast it is on usual text.
func tokensTable(b *bench) (*table, error) {
	t := &table{title: "Counting tokens, CPU a text"}
	for _, c := range []struct {
		counter    clipspan.TokenCounter
		characters []string
	}{
		{tokens.Estimate, []string{"a"}},
		{bpe.O200kBase(), []string{"a", " ", "\n", "_", "0", "的"}},
	} {
		for _, character := range c.characters {
			repeated := func(size int) string { return strings.Repeat(character, size/len(character)) }
			costs, err := b.compare(counting(c.counter, repeated(96<<10)), counting(c.counter, repeated(32<<10)))
			if err != nil {
				return nil, err
			}
			job := fmt.Sprintf("%s, 96 KB of %q", c.counter.Source(), character)
			t.share(job, costs[0].cpu, costs[1].cpu, "32 KB of it", atMost(4))
			t.allocs(job, costs[0], atMost(0))
		}
	}
	return t, b.addPeer(t)
}

// addPeer compares with the tokenizer for Go that is linear.
func (b *bench) addPeer(t *table) error {
	peer, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		return err
	}
	const english = "The tool returned the whole file, but the prompt builder kept only a part of it, and nobody told the model; it answered from what was left. "
	for _, c := range []struct{ job, text string }{
		{"YAML, 96 KB", result(96 << 10)},
		{"English, 96 KB", strings.Repeat(english, 96<<10/len(english))},
	} {
		costs, err := b.compare(counting(bpe.O200kBase(), c.text), side{name: "tiktoken-go/tokenizer", run: times(func() error {
			_, err := peer.Count(c.text)
			return err
		})})
		if err != nil {
			return err
		}
		t.speedup(c.job, costs[0].cpu, costs[1].cpu, "tiktoken-go/tokenizer", atLeast(4))
		t.allocs(c.job, costs[0], atMost(0))
	}
	return nil
}
