package clipspantest

import (
	"bytes"
	"context"
	"errors"
	"reflect"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/clipspan/clipspan"
)

func TestRunSinkPassesOnARecorder(t *testing.T) {
	RunSink(t, func(testing.TB) SinkTest {
		rec := &Recorder{}
		return SinkTest{Sink: rec, Records: rec.Records}
	})
}

func TestRunSinkPassesOnASinkThatClosesAndBreaks(t *testing.T) {
	RunSink(t, openHonest)
}

// honest is a sink that does everything right; the mutants below each do one
// thing wrong.
type honest struct {
	mu      sync.Mutex
	records []clipspan.Record
	broken  bool
	closed  bool
}

func openHonest(testing.TB) SinkTest {
	s := &honest{}
	return s.test(s)
}

func (s *honest) test(sink clipspan.Sink) SinkTest {
	return SinkTest{Sink: sink, Records: s.all, Break: func() { s.broken = true }}
}

func (s *honest) Emit(_ context.Context, r clipspan.Record) error { return s.keep(clipspan.Clone(r)) }

func (s *honest) keep(r clipspan.Record) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return clipspan.ErrClosed
	case s.broken:
		return errors.New("disk full")
	}
	s.records = append(s.records, r)
	return nil
}

func (s *honest) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	return nil
}

func (s *honest) all() (copies []clipspan.Record) {
	for _, r := range s.records {
		copies = append(copies, clipspan.Clone(r))
	}
	return copies
}

// mutant is an honest sink with another Emit or Close.
type mutant struct {
	*honest
	emit  func(s *honest, ctx context.Context, r clipspan.Record) error
	close func(s *honest) error
}

func (m mutant) Emit(ctx context.Context, r clipspan.Record) error {
	if m.emit == nil {
		return m.honest.Emit(ctx, r)
	}
	return m.emit(m.honest, ctx, r)
}

func (m mutant) Close() error {
	if m.close == nil {
		return m.honest.Close()
	}
	return m.close(m.honest)
}

// onSpan is a mutant that changes its copy of every span before it keeps it.
func onSpan(change func(s *clipspan.Span)) mutant {
	return mutant{emit: func(s *honest, _ context.Context, r clipspan.Record) error {
		kept := clipspan.Clone(r)
		if span, ok := kept.(*clipspan.Span); ok {
			change(span)
		}
		return s.keep(kept)
	}}
}

