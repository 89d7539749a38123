package tokens_test

import (
	"context"
	"fmt"

	"github.com/clipspan/clipspan/tokens"
)

func ExampleEstimator_CountTokens() {
	for _, text := range []string{
		"Please read the file and tell me which port is used.",
		"找不到指定的文件,请检查路径是否正确。",
		"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
	} {
		n, err := tokens.Estimate.CountTokens(context.Background(), text)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(n, "tokens,", len(text), "bytes,", tokens.Estimate.Source())
	}
	// Output:
	// 12 tokens, 52 bytes, estimate
	// 14 tokens, 55 bytes, estimate
	// 43 tokens, 64 bytes, estimate
}
