package clipspan_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/clipspan/clipspan"
)

func ExampleOpenJSONL() {
	dir, err := os.MkdirTemp("", "traces")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "run.jsonl")

	sink, err := clipspan.OpenJSONL(path)
	if err != nil {
		panic(err)
	}
	defer sink.Close()
	sink.Emit(context.Background(), &clipspan.RunEnd{Header: clipspan.Header{Version: 1, RunID: "nightly"}, Spans: clipspan.Known(0)})

	text, err := os.ReadFile(path)
	if err != nil {
		panic(err)
	}
	fmt.Print(string(text))
	// Output: {"kind":"run_end","v":1,"run_id":"nightly","spans":0}
}

func ExampleNewJSONLSink() {
	sink := clipspan.NewJSONLSink(os.Stdout)
	defer sink.Close()
	sink.Emit(context.Background(), &clipspan.RunEnd{Header: clipspan.Header{Version: 1, RunID: "nightly"}, Spans: clipspan.Known(0)})
	// Output: {"kind":"run_end","v":1,"run_id":"nightly","spans":0}
}

// span is a record of which tests count the ids.
func span(id string) *clipspan.Span {
	return &clipspan.Span{SpanID: id, Name: "read_file", InjectedPreview: "port: 8443"}
}

// readSpans returns how often each span stands in the files, and how many lines
// are damaged. Lines of white space are none.
func readSpans(t *testing.T, paths ...string) (seen map[string]int, damaged int) {
	t.Helper()
	seen = make(map[string]int)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		for line := range bytes.SplitSeq(text, []byte("\n")) {
			if len(bytes.TrimSpace(line)) == 0 {
				continue
			}
			var record struct {
				SpanID string `json:"span_id"`
			}
			if json.Unmarshal(line, &record) != nil {
				damaged++
				continue
			}
			seen[record.SpanID]++
		}
	}
	return seen, damaged
}

func once(ids ...string) map[string]int {
	seen := make(map[string]int)
	for _, id := range ids {
		seen[id] = 1
	}
	return seen
}

func openJSONL(t *testing.T, path string, opts ...clipspan.JSONLOption) *clipspan.JSONLSink {
	t.Helper()
	sink, err := clipspan.OpenJSONL(path, opts...)
	require.NoError(t, err)
	t.Cleanup(func() { sink.Close() })
	return sink
}

// ways are the ways in which a sink can write.
var ways = map[string][]clipspan.JSONLOption{
	"with a deadline":    nil,
	"without a deadline": {clipspan.WithWriteDeadline(0)},
	"durable":            {clipspan.WithSync()},
	"shared":             {clipspan.Shared()},
}

func TestLineEndsBeforeAndAfterARecord(t *testing.T) {
	record := &clipspan.RunEnd{Spans: clipspan.Known(1)}
	line := string(record.AppendJSON(nil)) + "\n"
	for _, c := range []struct {
		name, before string
		opts         []clipspan.JSONLOption
		want         string
	}{
		{"a new file begins with the record", "", nil, line + line},
		{"a record follows a whole line", "{}\n", nil, "{}\n" + line + line},
		{"a torn line is ended first", `{"span_i`, nil, `{"span_i` + "\n" + line + line},
		{"a line that lacks only its end is ended first", "{}", nil, "{}\n" + line + line},
		{"in a shared file every record begins a line", "{}\n", []clipspan.JSONLOption{clipspan.Shared()}, "{}\n\n" + line + "\n" + line},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "run.jsonl")
			require.NoError(t, os.WriteFile(path, []byte(c.before), 0o600))
			sink := openJSONL(t, path, c.opts...)

			require.NoError(t, sink.Emit(t.Context(), record))
			require.NoError(t, sink.Emit(t.Context(), record))

			text, err := os.ReadFile(path)
			require.NoError(t, err)
			assert.Equal(t, c.want, string(text))
		})
	}
}