func TestRunSinkCatchesEverySinkThatBreaksAPromise(t *testing.T) {
	for name, c := range map[string]struct {
		sink  mutant
		fails string // the case that catches it
	}{
		"drops the kinds of record that it does not know": {mutant{emit: func(s *honest, ctx context.Context, r clipspan.Record) error {
			if r.Kind() != clipspan.KindTool {
				return nil
			}
			return s.Emit(ctx, r)
		}}, "it keeps every field of every kind of record"},
		"drops unknown fields":                {onSpan(func(s *clipspan.Span) { s.Extra = nil }), "it keeps every field of every kind of record"},
		"drops a field":                       {onSpan(func(s *clipspan.Span) { s.KeptRanges = nil }), "it keeps every field of every kind of record"},
		"makes a float of a number":           {onSpan(func(s *clipspan.Span) { s.ModelContextLimitTokens = clipspan.Known(int64(float64(1<<53 + 1))) }), "it keeps every field of every kind of record"},
		"makes a 0 of what is unknown":        {onSpan(func(s *clipspan.Span) { s.ObservedBytes = clipspan.Known(s.ObservedBytes.Or(0)) }), "it keeps every field of every kind of record"},
		"makes none of what is undeclared":    {onSpan(func(s *clipspan.Span) { s.ClipReason = max(s.ClipReason, clipspan.ReasonNone) }), "it keeps every field of every kind of record"},
		"cleans text":                         {onSpan(func(s *clipspan.Span) { s.Name = string(bytes.ReplaceAll([]byte(s.Name), []byte("\n"), nil)) }), "it keeps hostile text as it is"},
		"cuts long values":                    {onSpan(func(s *clipspan.Span) { cutExtra(s, 1000) }), "it keeps a huge record whole or refuses it"},
		"keeps the record itself":             {mutant{emit: func(s *honest, _ context.Context, r clipspan.Record) error { return s.keep(r) }}, "it keeps nothing of a record after Emit has returned"},
		"keeps a shallow copy":                {mutant{emit: func(s *honest, _ context.Context, r clipspan.Record) error { return s.keep(shallow(r)) }}, "it keeps nothing of a record after Emit has returned"},
		"writes into the record":              {mutant{emit: redactInPlace}, "it leaves the record as it was"},
		"gives up with the caller":            {mutant{emit: heedContext}, "it records a call that was cancelled"},
		"drops a cancelled call in silence":   {mutant{emit: skipCancelled}, "it records a call that was cancelled"},
		"loses one of two concurrent records": {mutant{emit: loseUpdate}, "it takes the records of many goroutines"},
		"doubles a record under load":         {mutant{emit: retryAlways}, "it takes the records of many goroutines"},
		"fuses two concurrent records":        {mutant{emit: fuse}, "it takes the records of many goroutines"},
		"fails under load":                    {mutant{emit: busy}, "it takes the records of many goroutines"},
		"takes no run_end":                    {mutant{emit: noRunEnd}, "a whole run that goes through it can be trusted"},
		"hides that it failed":                {mutant{emit: hideFailure}, "it says so when it can't record"},
		"forgets what it held at Close":       {mutant{close: func(s *honest) error { s.records = nil; return s.Close() }}, "what it took before Close is still there"},
		"fails at Close":                      {mutant{close: func(s *honest) error { _ = s.Close(); return errors.New("not flushed") }}, "what it took before Close is still there"},
		"takes records after Close":           {mutant{close: func(*honest) error { return nil }}, "it refuses with ErrClosed what comes after Close"},
		"drops records after Close in silence": {mutant{emit: func(s *honest, ctx context.Context, r clipspan.Record) error {
			_ = s.Emit(ctx, r)
			return nil
		}}, "it refuses with ErrClosed what comes after Close"},
		"refuses with an error of its own": {mutant{emit: func(s *honest, ctx context.Context, r clipspan.Record) error {
			if s.Emit(ctx, r) != nil {
				return errors.New("bad descriptor")
			}
			return nil
		}}, "it refuses with ErrClosed what comes after Close"},
		"fails at the second Close":             {mutant{close: closeOnce}, "closing it twice is closing it once"},
		"drops what is on its way when it ends": {mutant{emit: checkThenKeep}, "while it closes it takes a record or refuses it"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				failures := failuresOf(t, func(t testing.TB) {
					c.sink.honest = &honest{}
					sinkCase(t, c.fails)(t, c.sink.test(c.sink))
				})
				assert.NotEmpty(t, failures, "the case %q did not catch it", c.fails)
			})
		})
	}
}

func TestRunSinkTellsTheSameFaultOnce(t *testing.T) {
	closed := mutant{&honest{}, func(*honest, context.Context, clipspan.Record) error { return errors.New("bad descriptor") }, nil}
	failures := failuresOf(t, func(t testing.TB) { closesUnderLoad(t, closed.test(closed)) })
	assert.Equal(t, []string{
		"Emit during Close returned bad descriptor, want nil or clipspan.ErrClosed",
		"… and 511 more",
	}, failures)
}

// sinkCase is the check of the case with this name.
func sinkCase(t testing.TB, name string) func(testing.TB, SinkTest) {
	t.Helper()
	for _, c := range sinkCases {
		if c.name == name {
			return c.check
		}
	}
	require.FailNow(t, "no such case", name)
	return nil
}

