package housetest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// source is one parsed Go file.
type source struct {
	*ast.File
	fset *token.FileSet
}

func (s source) at(n ast.Node) token.Position { return s.fset.Position(n.Pos()) }

// sources are all Go files of a package that are no tests, whatever platform
// they are for.
func sources(t *testing.T, p pkg) (files []source) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(p.Dir, "*.go"))
	require.NoError(t, err)
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		require.NoError(t, err)
		files = append(files, source{file, fset})
	}
	return files
}

// forbiddenImports are what a library has no business with: it doesn't log, takes
// no signals, has no state that others share, and stays within the language.
var forbiddenImports = []string{"C", "expvar", "flag", "log", "log/slog", "os/signal", "testing", "unsafe"}

// importsAllowed are the packages whose very subject one of those is.
var importsAllowed = map[string]string{"clipspantest": "testing", "slogsink": "log/slog"}

// forbiddenNames reach past the host: its environment, its output, its life.
var forbiddenNames = []string{
	"os.Getenv", "os.LookupEnv", "os.Environ", "os.ExpandEnv", "os.Setenv", "os.Exit",
	"os.Stdin", "os.Stdout", "os.Stderr", "os.Args", "fmt.Print", "fmt.Printf", "fmt.Println",
}

func TestNoLibraryReachesPastItsHost(t *testing.T) {
	for _, p := range libraries(t) {
		for _, file := range sources(t, p) {
			for _, spec := range file.Imports {
				path, err := strconv.Unquote(spec.Path.Value)
				require.NoError(t, err)
				forbidden := slices.Contains(forbiddenImports, path) && importsAllowed[p.path()] != path
				assert.False(t, forbidden, "%s: a library must not import %s", file.at(spec), path)
			}
			ast.Inspect(file.File, func(n ast.Node) bool {
				if name := qualified(n); slices.Contains(forbiddenNames, name) {
					t.Errorf("%s: a library must not use %s", file.at(n), name)
				}
				return true
			})
		}
	}
}

// qualified is the text of a node of the form package.Name, else "".
func qualified(n ast.Node) string {
	if selector, ok := n.(*ast.SelectorExpr); ok {
		if pkg, ok := selector.X.(*ast.Ident); ok {
			return pkg.Name + "." + selector.Sel.Name
		}
	}
	return ""
}

func TestNoLibraryStoresAContextInAStruct(t *testing.T) {
	for _, p := range libraries(t) {
		for _, file := range sources(t, p) {
			ast.Inspect(file.File, func(n ast.Node) bool {
				if structure, ok := n.(*ast.StructType); ok && storesContext(structure) {
					t.Errorf("%s: a struct must not store a context", file.at(n))
				}
				return true
			})
		}
	}
}

// storesContext reports whether a field of the struct is a context. A struct that
// embeds one is itself a context, made from its parent.
func storesContext(structure *ast.StructType) bool {
	return slices.ContainsFunc(structure.Fields.List, func(field *ast.Field) bool {
		return len(field.Names) > 0 && qualified(field.Type) == "context.Context"
	})
}

func TestEveryPackageAndExportedNameHasADocComment(t *testing.T) {
	for _, p := range packages(t) {
		files := sources(t, p)
		documented := slices.ContainsFunc(files, func(f source) bool { return f.Doc != nil })
		assert.True(t, documented || len(files) == 0, "package %s has no doc comment", p.ImportPath)
		if !p.public() {
			continue
		}
		for _, file := range files {
			for _, decl := range file.Decls {
				for _, name := range undocumented(decl) {
					t.Errorf("%s: %s has no doc comment", file.at(decl), name)
				}
			}
		}
	}
}

// undocumented are the exported names of a declaration that no comment explains.
// One comment on a group of constants or variables explains all of them.
func undocumented(decl ast.Decl) (names []string) {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Doc == nil && d.Name.IsExported() && (d.Recv == nil || exportedReceiver(d.Recv)) {
			names = append(names, d.Name.Name)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				if d.Doc == nil && s.Doc == nil && s.Name.IsExported() {
					names = append(names, s.Name.Name)
				}
			case *ast.ValueSpec:
				explained := d.Doc != nil || s.Doc != nil || s.Comment != nil
				for _, name := range s.Names {
					if !explained && name.IsExported() {
						names = append(names, name.Name)
					}
				}
			}
		}
	}
	return names
}

// exportedReceiver reports whether the methods of a receiver's type can be seen.
func exportedReceiver(receiver *ast.FieldList) bool {
	return ast.IsExported(receiverName(receiver.List[0].Type))
}

// receiverName is the type name of a receiver such as *T or T[P].
func receiverName(expr ast.Expr) string {
	switch e := expr.(type) {
	case *ast.StarExpr:
		return receiverName(e.X)
	case *ast.IndexExpr:
		return receiverName(e.X)
	case *ast.IndexListExpr:
		return receiverName(e.X)
	case *ast.Ident:
		return e.Name
	default:
		return ""
	}
}

var (
	citation     = regexp.MustCompile(`\(RECORDS, ([^)]*)\)`)
	commentBreak = regexp.MustCompile(`\s*\n\s*//\s*`)
	heading      = regexp.MustCompile(`(?m)^## (.*)$`)
)

func TestCodeCitesSectionsOfTheRecordsPageThatExist(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(root, "docs", "records.md"))
	require.NoError(t, err)
	sections := []string{"opening section"}
	for _, match := range heading.FindAllStringSubmatch(string(page), -1) {
		sections = append(sections, match[1])
	}

	cited := 0
	for _, p := range packages(t) {
		names, err := filepath.Glob(filepath.Join(p.Dir, "*.go"))
		require.NoError(t, err)
		for _, name := range names {
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			joined := commentBreak.ReplaceAllString(string(text), " ")
			for _, match := range citation.FindAllStringSubmatch(joined, -1) {
				if p.path() == "internal/housetest" {
					continue
				}
				cited++
				section, _, _ := strings.Cut(match[1], ":") // a rule of the section may follow
				assert.Contains(t, sections, section, name)
			}
		}
	}
	assert.NotZero(t, cited)
}
