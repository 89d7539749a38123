package clipspan

import (
	"runtime"
	"sync"
	"time"
)

// maxPooledLine is the largest line buffer that is kept for the next record: one
// huge record must not hold its memory for the life of the sink.
const maxPooledLine = 64 << 10

// job is one step of a lane: a record to write, or something to do between two
// records. Whoever waits for it owns it, unless it was left.
type job struct {
	line  []byte       // '\n', the record, '\n'
	runID string       // the record's run
	last  bool         // the record ends its run
	act   func() error // done instead of writing a line
	ends  bool         // act closes the sink: nothing is taken after it

	seg  *segment // where the line went
	err  error
	done chan error // of one, so that finishing never waits
	left bool       // its caller has gone; set under lane.mu

	timer *time.Timer
}

// lane does the jobs of many goroutines one after another, on a goroutine that
// exists only while there are jobs: an idle sink costs nothing and leaks nothing,
// and a hanging disk holds one goroutine. Callers wait for their job until the
// deadline. A durable lane commits all jobs at hand at once, so that many callers
// share one fdatasync. Without deadline and durability callers do their jobs
// themselves, in turn.
type lane struct {
	write    func(*job) error // writes a line and notes its segment; never called concurrently
	durable  bool
	deadline time.Duration // 0 = callers wait for as long as it takes
	loop     func()        // l.work, kept so that starting it allocates nothing
	jobs     sync.Pool     // per lane: channels and timers must not leave a synctest bubble

	mu      sync.Mutex
	queue   []*job
	batch   []*job // belongs to work
	handed  int    // jobs of the batch that were handed back, in its order
	running bool   // work is under way
	overdue bool   // a caller has left what work is doing
	closed  bool
}

func (l *lane) init(c jsonlConfig, write func(*job) error) {
	l.write, l.durable, l.deadline = write, c.sync, max(c.deadline, 0)
	l.loop = l.work
	l.jobs.New = func() any { return &job{done: make(chan error, 1)} }
}

// emit encodes a record on the caller's goroutine and has it written.
func (l *lane) emit(r Record) error {
	j := l.jobs.Get().(*job)
	j.line = append(r.AppendJSON(append(j.line[:0], '\n')), '\n')
	j.runID, j.last = r.Envelope().RunID, r.Kind() == KindRunEnd
	err := l.do(j)
	if j.left {
		return err // the buffer may still be on its way to the disk
	}
	if cap(j.line) > maxPooledLine {
		j.line = nil
	}
	j.runID, j.seg, j.err = "", nil, nil
	l.jobs.Put(j)
	return err
}

// between does something between two records.
func (l *lane) between(act func() error) error {
	return l.do(&job{act: act, done: make(chan error, 1)})
}

// end does the lane's last job. It is taken even while a write is overdue, and
// done when that returns, so that the file is closed in the end.
func (l *lane) end(act func() error) error {
	return l.do(&job{act: act, ends: true, done: make(chan error, 1)})
}

func (l *lane) do(j *job) error {
	l.mu.Lock()
	if err := l.refusal(j); err != nil {
		l.mu.Unlock()
		return err
	}
	l.closed = j.ends
	if !l.durable && l.deadline == 0 {
		defer l.mu.Unlock()
		return l.perform(j)
	}
	l.queue = append(l.queue, j)
	start := !l.running
	l.running = true
	l.mu.Unlock()
	if start {
		go l.loop()
	}
	return l.wait(j)
}

func (l *lane) refusal(j *job) error {
	switch {
	case l.closed:
		return ErrClosed
	case l.overdue && !j.ends:
		return ErrOverdue
	default:
		return nil
	}
}

func (l *lane) wait(j *job) error {
	if l.deadline == 0 {
		return <-j.done
	}
	if j.timer == nil {
		j.timer = time.NewTimer(l.deadline)
	} else {
		j.timer.Reset(l.deadline)
	}
	select {
	case err := <-j.done:
		j.timer.Stop()
		return err
	case <-j.timer.C:
		return l.leave(j)
	}
}

// leave gives a job up, unless it has ended just now.
func (l *lane) leave(j *job) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case err := <-j.done:
		return err
	default:
		j.left, l.overdue = true, true
		return ErrOverdue
	}
}

func (l *lane) work() {
	ended := false
	defer func() {
		if !ended {
			l.resume()
		}
	}()
	for batch := l.take(); len(batch) > 0; batch = l.take() {
		for _, j := range batch {
			j.err = l.perform(j)
			if !l.durable {
				l.finish(j)
			}
		}
		if l.durable {
			l.commit(batch)
		}
	}
	ended = true
}

// resume goes on after a writer of the host's has ended work's goroutine with
// runtime.Goexit.
func (l *lane) resume() {
	for _, j := range l.batch[l.handed:] {
		j.err = errExited
		l.finish(j)
	}
	go l.loop()
}

// take returns all jobs at hand. If there are none, work is over.
func (l *lane) take() []*job {
	l.mu.Lock()
	defer l.mu.Unlock()
	clear(l.batch)
	l.batch, l.queue, l.handed = l.queue, l.batch[:0], 0
	l.running = len(l.batch) > 0
	return l.batch
}

// perform does a job. A line whose caller has gone is not written: it was
// reported as lost.
func (l *lane) perform(j *job) error {
	if j.act != nil {
		return j.act()
	}
	if l.abandoned(j) {
		return ErrOverdue
	}
	return l.write(j)
}

func (l *lane) abandoned(j *job) bool {
	if l.deadline == 0 {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return j.left
}

// commit makes a batch durable, each of its segments once, and only then
// acknowledges its jobs. Their callers run first now: what they bring at once
// belongs into the next batch.
func (l *lane) commit(batch []*job) {
	for _, j := range batch {
		if j.err == nil && j.seg != nil {
			j.err = j.seg.commit()
		}
		l.finish(j)
	}
	runtime.Gosched()
}

// finish hands a job back to its caller. What was overdue has moved on.
func (l *lane) finish(j *job) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.overdue = false
	l.handed++
	j.done <- j.err
}
