//go:build unix

package clipspan_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/clipspan/clipspan"
)

func TestFilesAndFoldersAreForTheirOwnerAloneWhateverTheUmask(t *testing.T) {
	if words := childWords(); words != nil {
		os.Exit(makeFiles(words[0]))
	}
	for _, umask := range []string{"0", "022", "077", "0277"} {
		root := t.TempDir()
		child := childCommand(t, root)
		child.Args = append([]string{"sh", "-c", `umask ` + umask + `; exec "$0" "$@"`, child.Path}, child.Args[1:]...)
		shell, err := exec.LookPath("sh")
		require.NoError(t, err)
		child.Path = shell
		require.NoError(t, child.Run())

		modes := map[string]fs.FileMode{}
		require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			require.NoError(t, err)
			info, err := d.Info()
			require.NoError(t, err)
			modes[strings.TrimPrefix(path, root)] = info.Mode()
			return nil
		}))
		delete(modes, "")
		assert.Equal(t, map[string]fs.FileMode{
			"/a":             fs.ModeDir | 0o700,
			"/a/b":           fs.ModeDir | 0o700,
			"/a/b/run.jsonl": 0o600,
			"/runs":          fs.ModeDir | 0o700,
			"/runs/r1.jsonl": 0o600,
		}, modes, "umask %s", umask)
	}
}

func makeFiles(root string) (status int) {
	sink, err := clipspan.OpenJSONL(filepath.Join(root, "a", "b", "run.jsonl"))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	dir, err := clipspan.OpenJSONLDir(filepath.Join(root, "runs"))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	record := &clipspan.RunEnd{Header: clipspan.Header{RunID: "r1"}}
	if err := clipspan.MultiSink(sink, dir).Emit(context.Background(), record); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func TestAFileThatExistsKeepsItsMode(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl")
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	require.NoError(t, os.Chmod(path, 0o640))

	require.NoError(t, openJSONL(t, path).Emit(t.Context(), span("a")))

	info, err := os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, fs.FileMode(0o640), info.Mode())
}

func TestASymbolicLinkIsRefusedAndItsTargetUntouched(t *testing.T) {
	dir := t.TempDir()
	target := filepath.Join(dir, "precious")
	require.NoError(t, os.WriteFile(target, []byte("mine"), 0o600))
	for name, aim := range map[string]string{"run.jsonl": target, "r1.jsonl": filepath.Join(dir, "absent")} {
		link := filepath.Join(dir, name)
		require.NoError(t, os.Symlink(aim, link))
		for _, opts := range [][]clipspan.JSONLOption{nil, {clipspan.WithSpecialFiles()}} {
			_, err := clipspan.OpenJSONL(link, opts...)
			require.EqualError(t, err, "opening a trace: open "+link+": is a symbolic link")
		}
	}
	runs, err := clipspan.OpenJSONLDir(dir)
	require.NoError(t, err)
	defer runs.Close()
	require.ErrorContains(t, runs.Emit(t.Context(), &clipspan.RunEnd{Header: clipspan.Header{RunID: "r1"}}), "is a symbolic link")

	text, err := os.ReadFile(target)
	require.NoError(t, err)
	assert.Equal(t, "mine", string(text))
	assert.NoFileExists(t, filepath.Join(dir, "absent"))
}

func TestSpecialFilesAreRefusedUnlessAskedFor(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "fifo")
	require.NoError(t, syscall.Mkfifo(fifo, 0o600))
	for _, path := range []string{fifo, os.DevNull} {
		_, err := clipspan.OpenJSONL(path)
		require.EqualError(t, err, "opening a trace: open "+path+": is not a regular file")
	}

	require.NoError(t, openJSONL(t, os.DevNull, clipspan.WithSpecialFiles()).Emit(t.Context(), span("a")))
	require.NoError(t, openJSONL(t, os.DevNull, clipspan.WithSpecialFiles(), clipspan.WithSync()).Emit(t.Context(), span("a")),
		"what can't be synced has nothing to lose")
}

