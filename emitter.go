package clipspan

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/google/uuid"
)

// ErrNotRecorded is returned in place of a tool result whose span could not be
// written, under [WithFailClosed].
var ErrNotRecorded = errors.New("not recorded")

var (
	errNoSink = errors.New("no sink")
	errNoID   = errors.New("no id")
)

// Emitter is one run: it numbers the records that belong together and hands them
// to a [Sink]. It is cheap to make and safe for concurrent use. Close it at the
// end of the run; the sink stays its opener's to close.
type Emitter struct {
	cfg     config
	tokens  TokenCounter
	hashers *hashers
	sink    Sink // bounded
	hooks   hooks

	mu      sync.Mutex
	open    map[*Open]struct{}
	issued  uint64   // tickets given to records that are to be written
	tickets []uint64 // of those being written, ascending
	arrived *sync.Cond
	seq     int64
	ledger  ledger
	ending  bool // Close was called
	closed  bool // nothing but run_end follows

	spans, turns, gaps int64 // written

	closing  sync.Once
	ended    chan struct{} // closed when Close has done its work
	closeErr error
}

// hooks are the guards round what the host gave besides the sink: each its own,
// so that one that hangs does not silence the others.
type hooks struct{ tokens, redactor, clock, ids, handler *guard }

func newHooks(limit time.Duration) hooks {
	return hooks{
		tokens:   newGuard(limit, maxHooks),
		redactor: newGuard(limit, maxHooks),
		clock:    newGuard(limit, maxHooks),
		ids:      newGuard(limit, maxHooks),
		handler:  newGuard(limit, maxHooks),
	}
}

// NewEmitter begins a run. The token counter may be nil if every prompt builder
// counts its own tokens; a span without a count is incomplete.
func NewEmitter(sink Sink, tokens TokenCounter, opts ...Option) *Emitter {
	cfg := config{preview: previewBytes, deadline: defaultDeadline}
	for _, o := range opts {
		o.apply(&cfg)
	}
	if cfg.runID == "" {
		cfg.runID = newUUID(time.Now())
	}
	e := &Emitter{
		cfg:     cfg,
		tokens:  tokens,
		hashers: newHashers(cfg.keyID, cfg.key),
		sink:    bound(sink, cfg.deadline),
		hooks:   newHooks(cfg.deadline),
		open:    make(map[*Open]struct{}),
		ended:   make(chan struct{}),
	}
	e.arrived = sync.NewCond(&e.mu)
	return e
}

// maxHooks bounds the goroutines that hanging hooks can leave behind.
const maxHooks = 64

// RunID is the run's id.
func (e *Emitter) RunID() string { return e.cfg.runID }

// Start opens the span of a tool call. Without a ParentID it takes the parent
// from the context (see [ContextWithCall]).
func (e *Emitter) Start(ctx context.Context, c Call) *Open {
	if c.ParentID == "" {
		c.ParentID = enclosedIn(ctx).inside
	}
	o := &Open{e: e, call: c}
	id := e.newID()
	o.inner = innerContext{ctx, enclosed{Call{ParentID: id}, id}}
	s := &o.span
	s.SpanID, s.ParentID, s.Name, s.ToolCallID = id, c.ParentID, c.Name, c.ID
	s.ModelContextLimitTokens = e.cfg.contextLimit
	s.StartedAt = e.now()
	if c.Args != "" {
		s.SHA256Args = e.hashers.text(c.Args)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.ending {
		e.open[o] = struct{}{}
	}
	return o
}

// Record writes the span of a call that is over: a loop that cuts inline needs
// only this. An empty Reason stays undeclared, so that a forgotten cut shows as
// silent_clip. The error is that of [Open.Inject].
func (e *Emitter) Record(ctx context.Context, c Call, out Output, in Injection, version string) (Finding, error) {
	o := e.Start(ctx, c)
	o.Observe(out)
	err := o.Inject(in, version)
	return Classify(&o.span), err
}

// RecordTurn writes the record of a model request. Its version, run and position
// are set; a missing TurnID is made.
func (e *Emitter) RecordTurn(ctx context.Context, t *Turn) error {
	if t.TurnID == "" {
		t.TurnID = e.newID()
	}
	defer e.end(e.begin(nil))
	record := Clone(t) // a sink that is left behind may read it when the host uses t again
	err := e.emit(ctx, record)
	t.Version, t.RunID, t.Seq = record.Version, record.RunID, record.Seq
	return e.hostError(err)
}

// Pending lists the calls that were started and whose result was not injected.
func (e *Emitter) Pending() []Call {
	e.mu.Lock()
	defer e.mu.Unlock()
	calls := make([]Call, 0, len(e.open))
	for o := range e.open {
		calls = append(calls, o.call)
	}
	return calls
}

// Err tells what the run could not record: nil, or a [*LostError].
func (e *Emitter) Err() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.ledger.err()
}

// now is the time of a span's beginning or end. A clock that fails is replaced
// by the real one.
func (e *Emitter) now() time.Time {
	if e.cfg.now == nil {
		return time.Now()
	}
	t, err := guarded(e.hooks.clock, func() (time.Time, error) { return e.cfg.now(), nil })
	if err != nil {
		e.report(fmt.Errorf("reading the clock: %w", err))
		return time.Now()
	}
	return t
}

// newID is a span's id. A source that fails is replaced by UUIDs.
func (e *Emitter) newID() string {
	if e.cfg.newID != nil {
		id, err := guarded(e.hooks.ids, func() (string, error) { return e.cfg.newID(), nil })
		if err == nil && id != "" {
			return id
		}
		e.report(fmt.Errorf("making a span id: %w", errors.Join(err, errNoID)))
	}
	return newUUID(time.Now())
}

// newUUID is a UUIDv7 (RFC 9562, section 5.7). uuid.NewV7 gives the same but
// allocates its bytes and asks the system for randomness each time, and this runs
// for every tool call. The ids are no secrets.
func newUUID(now time.Time) string {
	var b uuid.UUID
	binary.BigEndian.PutUint64(b[:8], uint64(now.UnixMilli())<<16|rand.Uint64()>>48)
	binary.BigEndian.PutUint64(b[8:], rand.Uint64())
	b[6] = b[6]&0x0f | 0x70
	b[8] = b[8]&0x3f | 0x80
	return b.String()
}

// report tells the error handler, whatever that does.
func (e *Emitter) report(err error) {
	if handle := e.cfg.onError; handle != nil {
		_, _ = guarded(e.hooks.handler, func() (struct{}, error) { handle(err); return struct{}{}, nil })
	}
}

// hostError is what the host gets to see of a lost record.
func (e *Emitter) hostError(err error) error {
	if err == nil || !e.cfg.failClosed {
		return nil
	}
	return fmt.Errorf("%w: %w", ErrNotRecorded, err)
}
