package housetest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/clipspan/clipspan"

// root is the top folder of the repository.
var root = filepath.Join("..", "..")

// platforms are those that the library is built for; what a package imports may
// differ between them.
var platforms = []string{"linux", "darwin", "windows"}

// pkg is a package of the root module as go list describes it.
type pkg struct {
	ImportPath string
	Name       string
	Dir        string
	Imports    []string
	Standard   bool
}

// path is the package's folder below the root, "" for the root package.
func (p pkg) path() string {
	return strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
}

// library reports whether the package is one that other people's programs link,
// directly or not: all but the command, the examples and the tests' own.
func (p pkg) library() bool {
	path := p.path()
	for _, prefix := range []string{"cmd/", "examples/", "internal/cli", "internal/housetest", "internal/doctest"} {
		if strings.HasPrefix(path, prefix) {
			return false
		}
	}
	return p.Name != "main"
}

// public reports whether the package can be imported from outside.
func (p pkg) public() bool {
	return p.library() && !strings.HasPrefix(p.path(), "internal/")
}

// goCommand runs the go command in the top folder, for one platform without cgo,
// and returns what it prints.
func goCommand(goos string, args ...string) ([]byte, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+goos, "GOWORK=off")
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = fmt.Errorf("%w\n%s", err, exit.Stderr)
	}
	if err != nil {
		err = fmt.Errorf("running go %s: %w", strings.Join(args, " "), err)
	}
	return out, err
}

// list is what go list tells about the packages that args name.
func list(goos string, args ...string) (pkgs []pkg, err error) {
	out, err := goCommand(goos, append([]string{"list", "-json=ImportPath,Name,Dir,Imports,Standard"}, args...)...)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(out))
	for {
		var p pkg
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return pkgs, nil
		} else if err != nil {
			return nil, err
		}
		pkgs = append(pkgs, p)
	}
}

// listAll lists all packages of the root module once, with what they import on
// any platform.
var listAll = sync.OnceValues(func() (all []pkg, err error) {
	byPath := map[string]int{}
	for _, goos := range platforms {
		pkgs, err := list(goos, "./...")
		if err != nil {
			return nil, err
		}
		for _, p := range pkgs {
			if i, known := byPath[p.ImportPath]; known {
				all[i].Imports = append(all[i].Imports, p.Imports...)
				continue
			}
			byPath[p.ImportPath] = len(all)
			all = append(all, p)
		}
	}
	for i := range all {
		slices.Sort(all[i].Imports)
		all[i].Imports = slices.Compact(all[i].Imports)
	}
	return all, nil
})

// packages are all packages of the root module.
func packages(t *testing.T) []pkg {
	t.Helper()
	all, err := listAll()
	require.NoError(t, err)
	require.NotEmpty(t, all)
	return all
}

// libraries are those that other people's programs link, directly or not.
func libraries(t *testing.T) []pkg {
	t.Helper()
	return slices.DeleteFunc(slices.Clone(packages(t)), func(p pkg) bool { return !p.library() })
}