func TestAFIFOIsWrittenToOnceSomebodyReadsIt(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "fifo")
	require.NoError(t, syscall.Mkfifo(fifo, 0o600))

	_, err := clipspan.OpenJSONL(fifo, clipspan.WithSpecialFiles())
	require.ErrorIs(t, err, syscall.ENXIO, "opening it does not wait for a reader")

	reader, err := os.OpenFile(fifo, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	require.NoError(t, err)
	defer reader.Close()
	sink := openJSONL(t, fifo, clipspan.WithSpecialFiles())
	record := &clipspan.RunEnd{Spans: clipspan.Known(1)}
	require.NoError(t, sink.Emit(t.Context(), record))
	got := make([]byte, 100)
	n, err := reader.Read(got)
	require.NoError(t, err)
	assert.Equal(t, string(record.AppendJSON(nil))+"\n", string(got[:n]))
}

func TestAPipeTakesOnlyWhatItTakesInOnePiece(t *testing.T) {
	r, w, err := os.Pipe()
	require.NoError(t, err)
	defer r.Close()
	defer w.Close()
	sink := clipspan.NewJSONLSink(w, clipspan.WithSync())
	limit := 512 // by POSIX
	if runtime.GOOS == "linux" {
		limit = 4096
	}

	require.ErrorContains(t, sink.Emit(t.Context(), sizedSpan("long", limit+1)), fmt.Sprintf("at most %d in one piece", limit))
	require.NoError(t, sink.Emit(t.Context(), sizedSpan("fits", limit)))

	got := make([]byte, 2*limit)
	n, err := r.Read(got)
	require.NoError(t, err)
	assert.Equal(t, limit, n)
	assert.Equal(t, byte('\n'), got[n-1])
}

// A stream may take a record in pieces, such as the socket that a service manager
// makes the standard output.
func TestASocketGetsTheWholeRecord(t *testing.T) {
	for name, nonblocking := range map[string]bool{"blocking": false, "not blocking": true} {
		t.Run(name, func(t *testing.T) {
			pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
			require.NoError(t, err)
			for _, fd := range pair {
				require.NoError(t, syscall.SetNonblock(fd, nonblocking))
			}
			w, r := os.NewFile(uintptr(pair[0]), "socket"), os.NewFile(uintptr(pair[1]), "socket")
			defer r.Close()
			record := sizedSpan("huge", 4<<20)
			got := make(chan []byte)
			go func() {
				text, _ := io.ReadAll(r)
				got <- text
			}()

			require.NoError(t, clipspan.NewJSONLSink(w, clipspan.WithWriteDeadline(0)).Emit(t.Context(), record))

			require.NoError(t, w.Close())
			assert.True(t, bytes.Equal(append(record.AppendJSON(nil), '\n'), <-got))
		})
	}
}

func TestRotationUnderLoadLosesNothing(t *testing.T) {
	const writers = 8
	rotations, records := scale(50, 1000), scale(250, 10_000)
	for way, opts := range ways {
		t.Run(way, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "run.jsonl")
			sink := openJSONL(t, path, opts...)
			var callers sync.WaitGroup
			for g := range writers {
				callers.Go(func() {
					for i := range records {
						assert.NoError(t, sink.Emit(t.Context(), span(fmt.Sprintf("%d-%d", g, i))))
					}
				})
			}
			for n := range rotations {
				require.NoError(t, os.Rename(path, filepath.Join(dir, "old."+strconv.Itoa(n)+".jsonl")))
				require.NoError(t, sink.Reopen())
			}
			callers.Wait()
			require.NoError(t, sink.Close())

			paths, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
			require.NoError(t, err)
			assert.Len(t, paths, rotations+1)
			seen, damaged := readSpans(t, paths...)
			assert.Zero(t, damaged)
			assert.Len(t, seen, writers*records)
			for id, n := range seen {
				assert.Equal(t, 1, n, id)
			}
		})
	}
}

func TestReopenKeepsTheOldFileIfThePathCannotBeOpened(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "run.jsonl")
	sink := openJSONL(t, path)
	require.NoError(t, sink.Emit(t.Context(), span("a")))
	require.NoError(t, os.Rename(path, filepath.Join(dir, "old.jsonl")))
	require.NoError(t, os.Mkdir(path, 0o700))

	require.ErrorContains(t, sink.Reopen(), "is a directory")
	require.NoError(t, sink.Emit(t.Context(), span("b")))

	seen, _ := readSpans(t, filepath.Join(dir, "old.jsonl"))
	assert.Equal(t, once("a", "b"), seen)
}

