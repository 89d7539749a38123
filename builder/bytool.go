package builder

import (
	"context"
	"maps"
	"slices"

	"github.com/clipspan/clipspan"
)

// ByTool is a prompt builder that leaves each result to the one of its tool, and
// those of other tools to the fallback. Its version is that of the fallback with a
// fingerprint of all the others: each of them changes it. The map is copied.
func ByTool(tools map[string]clipspan.Builder, fallback clipspan.Builder) clipspan.Builder {
	var settings []string
	for _, name := range slices.Sorted(maps.Keys(tools)) {
		settings = append(settings, name+" "+tools[name].Version())
	}
	return &byTool{
		version:  fallback.Version() + "+" + fingerprint(settings),
		tools:    maps.Clone(tools),
		fallback: fallback,
	}
}

type byTool struct {
	version  string
	tools    map[string]clipspan.Builder
	fallback clipspan.Builder
}

func (b *byTool) Version() string { return b.version }

func (b *byTool) Build(ctx context.Context, o clipspan.Observation) (clipspan.Injection, error) {
	chosen, ok := b.tools[o.Tool]
	if !ok {
		chosen = b.fallback
	}
	if t := turnOf(ctx); t != nil && !meets(chosen) {
		defer t.arrive() // it does not know of turns, and the others must not wait for it
	}
	return chosen.Build(ctx, o)
}

// meets reports whether a prompt builder takes part in turns by itself.
func meets(b clipspan.Builder) bool {
	switch b.(type) {
	case *chain, *byTool:
		return true
	default:
		return false
	}
}
