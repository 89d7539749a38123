package clipspan_test

import (
	"context"
	"flag"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/clipspan/clipspan"
)

// full makes the stress tests run at the length that the design asks for, which
// takes minutes.
var full = flag.Bool("clipspan.full", false, "run the stress tests at full length")

// scale is how often a stress test does what it does.
func scale(quick, atFullLength int) int {
	if *full {
		return atFullLength
	}
	return quick
}

// childEnv holds the words that a test gave to a child process: the same test
// in a process of its own, which can be killed, limited or given another umask.
const childEnv = "CLIPSPAN_TEST_CHILD"

const wordSeparator = "\x1f"

// childWords are the words that this process was started with, or nil if it is
// no child.
func childWords() []string {
	if text, ok := os.LookupEnv(childEnv); ok {
		return strings.Split(text, wordSeparator)
	}
	return nil
}

// childCommand runs the same test in a child. Its standard output is for the test
// to read, so the child must end by os.Exit.
func childCommand(t *testing.T, words ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self, "-test.run=^"+t.Name()+"$")
	// The race detector would make every child wait for a second before it ends.
	cmd.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0", childEnv+"="+strings.Join(words, wordSeparator))
	cmd.Stderr = os.Stderr
	return cmd
}

// openKind opens one of the sinks that crash tests compare. A plain append is a
// sink as people write it.
func openKind(kind, path string) (clipspan.Sink, error) {
	switch kind {
	case "plain":
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
		return clipspan.SinkFunc(func(_ context.Context, r clipspan.Record) error {
			_, err := f.Write(append(r.AppendJSON(nil), '\n'))
			return err
		}), err
	case "shared":
		return clipspan.OpenJSONL(path, clipspan.Shared())
	default:
		return clipspan.OpenJSONL(path)
	}
}
