package clipspan

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// linkCheckEvery is how many lines are written to a file before it is looked at
// again whether anybody can still find it: often enough to notice, too seldom to
// cost anything.
const linkCheckEvery = 64

// segment is one file that lines are appended to, or the writer of a sink without
// a file. A lane uses it, one job at a time.
type segment struct {
	base string    // the path that was asked for; the file's own may have a number
	file *os.File  // opened by the sink, which closes it; nil for the host's writer
	w    io.Writer // one call, one write(2)

	lead   bool         // the next line begins with a line end: what stands before it may be torn
	shared bool         // so does every line: others append here too
	limit  int          // longest write in bytes, or 0
	sync   func() error // makes durable what was written; nil = left to the system
	lines  int          // written since the last look at the file

	dirty  bool  // written to since the last sync
	failed error // the last sync's error, which is final
}

// errGivenUp is a file whose fsync failed: what it holds is not known any more,
// and a later fsync that succeeds would say nothing about it.
var errGivenUp = errors.New("given up after a failed fsync")

// write writes a line, which begins and ends with a line end, in one piece.
func (s *segment) write(line []byte) error {
	if !s.lead && !s.shared {
		line = line[1:]
	}
	if s.limit > 0 && len(line) > s.limit {
		return fmt.Errorf("record of %d bytes: a pipe takes at most %d in one piece", len(line), s.limit)
	}
	s.lines++
	s.dirty = s.sync != nil
	n, err := writeRecovered(s.w, line)
	if err == nil && n != len(line) {
		err = io.ErrShortWrite
	}
	s.lead = err != nil
	return err
}

func writeRecovered(w io.Writer, p []byte) (n int, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &PanicError{Value: v}
		}
	}()
	return w.Write(p)
}

// commit makes all lines written so far durable. Called again without a line in
// between, it returns what it returned before.
func (s *segment) commit() error {
	if s.dirty {
		s.dirty = false
		if err := syncRecovered(s.sync); err != nil {
			s.failed = fmt.Errorf("%w: %w", errGivenUp, err)
		}
	}
	return s.failed
}

func syncRecovered(sync func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &PanicError{Value: v}
		}
	}()
	return sync()
}

// gone reports from time to time whether the file was deleted: lines appended to
// it would be lost with the last descriptor.
func (s *segment) gone() bool {
	if s.file == nil || s.lines < linkCheckEvery {
		return false
	}
	s.lines = 0
	return unlinked(s.file)
}

// close commits, and closes the file if the sink opened it.
func (s *segment) close() error {
	err := s.commit()
	if s.file == nil {
		return err
	}
	return errors.Join(err, s.file.Close())
}

// writerSegment is a segment onto a writer of the host's, which stays the host's
// to close.
func writerSegment(w io.Writer, c jsonlConfig) *segment {
	s := &segment{w: w, shared: c.shared}
	f, isFile := w.(*os.File)
	if isFile {
		s.aim(f)
	}
	if !c.sync {
		return s
	}
	switch syncer, ok := w.(interface{ Sync() error }); {
	case isFile:
		s.sync = func() error { return syncFile(f) }
	case ok:
		s.sync = syncer.Sync
	default:
		s.sync = func() error { return errors.New("the writer has no Sync method") }
	}
	return s
}

// aim directs the segment to a file and finds out how its lines must be written.
func (s *segment) aim(f *os.File) {
	info, err := f.Stat()
	if err != nil {
		s.w = f // which will say the same
		return
	}
	mode := info.Mode()
	s.w = newLineWriter(f, mode.IsRegular())
	switch {
	case mode.IsRegular():
		s.lead = !endsLine(f, info.Size())
	case mode&os.ModeNamedPipe != 0:
		s.limit = pipeBuf()
	}
}

// endsLine reports whether a line may be appended to a file as it is. A file
// that can't be read is taken for one that may not.
func endsLine(f *os.File, size int64) bool {
	if size == 0 {
		return true
	}
	var last [1]byte
	_, err := f.ReadAt(last[:], size-1)
	return err == nil && last[0] == '\n'
}

// syncFile makes a file's data durable. Only of something that is no regular
// file it is accepted that it can't be synced: there is nothing to lose.
func syncFile(f *os.File) error {
	err := dataSync(f)
	if err == nil || !unsyncable(err) {
		return err
	}
	if info, statErr := f.Stat(); statErr == nil && !info.Mode().IsRegular() {
		return nil
	}
	return err
}