// A plain append glued the next record to the torn line, and both were lost.
func TestATornTailNeverSwallowsTheNextRecord(t *testing.T) {
	first, second, third := span("first"), span("second"), span("third")
	whole := append(first.AppendJSON(nil), '\n')
	start := len(whole)
	whole = append(second.AppendJSON(whole), '\n')
	path := filepath.Join(t.TempDir(), "run.jsonl")
	for cut := start; cut <= len(whole); cut++ {
		require.NoError(t, os.WriteFile(path, whole[:cut], 0o600))
		sink := openJSONL(t, path)
		require.NoError(t, sink.Emit(t.Context(), third))
		require.NoError(t, sink.Close())

		want, wantDamaged := once("first", "third"), 1
		switch {
		case cut == start:
			wantDamaged = 0
		case cut >= len(whole)-1:
			want, wantDamaged = once("first", "second", "third"), 0
		}
		seen, damaged := readSpans(t, path)
		require.Equal(t, want, seen, "cut at byte %d", cut)
		require.Equal(t, wantDamaged, damaged, "cut at byte %d", cut)
	}
}

// faultyWriter does what its faults say, one a write, and then what a buffer does.
type faultyWriter struct {
	faults []func(w *bytes.Buffer, p []byte) (int, error)
	bytes.Buffer
}

func (w *faultyWriter) Write(p []byte) (int, error) {
	if len(w.faults) == 0 {
		return w.Buffer.Write(p)
	}
	fault := w.faults[0]
	w.faults = w.faults[1:]
	return fault(&w.Buffer, p)
}

func TestASinkGoesOnAfterAWriteThatFailed(t *testing.T) {
	record := &clipspan.RunEnd{Spans: clipspan.Known(1)}
	line := string(record.AppendJSON(nil)) + "\n"
	for _, c := range []struct {
		name  string
		fault func(w *bytes.Buffer, p []byte) (int, error)
		check func(t *testing.T, err error)
		torn  string
	}{
		{
			"nothing was written",
			func(*bytes.Buffer, []byte) (int, error) { return 0, errDiskFull },
			func(t *testing.T, err error) { require.ErrorIs(t, err, errDiskFull) },
			"",
		},
		{
			"half the record was written",
			func(w *bytes.Buffer, p []byte) (int, error) { n, _ := w.Write(p[:9]); return n, errDiskFull },
			func(t *testing.T, err error) { require.ErrorIs(t, err, errDiskFull) },
			line[:9],
		},
		{
			"half the record was written and the writer says nothing",
			func(w *bytes.Buffer, p []byte) (int, error) { return w.Write(p[:9]) },
			func(t *testing.T, err error) { require.ErrorIs(t, err, io.ErrShortWrite) },
			line[:9],
		},
		{
			"the writer panicked half way",
			func(w *bytes.Buffer, p []byte) (int, error) { w.Write(p[:9]); panic("boom") },
			func(t *testing.T, err error) {
				var panicked *clipspan.PanicError
				require.ErrorAs(t, err, &panicked)
			},
			line[:9],
		},
	} {
		for way, opts := range ways {
			if way == "durable" {
				continue // needs a writer that can be synced
			}
			t.Run(c.name+" "+way, func(t *testing.T) {
				w := &faultyWriter{faults: []func(*bytes.Buffer, []byte) (int, error){
					func(w *bytes.Buffer, p []byte) (int, error) { return c.fault(w, bytes.TrimPrefix(p, []byte("\n"))) },
				}}
				sink := clipspan.NewJSONLSink(w, opts...)

				c.check(t, sink.Emit(t.Context(), record))
				require.NoError(t, sink.Emit(t.Context(), record))

				assert.Equal(t, c.torn+"\n"+line, w.String())
			})
		}
	}
}

func TestEmitAfterCloseFailsAndCloseIsIdempotent(t *testing.T) {
	for way, opts := range ways {
		t.Run(way, func(t *testing.T) {
			sink := openJSONL(t, filepath.Join(t.TempDir(), "run.jsonl"), opts...)
			require.NoError(t, sink.Emit(t.Context(), span("a")))

			require.NoError(t, sink.Close())
			require.NoError(t, sink.Close())

			require.ErrorIs(t, sink.Emit(t.Context(), span("b")), clipspan.ErrClosed)
			require.ErrorIs(t, sink.Reopen(), clipspan.ErrClosed)
		})
	}
}

// closeCounter is a writer that must not be closed by the sink.
type closeCounter struct {
	bytes.Buffer
	closed int
}

func (c *closeCounter) Close() error { c.closed++; return nil }

func TestAWriterStaysItsOpenersToClose(t *testing.T) {
	w := &closeCounter{}
	sink := clipspan.NewJSONLSink(w)

	require.ErrorIs(t, sink.Reopen(), errors.ErrUnsupported)
	require.NoError(t, sink.Close())

	assert.Zero(t, w.closed)
	require.ErrorIs(t, sink.Emit(t.Context(), span("a")), clipspan.ErrClosed)
}

