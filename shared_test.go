package clipspan_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/clipspan/clipspan"
)

// sizedSpan is a span of so many bytes, its line end included.
func sizedSpan(id string, bytes int) *clipspan.Span {
	s := &clipspan.Span{SpanID: id, Name: "read_file", InjectedPreview: "x"}
	if short := bytes - len(s.AppendJSON(nil)) - 1; short > 0 {
		s.InjectedPreview += strings.Repeat("x", short)
	}
	return s
}

func TestEightProcessesShareOneFile(t *testing.T) {
	if words := childWords(); words != nil {
		os.Exit(appendShared(words[0], words[1], words[2]))
	}
	const processes = 8
	records := scale(250, 10_000)
	path := filepath.Join(t.TempDir(), "run.jsonl")
	var children []*exec.Cmd
	for p := range processes {
		child := childCommand(t, path, strconv.Itoa(p), strconv.Itoa(records))
		require.NoError(t, child.Start())
		children = append(children, child)
	}
	for _, child := range children {
		require.NoError(t, child.Wait())
	}

	seen, damaged := readSpans(t, path)
	assert.Zero(t, damaged)
	assert.Len(t, seen, processes*records, "none lost")
	for id, n := range seen {
		assert.Equal(t, 1, n, "%s is there twice", id)
	}
}

// appendShared is what each of the processes does.
func appendShared(path, process, records string) (status int) {
	sink, err := clipspan.OpenJSONL(path, clipspan.Shared())
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	n, _ := strconv.Atoi(records)
	for i := range n {
		size := 200 + i*i%997 // and now and then one of several pages
		if i%100 == 0 {
			size = 70_000
		}
		if err := sink.Emit(context.Background(), sizedSpan(process+"-"+strconv.Itoa(i), size)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	return 0
}
