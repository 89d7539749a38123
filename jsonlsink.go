package clipspan

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"sync"
	"time"
)

// JSONLOption changes how a [JSONLSink] or a [JSONLDir] writes.
type JSONLOption interface{ applyJSONL(*jsonlConfig) }

type jsonlConfig struct {
	sync     bool
	shared   bool
	special  bool
	deadline time.Duration
}

type jsonlOptionFunc func(*jsonlConfig)

func (f jsonlOptionFunc) applyJSONL(c *jsonlConfig) { f(c) }

func newJSONLConfig(opts []JSONLOption) jsonlConfig {
	c := jsonlConfig{deadline: defaultDeadline}
	for _, o := range opts {
		o.applyJSONL(&c)
	}
	return c
}

// WithSync makes every record survive a power cut, not only the death of the
// process: Emit returns after fdatasync (fsync where there is none). Records that
// are written at the same time share one. A failed sync is final: its records
// count as lost, and a new file is begun beside the first, run.1.jsonl for
// run.jsonl. A writer given to [NewJSONLSink] needs a method Sync() error.
func WithSync() JSONLOption { return jsonlOptionFunc(func(c *jsonlConfig) { c.sync = true }) }

// Shared is for a file that other processes append to at the same time: every
// record begins with a line end, so that what one of them leaves torn when it
// dies swallows no record of another.
func Shared() JSONLOption { return jsonlOptionFunc(func(c *jsonlConfig) { c.shared = true }) }

// WithSpecialFiles accepts a path that is no regular file, such as a FIFO or a
// device. Opening a FIFO that nobody reads is an error and does not wait.
func WithSpecialFiles() JSONLOption {
	return jsonlOptionFunc(func(c *jsonlConfig) { c.special = true })
}

// WithWriteDeadline sets how long Emit, Reopen and Close may take; the default is
// 2 s. At 0 they take as long as the file does, and Emit without [WithSync]
// writes on its caller's goroutine, which is the fastest way.
func WithWriteDeadline(d time.Duration) JSONLOption {
	return jsonlOptionFunc(func(c *jsonlConfig) { c.deadline = d })
}

// JSONLSink appends records to a file, one JSON object a line, each with one
// write(2) and without a buffer of its own: a record whose Emit returned nil
// survives the death of the process, and with [WithSync] a power cut. What a
// crash or a full disk leaves torn never swallows the record after it (RECORDS,
// opening section). All methods may be called by many goroutines at once, for
// the records of one run or of many.
type JSONLSink struct {
	lane  lane
	files *opener // nil for a writer of the host's
	seg   *segment
	close func() error
}

// OpenJSONL opens a file for appending, and makes it and the folders above it if
// they are missing. What it makes is for its owner alone, mode 0600 and 0700
// whatever the umask; a file that exists keeps its mode. A symbolic link in the
// last place of the path is refused, and so is what is no regular file unless
// [WithSpecialFiles] is given. Close the sink when all its runs have ended.
func OpenJSONL(path string, opts ...JSONLOption) (*JSONLSink, error) {
	c := newJSONLConfig(opts)
	if err := makeFolder(filepath.Dir(path), c.sync); err != nil {
		return nil, fmt.Errorf("opening a trace: %w", err)
	}
	files := newOpener(c)
	seg, err := files.open(path)
	if err != nil {
		return nil, fmt.Errorf("opening a trace: %w", err)
	}
	return newJSONLSink(c, files, seg), nil
}

// NewJSONLSink writes to a pipe, a buffer or any other writer, with one call of
// Write a record. The writer stays the caller's: Close does not close it, and no
// two calls of Write overlap. After a call that outlived the deadline its bytes
// stay untouched, so the writer may still read them.
//
// Other processes may write to the same pipe, and a pipe takes only so many bytes
// in one piece (4096 on Linux, 512 by POSIX): a longer record is refused. Who
// knows that nobody else writes there hides the file in a writer of his own.
func NewJSONLSink(w io.Writer, opts ...JSONLOption) *JSONLSink {
	c := newJSONLConfig(opts)
	return newJSONLSink(c, nil, writerSegment(w, c))
}

func newJSONLSink(c jsonlConfig, files *opener, seg *segment) *JSONLSink {
	s := &JSONLSink{files: files, seg: seg}
	s.lane.init(c, s.write)
	s.close = sync.OnceValue(func() error {
		return s.lane.end(func() error { return s.seg.close() })
	})
	return s
}

// Emit implements [Sink]. The context is not looked at: the call of a cancelled
// request is evidence too, and the sink has a deadline of its own. Emit returns
// [ErrClosed] after Close and [ErrOverdue] when the deadline passes, and then at
// once until the write that is stuck returns. A record that was overdue may yet
// appear in the file if its write had begun.
func (s *JSONLSink) Emit(_ context.Context, r Record) error { return s.lane.emit(r) }

func (s *JSONLSink) write(j *job) error {
	if err := s.renew(); err != nil {
		return err
	}
	j.seg = s.seg
	return s.seg.write(j.line)
}

// renew replaces a segment that nothing more can be kept in.
func (s *JSONLSink) renew() (err error) {
	if s.files == nil {
		return s.seg.failed
	}
	s.seg, err = s.files.renew(s.seg)
	return err
}

// Reopen opens the path anew and closes the old file, for rotation: rename the
// file, then call Reopen. No record is lost or written twice; those before it are
// in the old file. If the path can't be opened, the old file stays in use. A file
// that was deleted is noticed without it, but only after some records.
func (s *JSONLSink) Reopen() error {
	if s.files == nil {
		return fmt.Errorf("reopening a writer: %w", errors.ErrUnsupported)
	}
	return s.lane.between(func() error {
		old := s.seg
		old.commit() // what fails now must not be opened again; close returns it
		fresh, err := s.files.open(old.base)
		if err != nil {
			return fmt.Errorf("reopening a trace: %w", err)
		}
		s.seg = fresh
		return old.close()
	})
}

// Close waits for the records on their way and closes the file. Further calls
// return what the first one did. After [ErrOverdue] the file is closed as soon as
// the write that is stuck returns.
func (s *JSONLSink) Close() error { return s.close() }

// bounded tells an [Emitter] that Emit keeps a deadline by itself.
func (*JSONLSink) bounded() {}
