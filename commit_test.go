package clipspan

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// note is a short record of which tests look at every byte.
func note(n int64) *RunEnd { return &RunEnd{Header: Header{RunID: "r"}, Spans: Known(n)} }

// notes is how lines of notes stand in a file.
func notes(numbers ...int64) string {
	var text strings.Builder
	for _, n := range numbers {
		fmt.Fprintf(&text, "%s\n", note(n).AppendJSON(nil))
	}
	return text.String()
}

// gate is a writer that hangs until it is opened.
type gate struct {
	opened  chan struct{}
	mu      sync.Mutex
	calls   int
	changed bool // the bytes of a write were touched while it hung
	bytes.Buffer
}

func newGate() *gate { return &gate{opened: make(chan struct{})} }

func (g *gate) Write(p []byte) (int, error) {
	before := bytes.Clone(p)
	g.mu.Lock()
	g.calls++
	g.mu.Unlock()
	<-g.opened
	g.mu.Lock()
	defer g.mu.Unlock()
	g.changed = g.changed || !bytes.Equal(before, p)
	return g.Buffer.Write(p)
}

func (g *gate) open() { close(g.opened) }

func emit(s Sink, r Record) error { return s.Emit(context.Background(), r) }

func TestAWriteThatHangsIsOverdueAndTheSinkWorksAgainWhenItReturns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newGate()
		sink := NewJSONLSink(w)
		began := time.Now()

		require.ErrorIs(t, emit(sink, note(1)), ErrOverdue)
		assert.Equal(t, defaultDeadline, time.Since(began))

		for range 1000 {
			require.ErrorIs(t, emit(sink, note(2)), ErrOverdue, "while one write is stuck")
		}
		assert.Equal(t, defaultDeadline, time.Since(began), "nobody waits for a sink that hangs")
		synctest.Wait()
		assert.Equal(t, 1, w.calls, "one write, so one goroutine, is stuck")

		w.open()
		synctest.Wait()
		require.NoError(t, emit(sink, note(3)))
		assert.Equal(t, notes(1, 3), w.String(), "the stuck record came late, the refused ones never")
		assert.False(t, w.changed, "the bytes of a stuck write belong to it")
		require.NoError(t, sink.Close())
	})
}

func TestARecordThatWasGivenUpBeforeItsWriteIsNeverWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newGate()
		sink := NewJSONLSink(w)
		var callers sync.WaitGroup
		for n := range 5 {
			callers.Go(func() { assert.ErrorIs(t, emit(sink, note(int64(n))), ErrOverdue) })
			synctest.Wait() // the first is stuck, the others queue behind it
		}
		callers.Wait()

		w.open()
		synctest.Wait()
		require.NoError(t, emit(sink, note(5)))
		assert.Equal(t, notes(0, 5), w.String())
	})
}

func TestACallerWhoseTimeIsLeftGetsItsRecordWrittenAfterOneThatWasStuck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newGate()
		sink := NewJSONLSink(w)
		go func() { assert.ErrorIs(t, emit(sink, note(1)), ErrOverdue) }()
		time.Sleep(defaultDeadline - time.Nanosecond)
		late := make(chan error)
		go func() { late <- emit(sink, note(2)) }()
		time.Sleep(2 * time.Nanosecond)
		require.ErrorIs(t, emit(sink, note(3)), ErrOverdue)

		w.open()

		require.NoError(t, <-late)
		assert.Equal(t, notes(1, 2), w.String())
	})
}

func TestCloseWhileAWriteIsStuckIsBoundedAndClosesTheFileInTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink, err := OpenJSONL(filepath.Join(t.TempDir(), "run.jsonl"), WithWriteDeadline(time.Minute))
		require.NoError(t, err)
		w := newGate()
		sink.seg.w = w
		require.ErrorIs(t, emit(sink, note(1)), ErrOverdue)
		began := time.Now()

		require.ErrorIs(t, sink.Close(), ErrOverdue)
		assert.Equal(t, time.Minute, time.Since(began))
		require.ErrorIs(t, sink.Close(), ErrOverdue, "a second call returns what the first did")
		assert.Equal(t, time.Minute, time.Since(began), "and at once")
		require.ErrorIs(t, emit(sink, note(2)), ErrClosed)
		require.ErrorIs(t, sink.Reopen(), ErrClosed)

		w.open()
		synctest.Wait()
		require.ErrorIs(t, sink.seg.file.Close(), os.ErrClosed)
		assert.Equal(t, notes(1), w.String())
	})
}

func TestReopenIsBoundedToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "run.jsonl")
		sink, err := OpenJSONL(path)
		require.NoError(t, err)
		defer sink.Close()
		w := newGate()
		sink.seg.w = w
		go emit(sink, note(1))
		synctest.Wait()

		require.ErrorIs(t, sink.Reopen(), ErrOverdue)

		w.open()
		synctest.Wait()
		require.NoError(t, emit(sink, note(2)))
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, notes(2), string(text), "the file was swapped when the stuck write returned")
	})
}

func TestWithoutADeadlineCallersWait(t *testing.T) {
	for name, opts := range map[string][]JSONLOption{
		"on their own goroutine":   {WithWriteDeadline(0)},
		"for the shared fdatasync": {WithWriteDeadline(0), WithSync()},
		"with a negative deadline": {WithWriteDeadline(-1)},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newGate()
				sink := NewJSONLSink(struct {
					io.Writer
					syncer
				}{w, func() error { return nil }}, opts...)
				written := make(chan error)
				go func() { written <- emit(sink, note(1)) }()
				time.Sleep(24 * time.Hour)
				select {
				case err := <-written:
					require.Fail(t, "Emit did not wait", "%v", err)
				default:
				}
				w.open()
				require.NoError(t, <-written)
				require.NoError(t, sink.Close())
			})
		})
	}
}

type syncer func() error

func (f syncer) Sync() error { return f() }

func TestManyCallersShareOneSync(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink, err := OpenJSONL(filepath.Join(t.TempDir(), "run.jsonl"), WithSync())
		require.NoError(t, err)
		syncs, gate := 0, make(chan struct{})
		sink.files.sync = func(*os.File) error { syncs++; <-gate; return nil }
		var callers sync.WaitGroup
		for n := range 64 {
			callers.Go(func() { assert.NoError(t, emit(sink, note(int64(n)))) })
			synctest.Wait() // the first is in its sync, the others queue behind it
		}
		require.Equal(t, 1, syncs)

		close(gate)
		callers.Wait()

		assert.Equal(t, 2, syncs, "one for the first record, one for the 63 others")
		require.NoError(t, sink.Close())
		assert.Equal(t, 2, syncs, "nothing was left to sync")
	})
}

func TestARecordIsAcknowledgedOnlyAfterItsSync(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "run.jsonl")
		sink, err := OpenJSONL(path, WithSync())
		require.NoError(t, err)
		gate, written := make(chan struct{}), make(chan error, 1)
		sink.files.sync = func(*os.File) error { <-gate; return nil }
		go func() { written <- emit(sink, note(1)) }()
		synctest.Wait()
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, notes(1), string(text), "the write is done")
		assert.Empty(t, written, "the sync is not")

		close(gate)
		require.NoError(t, <-written)
		require.NoError(t, sink.Close())
	})
}

var errIO = errors.New("input/output error")

func TestAFailedSyncIsFinal(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "run.jsonl")
	sink, err := OpenJSONL(path, WithSync())
	require.NoError(t, err)
	require.NoError(t, emit(sink, note(1)))
	bad := sink.seg.file
	syncsOfBad := 0
	sink.files.sync = func(f *os.File) error {
		if f == bad {
			syncsOfBad++
			return errIO
		}
		return nil
	}

	err = emit(sink, note(2))
	require.ErrorIs(t, err, errIO, "a record whose sync failed is not acknowledged")
	require.ErrorIs(t, err, errGivenUp)
	require.NoError(t, emit(sink, note(3)))
	require.NoError(t, emit(sink, note(4)))
	require.NoError(t, sink.Reopen())
	require.NoError(t, emit(sink, note(5)))
	require.NoError(t, sink.Close())

	assert.Equal(t, 1, syncsOfBad, "a second sync could succeed and prove nothing")
	assert.Equal(t, map[string]string{
		"run.jsonl":   notes(1, 2),
		"run.1.jsonl": notes(3, 4),
		"run.2.jsonl": notes(5), // Reopen does not go back to the file that was given up
	}, filesIn(t, dir))
}

// Rotation that fails to move the file would go on with one that was given up.
func TestReopenDoesNotGoBackToAFileThatFailsWhileItIsClosed(t *testing.T) {
	dir := t.TempDir()
	sink, err := OpenJSONL(filepath.Join(dir, "run.jsonl"), WithSync())
	require.NoError(t, err)
	require.NoError(t, sink.seg.write([]byte("\n{}\n")))
	sink.files.sync = func(*os.File) error { return errIO }

	require.ErrorIs(t, sink.Reopen(), errIO)

	sink.files.sync = syncFile
	require.NoError(t, emit(sink, note(1)))
	require.NoError(t, sink.Close())
	assert.Equal(t, map[string]string{"run.jsonl": "{}\n", "run.1.jsonl": notes(1)}, filesIn(t, dir))
}