func TestAFileOfTheHostsThatEndsTornIsEndedFirst(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl")
	require.NoError(t, os.WriteFile(path, []byte(`{"span_i`), 0o600))
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	defer f.Close()
	sink := clipspan.NewJSONLSink(f)

	require.NoError(t, sink.Emit(t.Context(), span("a")))
	require.NoError(t, sink.Close())

	seen, damaged := readSpans(t, path)
	assert.Equal(t, once("a"), seen)
	assert.Equal(t, 1, damaged)
	_, err = f.WriteString("\n")
	require.NoError(t, err, "the file is still open")
}

func TestEveryRecordThatWasAcknowledgedBeforeCloseIsThereAndNoOther(t *testing.T) {
	for way, opts := range ways {
		t.Run(way, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "run.jsonl")
			sink := openJSONL(t, path, opts...)
			var acked sync.Map
			some := make(chan struct{}, 8)
			var callers sync.WaitGroup
			for g := range 8 {
				callers.Go(func() {
					for i := 0; ; i++ {
						id := fmt.Sprintf("%d-%d", g, i)
						err := sink.Emit(t.Context(), span(id))
						if errors.Is(err, clipspan.ErrClosed) {
							return
						}
						assert.NoError(t, err)
						acked.Store(id, true)
						if i == 3 {
							some <- struct{}{}
						}
					}
				})
			}
			for range 8 {
				<-some
			}

			require.NoError(t, sink.Close())
			callers.Wait()

			want := map[string]int{}
			acked.Range(func(id, _ any) bool { want[id.(string)] = 1; return true })
			seen, damaged := readSpans(t, path)
			assert.Equal(t, want, seen)
			assert.Zero(t, damaged)
		})
	}
}

// A file that is cut to nothing under a descriptor that remembers its offset is
// filled with NUL bytes up to there.
func TestAFileThatIsTruncatedUnderTheSinkGetsNoHole(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl")
	sink := openJSONL(t, path)
	require.NoError(t, sink.Emit(t.Context(), span("a")))
	require.NoError(t, os.Truncate(path, 0))

	require.NoError(t, sink.Emit(t.Context(), span("b")))

	text, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.NotContains(t, string(text), "\x00")
	seen, damaged := readSpans(t, path)
	assert.Equal(t, once("b"), seen)
	assert.Zero(t, damaged)
}

func TestADirectoryIsRefusedWithAClearError(t *testing.T) {
	dir := t.TempDir()
	_, err := clipspan.OpenJSONL(dir)
	require.EqualError(t, err, "opening a trace: open "+dir+": is a directory")
	_, err = clipspan.OpenJSONL(dir, clipspan.WithSpecialFiles())
	require.ErrorContains(t, err, "is a directory")
}

func TestAFolderThatIsAFileIsRefusedWithAClearError(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	_, err := clipspan.OpenJSONL(filepath.Join(path, "run.jsonl"))
	require.ErrorContains(t, err, "is not a directory")
	_, err = clipspan.OpenJSONLDir(path)
	require.ErrorContains(t, err, "is not a directory")
}

func TestARecordWithLineEndsInItsTextsIsOneLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl")
	sink := openJSONL(t, path)
	hostile := span("a\n\r\u2028\x00\xff")
	hostile.InjectedPreview = strings.Repeat("\n", 128)

	require.NoError(t, sink.Emit(t.Context(), hostile))

	text, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, 1, strings.Count(string(text), "\n"))
}

// exitingWriter ends the goroutine that calls it, once.
type exitingWriter struct {
	bytes.Buffer
	exited bool
}

func (w *exitingWriter) Write(p []byte) (int, error) {
	if !w.exited {
		w.exited = true
		runtime.Goexit()
	}
	return w.Buffer.Write(p)
}

func TestAWriterThatEndsItsGoroutineLosesOnlyItsRecord(t *testing.T) {
	w := &exitingWriter{}
	sink := clipspan.NewJSONLSink(w)
	require.ErrorContains(t, sink.Emit(t.Context(), &clipspan.Span{Name: "lost"}), "goroutine exited")
	require.NoError(t, sink.Emit(t.Context(), &clipspan.Span{Name: "kept"}))
	require.NoError(t, sink.Close())
	assert.Contains(t, w.String(), `"kept"`)
}
