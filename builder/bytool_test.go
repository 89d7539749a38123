package builder_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/builder"
)

func TestEachToolHasItsOwnPromptBuilder(t *testing.T) {
	tools := map[string]clipspan.Builder{
		"read_file": builder.Chain("files-v1", builder.MaxBytes(50)),
		"search":    builder.Chain("whole", builder.Full()),
	}
	b := builder.ByTool(tools, builder.Chain("rest-v1", builder.MaxBytes(20)))
	tools["shell"] = builder.Chain("whole", builder.Full()) // the map was copied

	for tool, want := range map[string]int{"read_file": 50, "search": 100, "shell": 20, "": 20} {
		in, err := b.Build(t.Context(), clipspan.Observation{Tool: tool, Text: lined(20)[:100]})
		require.NoError(t, err)
		assert.Len(t, in.Text, want, tool)
	}
}

func TestTheVersionOfPoliciesByToolChangesWithEachOfThem(t *testing.T) {
	version := func(tool string, limit, rest int64) string {
		return builder.ByTool(map[string]clipspan.Builder{tool: builder.Chain("v1", builder.MaxBytes(limit))},
			builder.Chain("rest", builder.MaxBytes(rest))).Version()
	}
	seen := map[string]bool{}
	for _, v := range []string{version("a", 1, 1), version("b", 1, 1), version("a", 2, 1), version("a", 1, 2)} {
		assert.Regexp(t, `^rest\+[0-9a-f]{4}\+[0-9a-f]{4}$`, v)
		assert.False(t, seen[v], v)
		seen[v] = true
	}
	assert.Equal(t, version("a", 1, 1), version("a", 1, 1))
}
