package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/clipspan/clipspan/clipspantest"
	"github.com/clipspan/clipspan/internal/cli"
	"github.com/clipspan/clipspan/tokens"
)

func TestTheQuickstartLeavesATrustworthyTrace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl")
	require.NoError(t, agent(t.Context(), path))
	var out bytes.Buffer
	code := cli.Run(t.Context(), []string{"check", "--all", path}, strings.NewReader(""), &out, &out)
	assert.Zero(t, code, out.String())
	assert.Regexp(t, `clipped .* read_logs +4800 +1000 .*tool_result_char_limit,ratio=0.80`, out.String())
	assert.Regexp(t, `ok .* read_logs +480 +480`, out.String())
}

func TestTheBuilderIsFitToBeCopied(t *testing.T) {
	clipspantest.RunBuilder(t, capLogs, tokens.Estimate)
}

func TestTheReadmeShowsThisVeryCode(t *testing.T) {
	source, err := os.ReadFile("main.go")
	require.NoError(t, err)
	_, rest, _ := strings.Cut(string(source), "// README:begin\n")
	code, _, found := strings.Cut(rest, "\n// README:end")
	require.True(t, found)
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	require.NoError(t, err)
	_, block, _ := strings.Cut(string(readme), "```go\n")
	block, _, _ = strings.Cut(block, "```")
	assert.Equal(t, strings.TrimSpace(code), strings.TrimSpace(block))
}