func filesIn(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	files := make(map[string]string)
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		require.NoError(t, err)
		files[e.Name()] = string(text)
	}
	return files
}

func TestAllRecordsOfABatchWhoseSyncFailsAreLostAndThoseAfterItAreNot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink, err := OpenJSONL(filepath.Join(t.TempDir(), "run.jsonl"), WithSync())
		require.NoError(t, err)
		syncs, gate := 0, make(chan struct{})
		sink.files.sync = func(*os.File) error {
			syncs++
			<-gate
			if syncs == 2 {
				return errIO
			}
			return nil
		}
		results := make([]error, 8)
		var callers sync.WaitGroup
		for n := range results {
			callers.Go(func() { results[n] = emit(sink, note(int64(n))) })
			synctest.Wait() // the first is in its sync, the others queue behind it
		}

		close(gate)
		callers.Wait()
		require.NoError(t, results[0], "the first record had a sync of its own")
		for _, err := range results[1:] {
			require.ErrorIs(t, err, errIO)
		}
		require.NoError(t, emit(sink, note(9)))
		require.NoError(t, sink.Close())
	})
}

func TestASegmentIsNeverPutOverAFileThatExists(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "run.1.jsonl"), []byte("somebody's\n"), 0o600))
	sink, err := OpenJSONL(filepath.Join(dir, "run.jsonl"), WithSync())
	require.NoError(t, err)
	sink.files.sync = func(f *os.File) error {
		if filepath.Base(f.Name()) == "run.jsonl" {
			return errIO
		}
		return nil
	}

	require.ErrorIs(t, emit(sink, note(1)), errIO)
	require.NoError(t, emit(sink, note(2)))
	require.NoError(t, sink.Close())

	assert.Equal(t, map[string]string{
		"run.jsonl":   notes(1),
		"run.1.jsonl": "somebody's\n",
		"run.2.jsonl": notes(2),
	}, filesIn(t, dir))
}

func TestADiskThatFailsEverySyncDoesNotFillItsFolder(t *testing.T) {
	dir := t.TempDir()
	sink, err := OpenJSONL(filepath.Join(dir, "run.jsonl"), WithSync())
	require.NoError(t, err)
	sink.files.sync = func(*os.File) error { return errIO }

	for range maxSegments + 1 {
		require.ErrorIs(t, emit(sink, note(1)), errIO)
	}
	for range 3 {
		require.ErrorContains(t, emit(sink, note(1)), "there are 99 already")
	}
	require.Error(t, sink.Close(), "the last file was given up")
	assert.Len(t, filesIn(t, dir), maxSegments+1)
}

func TestAWriterIsSyncedIfItCanBe(t *testing.T) {
	var buf bytes.Buffer
	syncs, syncErr := 0, error(nil)
	sink := NewJSONLSink(struct {
		io.Writer
		syncer
	}{&buf, func() error { syncs++; return syncErr }}, WithSync())

	require.NoError(t, emit(sink, note(1)))
	assert.Equal(t, 1, syncs)

	syncErr = errIO
	require.ErrorIs(t, emit(sink, note(2)), errIO)
	syncErr = nil
	require.ErrorIs(t, emit(sink, note(3)), errIO, "there is no other file to go on with")
	assert.Equal(t, 2, syncs)
	assert.Equal(t, notes(1, 2), buf.String())

	require.ErrorContains(t, emit(NewJSONLSink(&buf, WithSync()), note(1)), "no Sync method",
		"durability that was asked for is not dropped in silence")
}

func TestASyncThatPanicsFails(t *testing.T) {
	sink := NewJSONLSink(struct {
		io.Writer
		syncer
	}{io.Discard, func() error { panic("boom") }}, WithSync())

	var panicked *PanicError
	require.ErrorAs(t, emit(sink, note(1)), &panicked)
}

func TestAHugeRecordDoesNotKeepItsBuffer(t *testing.T) {
	sink := NewJSONLSink(io.Discard, WithWriteDeadline(0))
	require.NoError(t, emit(sink, &Span{InjectedPreview: strings.Repeat("x", 1<<20)}))
	assert.LessOrEqual(t, cap(sink.lane.jobs.Get().(*job).line), maxPooledLine)
}
