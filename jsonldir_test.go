package clipspan

import (
	"fmt"
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

// noteOf is a record of a run that does not end it.
func noteOf(run string, n int64) *Gap {
	return &Gap{Header: Header{RunID: run, Seq: n}, Count: Known(n)}
}

func linesOf(records ...Record) string {
	var b []byte
	for _, r := range records {
		b = append(r.AppendJSON(b), '\n')
	}
	return string(b)
}

func openDir(t *testing.T, dir string, opts ...JSONLOption) *JSONLDir {
	t.Helper()
	d, err := OpenJSONLDir(dir, opts...)
	require.NoError(t, err)
	t.Cleanup(func() { d.Close() })
	return d
}

func TestEveryRunHasAFileOfItsOwn(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "traces", "today")
	d := openDir(t, dir)

	for n := range int64(3) {
		require.NoError(t, emit(d, noteOf("run-a", n)))
		require.NoError(t, emit(d, noteOf("run-b", n)))
	}
	require.NoError(t, d.Close())

	assert.Equal(t, map[string]string{
		"run-a.jsonl": linesOf(noteOf("run-a", 0), noteOf("run-a", 1), noteOf("run-a", 2)),
		"run-b.jsonl": linesOf(noteOf("run-b", 0), noteOf("run-b", 1), noteOf("run-b", 2)),
	}, filesIn(t, dir))
	assert.Equal(t, filepath.Join(dir, "run-a.jsonl"), d.Path("run-a"))
	require.NoError(t, d.Close())
	require.ErrorIs(t, emit(d, noteOf("run-a", 3)), ErrClosed)
}

func TestARunsFileIsClosedAfterItsEndAndOpenedAgainForALateRecord(t *testing.T) {
	dir := t.TempDir()
	d := openDir(t, dir)
	end := &RunEnd{Header: Header{RunID: "r"}, Spans: Known(0)}

	require.NoError(t, emit(d, noteOf("r", 1)))
	file := d.runs["r"].seg.file
	require.NoError(t, emit(d, end))
	require.ErrorIs(t, file.Close(), os.ErrClosed)
	assert.Empty(t, d.runs)

	require.NoError(t, emit(d, noteOf("r", 2)))
	assert.Equal(t, map[string]string{"r.jsonl": linesOf(noteOf("r", 1), end, noteOf("r", 2))}, filesIn(t, dir))
}

func TestOnlySoManyFilesAreOpenHoweverManyRunsThereAre(t *testing.T) {
	for name, opts := range map[string][]JSONLOption{"": nil, "durable": {WithSync()}} {
		t.Run(name, func(t *testing.T) {
			const runs = maxOpenRuns + 20
			dir := t.TempDir()
			d := openDir(t, dir, opts...)
			want := map[string]string{}
			for n := range int64(3) {
				for i := range runs {
					id := fmt.Sprint("run", i)
					require.NoError(t, emit(d, noteOf(id, n)))
					want[id+".jsonl"] += linesOf(noteOf(id, n))
					require.LessOrEqual(t, len(d.runs), maxOpenRuns)
				}
			}
			assert.Equal(t, want, filesIn(t, dir))
		})
	}
}

func TestTheFileThatWasNotUsedForLongestIsClosedFirst(t *testing.T) {
	d := openDir(t, t.TempDir())
	require.NoError(t, emit(d, noteOf("busy", 0)))
	for i := range 3 * maxOpenRuns {
		require.NoError(t, emit(d, noteOf(fmt.Sprint("run", i), 0)))
		require.NoError(t, emit(d, noteOf("busy", 0)))
		assert.Contains(t, d.runs, "busy")
	}
}

func TestManyRunsAtOnce(t *testing.T) {
	dir := t.TempDir()
	d := openDir(t, dir)
	var runs sync.WaitGroup
	for i := range 100 {
		runs.Go(func() {
			id := fmt.Sprint("run", i)
			for n := range int64(20) {
				assert.NoError(t, emit(d, noteOf(id, n)))
			}
			assert.NoError(t, emit(d, &RunEnd{Header: Header{RunID: id}}))
		})
	}
	runs.Wait()

	files := filesIn(t, dir)
	assert.Len(t, files, 100)
	for name, text := range files {
		assert.Equal(t, 21, strings.Count(text, "\n"), name)
		assert.Equal(t, 21, strings.Count(text, `"run_id":"`+strings.TrimSuffix(name, ".jsonl")+`"`), name)
	}
}

