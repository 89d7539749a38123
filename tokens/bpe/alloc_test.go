//go:build !race

package bpe_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/clipspan/clipspan/tokens/bpe"
)

func TestCountingAllocatesNothing(t *testing.T) {
	for _, e := range []*bpe.Encoding{bpe.O200kBase(), bpe.CL100kBase()} {
		text := strings.Repeat("port: 8080 # 设置 Zxqwvbn\r\n", 100) + strings.Repeat("_", 5000)
		e.Encode(text) // makes the scratch memory
		assert.Zero(t, testing.AllocsPerRun(50, func() { _, _ = e.CountTokens(t.Context(), text) }))
	}
}