func TestADeletedFileIsMadeAnewAfterAWhile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl")
	sink := openJSONL(t, path)
	require.NoError(t, sink.Emit(t.Context(), span("first")))
	require.NoError(t, os.Remove(path))

	for i := range 200 {
		require.NoError(t, sink.Emit(t.Context(), span(fmt.Sprint(i))))
	}

	seen, damaged := readSpans(t, path)
	assert.Contains(t, seen, "199")
	assert.Greater(t, len(seen), 100)
	assert.Zero(t, damaged)
}

func TestRecordsFailWhenTheFolderIsGoneAndWorkWhenItIsBack(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "traces")
	path := filepath.Join(dir, "run.jsonl")
	sink := openJSONL(t, path)
	require.NoError(t, os.RemoveAll(dir))

	var err error
	for range 200 {
		err = sink.Emit(t.Context(), span("lost"))
	}
	require.ErrorIs(t, err, fs.ErrNotExist, "nobody gets a folder back that he removed")

	require.NoError(t, os.Mkdir(dir, 0o700))
	require.NoError(t, sink.Emit(t.Context(), span("kept")))
	seen, _ := readSpans(t, path)
	assert.Equal(t, once("kept"), seen)
}

// A sink on standard output whose reader went away ended the host with SIGPIPE.
func TestAReaderThatGoesAwayDoesNotEndTheHost(t *testing.T) {
	if childWords() != nil {
		sink := clipspan.NewJSONLSink(os.Stdout)
		err := sink.Emit(context.Background(), span("a"))
		fmt.Fprintln(os.Stderr, err)
		os.Exit(7)
	}
	child := childCommand(t)
	r, w, err := os.Pipe()
	require.NoError(t, err)
	var said strings.Builder
	child.Stdout, child.Stderr = w, &said
	require.NoError(t, r.Close())

	err = child.Run()
	w.Close()

	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	assert.Equal(t, 7, exit.ExitCode(), "the child ended by itself: %v", err)
	assert.Contains(t, said.String(), "broken pipe")
}

// A full disk cuts a write short. Here a limit on the file's size does.
func TestAFullDiskTearsOneRecordAndSwallowsNone(t *testing.T) {
	if words := childWords(); words != nil {
		os.Exit(fillDisk(words[0], words[1]))
	}
	for kind, want := range map[string]map[string]int{
		"jsonl":  once("0", "1", "2", "3", "after", "last"),
		"shared": once("0", "1", "2", "3", "after", "last"),
		// The counter-example: what follows the torn record is glued to it, and lost
		// though it was acknowledged.
		"plain": once("0", "1", "2", "3", "last"),
	} {
		path := filepath.Join(t.TempDir(), "run.jsonl")
		require.NoError(t, childCommand(t, kind, path).Run())

		seen, damaged := readSpans(t, path)
		assert.Equal(t, want, seen, kind)
		assert.Equal(t, 1, damaged, "%s: the torn record, and it alone", kind)
	}
}

// fillDisk writes four records that fit and three that do not, gets more room,
// and writes two more.
func fillDisk(kind, path string) (status int) {
	signal.Ignore(syscall.SIGXFSZ)
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return 2
	}
	free := limit.Cur
	limit.Cur = 4*1001 + 333 // a shared file has a line end more a record
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return 3
	}
	sink, err := openKind(kind, path)
	if err != nil {
		return 4
	}
	for i := range 7 {
		err := sink.Emit(context.Background(), sizedSpan(fmt.Sprint(i), 1000))
		if (err != nil) != (i >= 4) {
			fmt.Fprintln(os.Stderr, "record", i, err)
			return 5
		}
	}
	limit.Cur = free
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return 6
	}
	for _, id := range []string{"after", "last"} {
		if err := sink.Emit(context.Background(), span(id)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 7
		}
	}
	return 0
}