func cutExtra(s *clipspan.Span, n int) {
	for i, f := range s.Extra {
		if len(f.Raw) > n {
			s.Extra[i].Raw = f.Raw[:n] + `"`
		}
	}
}

func shallow(r clipspan.Record) clipspan.Record {
	switch r := r.(type) {
	case *clipspan.Span:
		c := *r
		return &c
	case *clipspan.Turn:
		c := *r
		return &c
	default:
		return clipspan.Clone(r)
	}
}

func redactInPlace(s *honest, ctx context.Context, r clipspan.Record) error {
	if span, ok := r.(*clipspan.Span); ok {
		defer func(preview string) { span.InjectedPreview = "" }(span.InjectedPreview)
	}
	return s.Emit(ctx, r)
}

func heedContext(s *honest, ctx context.Context, r clipspan.Record) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.Emit(ctx, r)
}

func skipCancelled(s *honest, ctx context.Context, r clipspan.Record) error {
	if ctx.Err() != nil {
		return nil
	}
	return s.Emit(ctx, r)
}

// The next mutants wait in the middle of what should be one step. In the bubble
// of a synctest all others get as far meanwhile, so that they always collide.

func loseUpdate(s *honest, _ context.Context, r clipspan.Record) error {
	s.mu.Lock()
	seen := slices.Clone(s.records)
	s.mu.Unlock()
	time.Sleep(time.Nanosecond)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.records = append(seen, clipspan.Clone(r))
	return nil
}

func retryAlways(s *honest, ctx context.Context, r clipspan.Record) error {
	before := s.count()
	if err := s.Emit(ctx, r); err != nil {
		return err
	}
	time.Sleep(time.Nanosecond)
	if s.count() != before+1 {
		return s.Emit(ctx, r)
	}
	return nil
}

// fuse writes a record field by field.
func fuse(s *honest, ctx context.Context, r clipspan.Record) error {
	if err := s.Emit(ctx, r); err != nil {
		return err
	}
	time.Sleep(time.Nanosecond)
	s.mu.Lock()
	defer s.mu.Unlock()
	last, isSpan := s.records[len(s.records)-1].(*clipspan.Span)
	if span, ok := r.(*clipspan.Span); ok && isSpan {
		last.InjectedPreview = span.InjectedPreview
	}
	return nil
}

func busy(s *honest, ctx context.Context, r clipspan.Record) error {
	before := s.count()
	time.Sleep(time.Nanosecond)
	if s.count() != before {
		return errors.New("database is locked")
	}
	return s.Emit(ctx, r)
}

func noRunEnd(s *honest, ctx context.Context, r clipspan.Record) error {
	if r.Kind() == clipspan.KindRunEnd {
		return nil
	}
	return s.Emit(ctx, r)
}

func hideFailure(s *honest, ctx context.Context, r clipspan.Record) error {
	if s.broken {
		return nil
	}
	return s.Emit(ctx, r)
}

func closeOnce(s *honest) error {
	if s.closed {
		return errors.New("file already closed")
	}
	return s.Close()
}

func checkThenKeep(s *honest, ctx context.Context, r clipspan.Record) error {
	s.mu.Lock()
	closed := s.closed
	s.mu.Unlock()
	if closed {
		return clipspan.ErrClosed
	}
	time.Sleep(time.Duration(r.Envelope().Seq)) // so that Close comes between two records
	_ = s.Emit(ctx, r)
	return nil
}

func (s *honest) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.records)
}

func TestTheRecordsOfTheSuiteHaveEveryFieldSet(t *testing.T) {
	for _, r := range []clipspan.Record{fullSpan(1), fullTurn(1), fullGap(1), fullRunEnd(1)} {
		v := reflect.ValueOf(r).Elem()
		for i := range v.NumField() {
			assert.False(t, v.Field(i).IsZero(), "%s.%s", v.Type(), v.Type().Field(i).Name)
		}
		lent := clipspan.Clone(r)
		poison(lent)
		require.NotEmpty(t, changes(lent, r))
	}
}
