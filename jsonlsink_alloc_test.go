//go:build !race

// The race detector makes pools forget, so allocations are counted without it.

package clipspan_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/clipspan/clipspan"
)

func TestEmitAllocatesNothing(t *testing.T) {
	for name, opts := range map[string][]clipspan.JSONLOption{
		"with a deadline":    nil,
		"without a deadline": {clipspan.WithWriteDeadline(0)},
		"shared":             {clipspan.Shared()},
	} {
		t.Run(name, func(t *testing.T) {
			sink := openJSONL(t, filepath.Join(t.TempDir(), "run.jsonl"), opts...)
			dir, err := clipspan.OpenJSONLDir(t.TempDir(), opts...)
			require.NoError(t, err)
			defer dir.Close()
			for _, s := range []clipspan.Sink{sink, dir} {
				record := span("a")
				allocs := testing.AllocsPerRun(200, func() { _ = s.Emit(t.Context(), record) })
				assert.Zero(t, allocs)
			}
		})
	}
}