func TestNoRunIDLeavesTheFolderOrMeetsAnother(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "runs")
	d := openDir(t, dir)
	ids := []string{
		"", ".", "..", "../x", "/etc/x", `a\..\b`, `C:\x`, "a\x00b", "a/b", "a:b", "a b", "a.1", "a.jsonl", "-rf",
		"con", "CON", "nul", "com1", "LPT9", "run", "Run", "RUN", "ünïcode", "u\u0308", "\xff", "\ufffd",
		strings.Repeat("x", maxPlainName), strings.Repeat("x", 300), strings.Repeat("x", 301), strings.Repeat("ü", 300),
	}
	for _, id := range ids {
		require.NoError(t, emit(d, &RunEnd{Header: Header{RunID: id}}), "%q", id)
	}
	require.NoError(t, d.Close())

	files := filesIn(t, dir)
	assert.Len(t, files, len(ids))
	folded := map[string]string{}
	for _, id := range ids {
		name := filepath.Base(d.Path(id))
		assert.Equal(t, dir, filepath.Dir(d.Path(id)))
		assert.Equal(t, linesOf(&RunEnd{Header: Header{RunID: id}}), files[name], "%q", id)
		assert.NotContains(t, folded, strings.ToLower(name), "%q meets another where letter case is no difference", id)
		folded[strings.ToLower(name)] = id
	}
	outside, err := os.ReadDir(root)
	require.NoError(t, err)
	assert.Len(t, outside, 1)
}

func FuzzRunFileName(f *testing.F) {
	for _, id := range []string{"", "run", "Run", "../x", "a.1", "con", "a~b", strings.Repeat("x", 300)} {
		f.Add(id, "run")
	}
	f.Fuzz(func(t *testing.T, id, other string) {
		name := runFileName(id)
		assert.LessOrEqual(t, len(name), 200)
		assert.Regexp(t, `^[a-z0-9_][a-z0-9_-]*(~[0-9a-f]{64})?$`, name)
		assert.False(t, isDeviceName(name))
		assert.Equal(t, id == other, name == runFileName(other))
	})
}

func TestAFileWhoseSyncFailsIsGivenUpAndThoseOfOtherRunsAreNot(t *testing.T) {
	dir := t.TempDir()
	d := openDir(t, dir, WithSync())
	require.NoError(t, emit(d, noteOf("a", 1)))
	bad := d.runs["a"].seg.file
	d.files.sync = func(f *os.File) error {
		if f == bad {
			return errIO
		}
		return nil
	}

	require.ErrorIs(t, emit(d, noteOf("a", 2)), errIO)
	require.NoError(t, emit(d, noteOf("b", 1)))
	require.NoError(t, emit(d, noteOf("a", 3)))
	end := &RunEnd{Header: Header{RunID: "a"}}
	require.NoError(t, emit(d, end))
	require.NoError(t, emit(d, noteOf("a", 4)), "the file that was given up is not opened again")

	assert.Equal(t, map[string]string{
		"a.jsonl":   linesOf(noteOf("a", 1), noteOf("a", 2)),
		"a.1.jsonl": linesOf(noteOf("a", 3), end),
		"a.2.jsonl": linesOf(noteOf("a", 4)),
		"b.jsonl":   linesOf(noteOf("b", 1)),
	}, filesIn(t, dir))
}

func TestAFileWhoseLastSyncFailsIsNotOpenedAgain(t *testing.T) {
	dir := t.TempDir()
	d := openDir(t, dir, WithSync())
	d.files.sync = func(*os.File) error { return errIO }
	end := &RunEnd{Header: Header{RunID: "a"}}
	require.ErrorIs(t, emit(d, end), errIO)

	d.files.sync = syncFile
	require.NoError(t, emit(d, noteOf("a", 1)))

	assert.Equal(t, map[string]string{"a.jsonl": linesOf(end), "a.1.jsonl": linesOf(noteOf("a", 1))}, filesIn(t, dir))
}

func TestARecordIsAcknowledgedOnlyIfItsFileWasSyncedBeforeItWasClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, err := OpenJSONLDir(t.TempDir(), WithSync())
		require.NoError(t, err)
		failing, gate := "", make(chan struct{})
		d.files.sync = func(f *os.File) error {
			<-gate
			if filepath.Base(f.Name()) == failing {
				return errIO
			}
			return nil
		}
		go emit(d, noteOf("first", 0)) // its sync hangs, so that the others are one batch
		synctest.Wait()
		failing = "run0.jsonl"
		results := make([]error, maxOpenRuns+1)
		var callers sync.WaitGroup
		for i := range results {
			callers.Go(func() { results[i] = emit(d, noteOf(fmt.Sprint("run", i), 0)) })
			synctest.Wait()
		}

		close(gate)
		callers.Wait()

		require.ErrorIs(t, results[0], errIO, "its file had to make room within the batch")
		for _, err := range results[1:] {
			require.NoError(t, err)
		}
		require.NoError(t, d.Close())
	})
}

func TestADiskThatHangsHoldsOneGoroutineForAllRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, err := OpenJSONLDir(t.TempDir(), WithWriteDeadline(time.Second))
		require.NoError(t, err)
		require.NoError(t, emit(d, noteOf("a", 1)))
		w := newGate()
		d.runs["a"].seg.w = w
		require.ErrorIs(t, emit(d, noteOf("a", 2)), ErrOverdue)
		require.ErrorIs(t, emit(d, noteOf("b", 1)), ErrOverdue)

		w.open()
		synctest.Wait()
		require.NoError(t, emit(d, noteOf("b", 2)))
		require.NoError(t, d.Close())
	})
}
