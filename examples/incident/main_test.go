package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/trace"
)

func TestTheFileIsTheIncidents(t *testing.T) {
	body := productionYAML()
	assert.Len(t, body, 96412)
	assert.Greater(t, strings.Index(body, "port: "), 96000)
}

func TestTheTraceShowsWhyTheModelAnsweredAsItDid(t *testing.T) {
	var out bytes.Buffer
	dir := filepath.Join(t.TempDir(), "traces")
	require.NoError(t, run(t.Context(), &out, dir))
	for name, c := range map[string]struct {
		verdict clipspan.Verdict
		answer  string
	}{
		"incident": {clipspan.VerdictClipped, "port 8080"},
		"silent":   {clipspan.VerdictSilentClip, "port 8080"},
		"wider":    {clipspan.VerdictOK, "port 8443"},
		"swapped":  {clipspan.VerdictHashMismatch, "port 8080"},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := os.Open(filepath.Join(dir, name+".jsonl"))
			require.NoError(t, err)
			defer f.Close()
			var spans []*clipspan.Span
			for r, err := range trace.Read(f.Name(), f) {
				require.NoError(t, err)
				if s, ok := r.(*clipspan.Span); ok {
					spans = append(spans, s)
				}
			}
			require.Len(t, spans, 1)
			s := spans[0]
			assert.Equal(t, c.verdict, clipspan.Classify(s).Verdict)
			assert.Equal(t, clipspan.Known(96412), s.ObservedBytes)
			assert.LessOrEqual(t, s.InjectedTokens.Or(0), int64(65536))
			assert.Regexp(t, `(?m)^`+name+` .*model says: `+c.answer+`$`, out.String())
		})
	}
	text := out.String()
	injected, observed := strings.Index(text, "injected slice"), strings.Index(text, "observed body")
	assert.True(t, 0 <= injected && injected < observed, "the injected slice comes first")
	assert.Contains(t, text, `"port:" stands at byte 96389, line `)
	assert.Regexp(t, `silent_clip +silent/tool-14 +read_file +96412`, text)
	assert.Regexp(t, `hash_mismatch +swapped/tool-14`, text)
}

func TestTheReadmeShowsThisVeryOutput(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	require.NoError(t, err)
	_, block, _ := strings.Cut(string(readme), "```text\n")
	block, _, found := strings.Cut(block, "```")
	require.True(t, found)

	t.Chdir(t.TempDir())
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), &out, "traces"))
	for line := range strings.Lines(block) {
		if line != "…\n" {
			assert.Contains(t, filepath.ToSlash(out.String()), line)
		}
	}
}

func TestAReplayBeginsAnew(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "traces")
	var first, second bytes.Buffer
	require.NoError(t, run(t.Context(), &first, dir))
	require.NoError(t, run(t.Context(), &second, dir))
	assert.Equal(t, first.String(), second.String())
}
