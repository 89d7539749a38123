package housetest

import (
	"flag"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the API listing instead of comparing with it")

// TestAPIListing compares what the public packages export with the files in api/,
// so that a change of it shows in review. It fails for additions too: make api
// writes the files anew.
func TestAPIListing(t *testing.T) {
	listed := map[string]string{}
	for _, p := range packages(t) {
		if p.public() {
			listed[listingFile(p)] = listing(t, p)
		}
	}
	if *update {
		writeListings(t, listed)
	}

	files, err := filepath.Glob(filepath.Join(root, "api", "*.txt"))
	require.NoError(t, err)
	found := map[string]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		found[filepath.Base(file)] = string(text)
	}
	for name, text := range listed {
		if difference := difference(found[name], text); difference != "" {
			t.Errorf("api/%s is not what the package exports; run make api:\n%s", name, difference)
		}
	}
	for name := range found {
		assert.Contains(t, listed, name, "api/%s lists a package that does not exist: run make api", name)
	}
}

// difference are the lines that only one of two listings has.
func difference(listed, exported string) string {
	var b strings.Builder
	for line := range strings.Lines(listed) {
		if !strings.Contains("\n"+exported, "\n"+line) {
			b.WriteString("- " + line)
		}
	}
	for line := range strings.Lines(exported) {
		if !strings.Contains("\n"+listed, "\n"+line) {
			b.WriteString("+ " + line)
		}
	}
	return b.String()
}

// listingFile is the name of a package's file in api/.
func listingFile(p pkg) string {
	if p.path() == "" {
		return p.Name + ".txt"
	}
	return strings.ReplaceAll(p.path(), "/", "-") + ".txt"
}

func writeListings(t *testing.T, listed map[string]string) {
	t.Helper()
	dir := filepath.Join(root, "api")
	require.NoError(t, os.RemoveAll(dir))
	require.NoError(t, os.Mkdir(dir, 0o755))
	for name, text := range listed {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
}

// listing is one line for each exported name, field and method of a package,
// sorted. It goes by syntax alone, so that no release of Go changes it.
func listing(t *testing.T, p pkg) string {
	t.Helper()
	var lines []string
	for _, file := range sources(t, p) {
		for _, decl := range file.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				lines = append(lines, funcLines(d)...)
			case *ast.GenDecl:
				lines = append(lines, genLines(d)...)
			}
		}
	}
	slices.Sort(lines)
	return strings.Join(slices.Compact(lines), "\n") + "\n"
}

func funcLines(d *ast.FuncDecl) []string {
	switch {
	case !d.Name.IsExported():
		return nil
	case d.Recv == nil:
		return []string{"func " + d.Name.Name + parameters(d.Type.TypeParams) + signature(d.Type)}
	case !exportedReceiver(d.Recv):
		return nil
	default:
		receiver := typeText(d.Recv.List[0].Type)
		return []string{"method (" + receiver + ") " + d.Name.Name + signature(d.Type)}
	}
}

func genLines(d *ast.GenDecl) (lines []string) {
	var group constants
	for i, spec := range d.Specs {
		switch s := spec.(type) {
		case *ast.TypeSpec:
			if s.Name.IsExported() {
				lines = append(lines, typeLines(s)...)
			}
		case *ast.ValueSpec:
			if d.Tok == token.CONST {
				lines = append(lines, group.lines(s, i)...)
			} else {
				lines = append(lines, variableLines(s)...)
			}
		}
	}
	return lines
}

// constants is a group of constants, in which one that gives no value repeats
// the type and the value before it.
type constants struct {
	typ    ast.Expr
	values []ast.Expr
}

func (c *constants) lines(s *ast.ValueSpec, iota int) (lines []string) {
	if len(s.Values) > 0 {
		c.typ, c.values = s.Type, s.Values
	}
	for i, name := range s.Names {
		if !name.IsExported() {
			continue
		}
		value := types.ExprString(c.values[i])
		if strings.Contains(value, "iota") {
			value += ", iota " + strconv.Itoa(iota)
		}
		lines = append(lines, "const "+name.Name+optional(c.typ)+" = "+value)
	}
	return lines
}

func variableLines(s *ast.ValueSpec) (lines []string) {
	for _, name := range s.Names {
		if name.IsExported() {
			lines = append(lines, "var "+name.Name+optional(s.Type))
		}
	}
	return lines
}

// typeLines are a line for the type and one for each exported field or method.
func typeLines(s *ast.TypeSpec) []string {
	head := "type " + s.Name.Name + parameters(s.TypeParams)
	if s.Assign.IsValid() {
		return []string{head + " = " + typeText(s.Type)}
	}
	switch typ := s.Type.(type) {
	case *ast.StructType:
		return append([]string{head + " struct"}, fieldLines(head+" struct, ", typ)...)
	case *ast.InterfaceType:
		return append([]string{head + " interface"}, methodLines(head+" interface, ", typ)...)
	default:
		return []string{head + " " + typeText(s.Type)}
	}
}

func fieldLines(head string, typ *ast.StructType) (lines []string) {
	for _, field := range typ.Fields.List {
		if len(field.Names) == 0 && ast.IsExported(embeddedName(field.Type)) {
			lines = append(lines, head+"embedded "+typeText(field.Type))
		}
		for _, name := range field.Names {
			if name.IsExported() {
				lines = append(lines, head+name.Name+" "+typeText(field.Type))
			}
		}
	}
	return lines
}

// embeddedName is the field name that an embedded type has.
func embeddedName(typ ast.Expr) string {
	if selector, ok := typ.(*ast.SelectorExpr); ok {
		return selector.Sel.Name
	}
	return receiverName(typ)
}

func methodLines(head string, typ *ast.InterfaceType) (lines []string) {
	for _, method := range typ.Methods.List {
		if len(method.Names) == 0 {
			lines = append(lines, head+"embedded "+typeText(method.Type))
			continue
		}
		if name := method.Names[0]; name.IsExported() {
			lines = append(lines, head+name.Name+signature(method.Type.(*ast.FuncType)))
		} else {
			lines = append(lines, head+"unexported methods")
		}
	}
	return lines
}

// signature is the parameters and results of a function, without their names.
func signature(typ *ast.FuncType) string {
	text := "(" + strings.Join(fieldTypes(typ.Params), ", ") + ")"
	switch results := fieldTypes(typ.Results); len(results) {
	case 0:
		return text
	case 1:
		return text + " " + results[0]
	default:
		return text + " (" + strings.Join(results, ", ") + ")"
	}
}

func fieldTypes(list *ast.FieldList) (texts []string) {
	if list == nil {
		return nil
	}
	for _, field := range list.List {
		for range max(1, len(field.Names)) {
			texts = append(texts, typeText(field.Type))
		}
	}
	return texts
}

// parameters are type parameters in their brackets, or "".
func parameters(list *ast.FieldList) string {
	if list == nil {
		return ""
	}
	var texts []string
	for _, field := range list.List {
		for _, name := range field.Names {
			texts = append(texts, name.Name+" "+typeText(field.Type))
		}
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

// optional is a type after a space, or "" if none is given.
func optional(typ ast.Expr) string {
	if typ == nil {
		return ""
	}
	return " " + typeText(typ)
}

// typeText is a type as Go writes it; that of a function goes without the names of
// its parameters.
func typeText(typ ast.Expr) string {
	if function, ok := typ.(*ast.FuncType); ok {
		return "func" + signature(function)
	}
	return types.ExprString(typ)
}
