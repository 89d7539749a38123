package clipspan

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
)

// maxOpenRuns bounds the files that a [JSONLDir] holds open. The one that was
// not written to for the longest time is closed; its next record opens it again.
const maxOpenRuns = 64

// JSONLDir writes every run to a file of its own in one folder, named by the run
// id of its records, with the promises of a [JSONLSink]. A run's file is made
// with its first record and closed after its run_end; a record that comes later
// opens it again. All methods may be called by many goroutines at once.
type JSONLDir struct {
	lane  lane
	files *opener
	dir   string
	runs  map[string]*openRun
	clock uint64 // counts records, to tell which file was used last
	close func() error
}

type openRun struct {
	seg  *segment
	used uint64
}

// OpenJSONLDir opens a folder for the files of many runs, and makes it and those
// above it if they are missing, as [OpenJSONL] does. Close it when all runs have
// ended.
func OpenJSONLDir(dir string, opts ...JSONLOption) (*JSONLDir, error) {
	c := newJSONLConfig(opts)
	if err := makeFolder(dir, c.sync); err != nil {
		return nil, fmt.Errorf("opening a folder of traces: %w", err)
	}
	d := &JSONLDir{files: newOpener(c), dir: dir, runs: make(map[string]*openRun)}
	d.lane.init(c, d.write)
	d.close = sync.OnceValue(func() error { return d.lane.end(d.closeRuns) })
	return d, nil
}

// Emit implements [Sink] as [JSONLSink.Emit] does. All files share one deadline
// and one goroutine: a disk that hangs, hangs for all runs.
func (d *JSONLDir) Emit(_ context.Context, r Record) error { return d.lane.emit(r) }

// Close waits for the records on their way and closes all files. Further calls
// return what the first one did.
func (d *JSONLDir) Close() error { return d.close() }

// Path is the file that the records of a run go to. No two runs share one,
// whatever their ids: an id that is no plain file name everywhere, such as one
// with a slash or a capital letter, is written as far as it can be, followed by
// its hash. After a failed sync a run has further files, see [WithSync].
func (d *JSONLDir) Path(runID string) string {
	return filepath.Join(d.dir, runFileName(runID)+".jsonl")
}

// bounded tells an [Emitter] that Emit keeps a deadline by itself.
func (*JSONLDir) bounded() {}

func (d *JSONLDir) write(j *job) error {
	run, err := d.run(j.runID)
	if err != nil {
		return err
	}
	j.seg = run.seg
	if err := run.seg.write(j.line); err != nil || !j.last {
		return err
	}
	delete(d.runs, j.runID)
	return run.seg.close()
}

// run is the open file of a run.
func (d *JSONLDir) run(id string) (*openRun, error) {
	d.clock++
	run := d.runs[id]
	if run == nil {
		if len(d.runs) >= maxOpenRuns {
			d.closeOldest()
		}
		seg, err := d.files.open(d.Path(id))
		if err != nil {
			return nil, err
		}
		run = &openRun{seg: seg}
		d.runs[id] = run
	}
	run.used = d.clock
	seg, err := d.files.renew(run.seg)
	run.seg = seg
	return run, err
}

// closeOldest makes room for another file. What its close may fail with, its
// records in this batch get to know from the segment.
func (d *JSONLDir) closeOldest() {
	var oldest string
	first := d.clock
	for id, run := range d.runs {
		if run.used <= first {
			oldest, first = id, run.used
		}
	}
	d.runs[oldest].seg.close()
	delete(d.runs, oldest)
}

func (d *JSONLDir) closeRuns() error {
	var errs []error
	for _, run := range d.runs {
		errs = append(errs, run.seg.close())
	}
	clear(d.runs)
	return errors.Join(errs...)
}

// The longest names: of a run id taken as it is, and of what is left of another
// before its hash. With hash, number and ending they stay below 255 bytes.
const (
	maxPlainName  = 128
	maxNamePrefix = 64
)

// runFileName turns a run id into a file name without its ending: the id itself
// if that means the same file on every system, else its harmless part and its
// hash. Plain names hold no tilde and no dot, so the two kinds and the numbers of
// segments never meet; letter case is no difference on some systems.
func runFileName(id string) string {
	if isPlainName(id) {
		return id
	}
	prefix := strings.Map(func(r rune) rune {
		switch {
		case isPlainByte(r):
			return r
		case 'A' <= r && r <= 'Z':
			return r - 'A' + 'a'
		default:
			return '_'
		}
	}, id)
	prefix = strings.TrimLeft(prefix, "-_")
	if prefix = prefix[:min(len(prefix), maxNamePrefix)]; prefix == "" {
		prefix = "run"
	}
	sum := sha256.Sum256([]byte(id))
	return prefix + "~" + hex.EncodeToString(sum[:])
}

func isPlainName(id string) bool {
	if id == "" || len(id) > maxPlainName || id[0] == '-' || isDeviceName(id) {
		return false
	}
	for _, r := range id {
		if !isPlainByte(r) {
			return false
		}
	}
	return true
}

func isPlainByte(r rune) bool {
	return 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || r == '-' || r == '_'
}

// isDeviceName tells the names that mean a device on Windows, whatever ending
// follows.
func isDeviceName(name string) bool {
	switch name {
	case "con", "prn", "aux", "nul":
		return true
	}
	return len(name) == 4 && (name[:3] == "com" || name[:3] == "lpt") && '0' <= name[3] && name[3] <= '9'
}
