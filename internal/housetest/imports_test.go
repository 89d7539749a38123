package housetest

import (
	"debug/buildinfo"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	uuid        = "github.com/google/uuid"
	zap         = "go.uber.org/zap"
	testify     = "github.com/stretchr/testify"
	cobra       = "github.com/spf13/cobra"
	pflag       = "github.com/spf13/pflag" // cobra's own flags
	progressbar = "github.com/schollz/progressbar/v3"
	uniseg      = "github.com/rivo/uniseg" // which progressbar needs, too
	text        = "golang.org/x/text"
)

// room is what a package may import besides the standard library and the small
// shared pieces below internal/.
type room struct {
	ours   []string // packages of this module, "" for the root
	others []string // modules of others
}

// layout lists every package of the module. Arrows point one way: the command to
// the libraries, the libraries to the root, the root to nothing.
var layout = map[string]room{
	"":             {others: []string{uuid}},
	"builder":      {ours: []string{"", "tokens"}, others: []string{uniseg, text}},
	"tokens":       {ours: []string{""}},
	"tokens/bpe":   {ours: []string{""}},
	"trace":        {ours: []string{""}},
	"store":        {ours: []string{""}},
	"recut":        {ours: []string{"", "builder", "store"}},
	"wire":         {ours: []string{"", "tokens"}},
	"transcript":   {ours: []string{"", "trace", "tokens"}},
	"transcript/*": {ours: []string{"", "trace", "tokens", "transcript"}},
	"clipspantest": {ours: []string{"", "trace"}, others: []string{testify}},
	"zapsink":      {ours: []string{""}, others: []string{zap}},
	"slogsink":     {ours: []string{""}},
	"report":       {ours: []string{"", "trace", "store"}},
	"internal/*":   {},
	"internal/cli": {ours: []string{
		"", "builder", "tokens", "tokens/bpe", "trace", "store", "recut", "wire", "transcript", "transcript/*", "report",
	}, others: []string{cobra, pflag, progressbar, uniseg}},
	"internal/doctest":   {},
	"internal/housetest": {},
	"cmd/clipspan":       {ours: []string{"internal/cli"}},
	// It prints the checker's table, as the command does.
	"examples/incident": {ours: []string{"", "tokens", "internal/cli"}},
	"examples/*":        {ours: []string{"", "builder", "tokens", "tokens/bpe", "trace", "store", "recut", "wire"}},
}

// key is the name under which the layout lists a package: its own, or that of
// all packages in its folder.
func key(path string) string {
	if _, listed := layout[path]; listed {
		return path
	}
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		return path[:i] + "/*"
	}
	return path
}

// mayImport reports whether the layout lets a package import another one.
func (r room) mayImport(p pkg, imported string) bool {
	path, ours := strings.CutPrefix(imported, module)
	path = strings.TrimPrefix(path, "/")
	switch {
	case ours && strings.HasPrefix(path, "internal/") && key(path) == "internal/*":
		return !strings.HasPrefix(p.path(), "examples/")
	case ours:
		return slices.Contains(r.ours, key(path))
	case strings.Contains(strings.SplitN(imported, "/", 2)[0], "."):
		return slices.ContainsFunc(r.others, func(m string) bool {
			return imported == m || strings.HasPrefix(imported, m+"/")
		})
	default:
		return true // the standard library
	}
}

func TestEveryPackageImportsOnlyWhatTheLayoutAllows(t *testing.T) {
	for _, p := range packages(t) {
		r, listed := layout[key(p.path())]
		assert.True(t, listed, "%s has no room in the layout: give it one, with what it may import", p.ImportPath)
		for _, imported := range p.Imports {
			assert.True(t, !listed || r.mayImport(p, imported), "%s must not import %s", p.ImportPath, imported)
		}
	}
}

func TestTheRootPackageNeedsNothingButTheStandardLibraryAndUUID(t *testing.T) {
	for _, goos := range platforms {
		needed, err := list(goos, "-deps", ".")
		require.NoError(t, err)
		for _, p := range needed {
			allowed := p.Standard || p.ImportPath == module || p.ImportPath == uuid ||
				strings.HasPrefix(p.ImportPath, module+"/internal/")
			assert.True(t, allowed, "on %s the root package needs %s", goos, p.ImportPath)
		}
	}
}

func TestAProgramThatUsesTheRootPackageHoldsUUIDAlone(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "rootonly")
	_, err := goCommand(runtime.GOOS, "build", "-buildvcs=false", "-o", binary, "./internal/housetest/testdata/rootonly")
	require.NoError(t, err)
	info, err := buildinfo.ReadFile(binary)
	require.NoError(t, err)

	var deps []string
	for _, dep := range info.Deps {
		deps = append(deps, dep.Path)
	}
	assert.Equal(t, []string{uuid}, deps)
}
