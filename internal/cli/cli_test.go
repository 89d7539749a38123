package cli

import (
	"compress/gzip"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write what the command prints into the scripts instead of comparing it")

// TestScripts runs the specification of the command, one behaviour a script.
func TestScripts(t *testing.T) {
	scripts, err := filepath.Abs(filepath.Join("testdata", "script")) // as the folder changes
	require.NoError(t, err)
	testscript.Run(t, testscript.Params{
		Dir:                scripts,
		UpdateScripts:      *update,
		RequireUniqueNames: true,
		Condition:          scriptCondition,
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"clipspan": scriptClipspan,
			"exits":    scriptExits,
			"write":    scriptWrite,
			"gzip":     scriptGzip,
			"cut":      scriptCut,
		},
	})
}

// directory is held by the script that the process's folder belongs to.
var directory sync.Mutex

// scriptClipspan runs the command within the test: clipspan ARGS... [< FILE]. It
// must exit 0, and with ! before it 1.
func scriptClipspan(ts *testscript.TestScript, neg bool, args []string) {
	want := exitTrusted
	if neg {
		want = exitNotTrusted
	}
	runScripted(ts, want, args)
}

// scriptExits runs the command for any exit code: exits 2 clipspan ARGS...
func scriptExits(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	runScripted(ts, want, args[2:])
}

func runScripted(ts *testscript.TestScript, want int, args []string) {
	stdin := ""
	if n := len(args); n > 1 && args[n-2] == "<" {
		args, stdin = args[:n-2], ts.ReadFile(args[n-1])
	}
	for i, arg := range args {
		args[i] = unquoted(ts, arg)
	}
	directory.Lock()
	defer directory.Unlock()
	home, err := os.Getwd()
	ts.Check(err)
	ts.Check(os.Chdir(ts.MkAbs(".")))
	defer os.Chdir(home)

	a := newApp(strings.NewReader(stdin), ts.Stdout(), ts.Stderr())
	a.getenv = ts.Getenv
	if code := a.run(context.Background(), args); code != want {
		ts.Fatalf("exit code %d, want %d", code, want)
	}
}

// unquoted is what a word in the quotes of Go stands for, and any other word.
func unquoted(ts *testscript.TestScript, word string) string {
	if !strings.HasPrefix(word, `"`) {
		return word
	}
	text, err := strconv.Unquote(word)
	ts.Check(err)
	return text
}

// scriptCondition knows [root], whom no file mode keeps from reading.
func scriptCondition(condition string) (bool, error) {
	if condition == "root" {
		return os.Geteuid() == 0, nil
	}
	return false, fmt.Errorf("unknown condition %q", condition)
}

// scriptWrite writes a quoted Go string to a file: write FILE "text\n".
func scriptWrite(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(os.WriteFile(ts.MkAbs(unquoted(ts, args[0])), []byte(unquoted(ts, args[1])), 0o600))
}

// scriptGzip appends the packed form of a file to another: gzip FILE PACKED.
func scriptGzip(ts *testscript.TestScript, _ bool, args []string) {
	f, err := os.OpenFile(ts.MkAbs(args[1]), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	ts.Check(err)
	z := gzip.NewWriter(f)
	_, err = z.Write([]byte(ts.ReadFile(args[0])))
	ts.Check(err)
	ts.Check(z.Close())
	ts.Check(f.Close())
}

// scriptCut removes bytes from the end of a file: cut FILE N.
func scriptCut(ts *testscript.TestScript, _ bool, args []string) {
	n, err := strconv.ParseInt(args[1], 10, 64)
	ts.Check(err)
	name := ts.MkAbs(args[0])
	info, err := os.Stat(name)
	ts.Check(err)
	ts.Check(os.Truncate(name, info.Size()-n))
}
