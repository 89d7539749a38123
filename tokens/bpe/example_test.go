package bpe_test

import (
	"context"
	"fmt"

	"github.com/clipspan/clipspan/tokens/bpe"
)

func ExampleEncoding_CountTokens() {
	text := "The port is 8080.\n"
	for _, e := range []*bpe.Encoding{bpe.O200kBase(), bpe.CL100kBase()} {
		n, err := e.CountTokens(context.Background(), text)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(n, "tokens,", e.Source())
	}
	fmt.Printf("%q\n", text[:bpe.O200kBase().Cut(text, 3)])
	// Output:
	// 7 tokens, tokenizer:o200k_base
	// 7 tokens, tokenizer:cl100k_base
	// "The port is"
}
