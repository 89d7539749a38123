package clipspan

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

const (
	fileMode   = 0o600 // of files that a sink creates, whatever the umask
	folderMode = 0o700 // of folders that it creates
)

// maxSegments bounds how many files a disk that fails every fsync can make us
// begin.
const maxSegments = 99

var (
	errSymlink     = errors.New("is a symbolic link")
	errDirectory   = errors.New("is a directory")
	errNoDirectory = errors.New("is not a directory")
	errSpecial     = errors.New("is not a regular file")
)

// opener opens the files of a sink as its options say. A lane uses it.
type opener struct {
	jsonlConfig
	sync    func(*os.File) error
	givenUp []os.FileInfo // files whose fsync failed: they are never used again
}

func newOpener(c jsonlConfig) *opener { return &opener{jsonlConfig: c, sync: syncFile} }

// open makes the file at path ready for appending. If there is none, it is made.
func (o *opener) open(path string) (*segment, error) {
	f, err := openAppend(path, o.special)
	if err != nil {
		return nil, err
	}
	if o.isGivenUp(f) {
		f.Close()
		return o.next(path)
	}
	return o.begin(path, f)
}

// next begins another file beside path: run.1.jsonl for run.jsonl.
func (o *opener) next(path string) (*segment, error) {
	ext := filepath.Ext(path)
	for i := 1; i <= maxSegments; i++ {
		f, err := createNew(strings.TrimSuffix(path, ext) + "." + strconv.Itoa(i) + ext)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		s, err := o.begin(path, f)
		if err != nil {
			os.Remove(f.Name()) // empty, and the next try makes another
		}
		return s, err
	}
	return nil, fmt.Errorf("beginning a new segment of %s: there are %d already", path, maxSegments)
}

// begin makes a segment of an open file. A durable one is found again after a
// crash, so its folder is synced too.
func (o *opener) begin(path string, f *os.File) (*segment, error) {
	s := &segment{base: path, file: f, shared: o.shared}
	s.aim(f)
	if !o.jsonlConfig.sync {
		return s, nil
	}
	s.sync = func() error {
		err := o.sync(f)
		if err != nil {
			o.giveUp(f)
		}
		return err
	}
	if err := syncFolder(filepath.Dir(path)); err != nil {
		f.Close()
		return nil, fmt.Errorf("syncing the folder of %s: %w", path, err)
	}
	return s, nil
}

// renew returns s, or what takes its place if nothing more can be kept in it: a
// new segment after a failed fsync, the path opened anew after the file was
// deleted. If that fails s stays, and the next record tries again.
func (o *opener) renew(s *segment) (*segment, error) {
	var fresh *segment
	var err error
	switch {
	case s.failed != nil:
		fresh, err = o.next(s.base)
	case s.gone():
		fresh, err = o.open(s.base)
	default:
		return s, nil
	}
	if err != nil {
		s.lines = linkCheckEvery // look again at once
		return s, err
	}
	s.close()
	return fresh, nil
}

func (o *opener) giveUp(f *os.File) {
	if info, err := f.Stat(); err == nil {
		o.givenUp = append(o.givenUp, info)
	}
}

func (o *opener) isGivenUp(f *os.File) bool {
	if len(o.givenUp) == 0 {
		return false
	}
	info, err := f.Stat()
	if err != nil {
		return false
	}
	for _, bad := range o.givenUp {
		if os.SameFile(bad, info) {
			return true
		}
	}
	return false
}

// openAppend opens or creates a file for appending. The last element of path must
// be no symbolic link, so that nobody can aim a trace at another file, and unless
// special is set the file must be a regular one.
func openAppend(path string, special bool) (*os.File, error) {
	for tries := 0; ; tries++ {
		info, err := os.Lstat(path)
		var f *os.File
		switch {
		case errors.Is(err, fs.ErrNotExist):
			f, err = createNew(path)
		case err == nil:
			f, err = openExisting(path, info.Mode(), special)
		}
		// Somebody else may create or remove the file at the same time.
		raced := errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist) && info != nil
		if !raced || tries == 10 {
			return f, err
		}
	}
}

func createNew(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return nil, err
	}
	if err := f.Chmod(fileMode); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// openExisting opens what stands at path. Its mode stays as it is: whoever made
// the file chose who may read it.
func openExisting(path string, mode fs.FileMode, special bool) (*os.File, error) {
	if err := refuseKind(path, mode, special); err != nil {
		return nil, err
	}
	// Reading tells whether the last line is whole. Of anything else nothing can be
	// read back, and a FIFO that nobody reads must not hang us.
	flags := os.O_RDWR
	if !mode.IsRegular() {
		flags = os.O_WRONLY | openNonblock
	}
	f, err := os.OpenFile(path, flags|os.O_APPEND|openNoFollow, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil {
		err = refuseKind(path, info.Mode(), special) // it may have been swapped
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

func refuseKind(path string, mode fs.FileMode, special bool) error {
	var err error
	switch {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		err = errDirectory
	case mode&fs.ModeSymlink != 0:
		err = errSymlink
	case special:
		return nil
	default:
		err = errSpecial
	}
	return &fs.PathError{Op: "open", Path: path, Err: err}
}

// makeFolder makes a folder and those above it that are missing. A durable one
// is found again after a crash.
func makeFolder(path string, durable bool) error {
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return nil
	case err == nil:
		return &fs.PathError{Op: "mkdir", Path: path, Err: errNoDirectory}
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	parent := filepath.Dir(path)
	if parent != path {
		if err := makeFolder(parent, durable); err != nil {
			return err
		}
	}
	switch err := os.Mkdir(path, folderMode); {
	case errors.Is(err, fs.ErrExist):
		return nil // somebody else has just made it
	case err != nil:
		return err
	}
	if err := os.Chmod(path, folderMode); err != nil || !durable {
		return err
	}
	return syncFolder(parent)
}
