package clipspantest

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/clipspan/clipspan"
)

// readFile reads back a trace; before the first record there may be none.
func readFile(t testing.TB, path string) []clipspan.Record {
	t.Helper()
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	require.NoError(t, err)
	defer f.Close()
	return Read(t, f)
}

var patient = clipspan.WithWriteDeadline(patience)

func openJSONL(opts ...clipspan.JSONLOption) func(testing.TB) SinkTest {
	return func(t testing.TB) SinkTest {
		path := filepath.Join(t.TempDir(), "run.jsonl")
		sink, err := clipspan.OpenJSONL(path, append([]clipspan.JSONLOption{patient}, opts...)...)
		require.NoError(t, err)
		t.Cleanup(func() { assert.NoError(t, sink.Close()) })
		return SinkTest{Sink: sink, Records: func() []clipspan.Record { return readFile(t, path) }}
	}
}

func TestRunSinkPassesOnTheSinksOfTheLibrary(t *testing.T) {
	for name, open := range map[string]func(testing.TB) SinkTest{
		"a file":                       openJSONL(),
		"a file without deadline":      openJSONL(clipspan.WithWriteDeadline(0)),
		"a file that survives a crash": openJSONL(clipspan.WithSync()),
		"a file shared by processes":   openJSONL(clipspan.Shared()),
		"a writer":                     openWriter,
		"a file for each run": func(t testing.TB) SinkTest {
			dir, err := clipspan.OpenJSONLDir(t.TempDir(), patient)
			require.NoError(t, err)
			t.Cleanup(func() { assert.NoError(t, dir.Close()) })
			return SinkTest{Sink: dir, Records: func() (records []clipspan.Record) {
				files, err := filepath.Glob(filepath.Join(filepath.Dir(dir.Path("x")), "*.jsonl"))
				require.NoError(t, err)
				for _, path := range files {
					records = append(records, readFile(t, path)...)
				}
				return records
			}}
		},
		"several sinks": func(t testing.TB) SinkTest {
			var rec Recorder
			other := openWriter(t)
			return SinkTest{Sink: clipspan.MultiSink(other.Sink, &rec), Records: rec.Records, Break: other.Break}
		},
	} {
		t.Run(name, func(t *testing.T) { RunSink(t, open) })
	}
}

func openWriter(t testing.TB) SinkTest {
	w := &breakable{}
	return SinkTest{
		Sink:    clipspan.NewJSONLSink(w, patient),
		Records: func() []clipspan.Record { return Read(t, bytes.NewReader(w.buf.Bytes())) },
		Break:   func() { w.broken = true },
	}
}

// breakable is a writer on a disk that can fill up.
type breakable struct {
	buf    bytes.Buffer
	broken bool
}

func (w *breakable) Write(p []byte) (int, error) {
	if w.broken {
		return w.buf.Write(p[:len(p)/2])
	}
	return w.buf.Write(p)
}
