package main

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/trace"
)

func TestTheForgottenCutIsASilentClip(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, loop(t.Context(), clipspan.NewJSONLSink(&out), script))
	verdicts := map[string]clipspan.Verdict{}
	for r, err := range trace.Read("stdout", &out) {
		require.NoError(t, err)
		if s, ok := r.(*clipspan.Span); ok {
			verdicts[s.Name] = clipspan.Classify(s).Verdict
		}
	}
	assert.Equal(t, map[string]clipspan.Verdict{
		"list_files": clipspan.VerdictOK,
		"read_file":  clipspan.VerdictSilentClip,
	}, verdicts)
}
