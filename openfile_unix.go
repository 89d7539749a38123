//go:build unix

package clipspan

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"runtime"
	"syscall"
)

const (
	openNoFollow = syscall.O_NOFOLLOW
	openNonblock = syscall.O_NONBLOCK
)

// pipeBuf is how many bytes a pipe takes in one piece: what POSIX demands, and
// more on Linux (pipe(7)).
func pipeBuf() int {
	if runtime.GOOS == "linux" {
		return 4096
	}
	return 512
}

// lineWriter writes lines to a file as [os.File] does, with two differences. A
// regular file gets each line with one write(2): os.File would go on after a short
// one, behind what another process may have appended meanwhile. And when nobody
// reads the standard output any more, it does not end the process.
type lineWriter struct {
	conn  syscall.RawConn
	path  string
	once  bool                  // one write(2) a line
	write func(fd uintptr) bool // w.try, kept so that a call allocates nothing

	line []byte
	n    int
	err  error
}

func newLineWriter(f *os.File, once bool) io.Writer {
	conn, err := f.SyscallConn()
	if err != nil {
		return f
	}
	w := &lineWriter{conn: conn, path: f.Name(), once: once}
	w.write = w.try
	return w
}

// Write implements [io.Writer].
func (w *lineWriter) Write(line []byte) (int, error) {
	w.line, w.n, w.err = line, 0, nil
	err := w.conn.Write(w.write)
	w.line = nil
	if err == nil {
		err = w.err
	}
	if err == nil && w.n < len(line) {
		err = io.ErrShortWrite
	}
	if err != nil {
		return w.n, &fs.PathError{Op: "write", Path: w.path, Err: err}
	}
	return w.n, nil
}

// try reports whether the write is over; else it is called again when the
// descriptor can take more.
func (w *lineWriter) try(fd uintptr) bool {
	for {
		n, err := syscall.Write(int(fd), w.line[w.n:])
		if err == syscall.EINTR {
			continue
		}
		w.n, w.err = w.n+max(n, 0), err
		if err != nil || n == 0 || w.once || w.n == len(w.line) {
			return err != syscall.EAGAIN
		}
	}
}

// unlinked reports whether no folder holds the file any more.
func unlinked(f *os.File) bool {
	info, err := f.Stat()
	if err != nil {
		return false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && stat.Nlink == 0
}

// unsyncable reports whether an error says that this kind of file has no fsync.
func unsyncable(err error) bool {
	return errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) || errors.Is(err, syscall.EROFS)
}

func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	defer folder.Close()
	if err := folder.Sync(); err != nil && !unsyncable(err) {
		return err
	}
	return nil
}
