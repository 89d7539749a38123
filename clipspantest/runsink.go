package clipspantest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/trace"
)

// SinkTest is a sink to be tested by [RunSink].
type SinkTest struct {
	// Sink is new and holds no record. If it has a method Close() error, that is
	// tested too; whether it was called or not, the test's own cleanup has to
	// release what the sink holds.
	Sink clipspan.Sink
	// Records reads back all records whose Emit has returned nil, in any order. It
	// is called while no Emit is under way, after Close too. [Read] does this for
	// everything that is written as JSONL. Fields that the sink adds of its own
	// don't matter.
	Records func() []clipspan.Record
	// Break, if not nil, makes every further record fail, such as by closing the
	// file below the sink.
	Break func()
}

// RunSink tests that a sink does what [clipspan.Sink] and [clipspan.Emitter] rely
// on:
//
//   - Emit keeps every record whose Emit returned nil, once and as it was given:
//     every field of every kind, also those that are unknown, and hostile text.
//   - A huge record is kept whole or refused with an error, and the next one taken.
//   - When Emit has returned, the record is the caller's again: the sink has kept a
//     copy, and has changed nothing.
//   - A record is taken even if its context was cancelled.
//   - Emit is safe for concurrent use.
//   - An error is returned for whatever could not be recorded.
//
// And if it has a method Close() error:
//
//   - What was taken before Close is still there after it.
//   - Emit returns [clipspan.ErrClosed] for what comes after Close.
//   - Close may be called twice, and returns nil both times.
//   - Close may be called while Emit is under way, which then takes the record or
//     returns [clipspan.ErrClosed].
//
// Every sub-test opens a sink of its own. Run it with the race detector: a sink
// that goes on reading a record after Emit has returned shows only there.
func RunSink(t *testing.T, open func(t testing.TB) SinkTest) {
	t.Helper()
	probe := open(t)
	_, closes := probe.Sink.(io.Closer)
	for _, c := range sinkCases {
		if c.close && !closes || c.broken && probe.Break == nil {
			continue
		}
		t.Run(c.name, func(t *testing.T) { c.check(t, open(t)) })
	}
}

// sinkCases are the promises of a sink. Some can be tested only where the sink
// has a Close, or the caller can break it.
var sinkCases = []struct {
	name          string
	close, broken bool
	check         func(t testing.TB, s SinkTest)
}{
	{name: "it keeps every field of every kind of record", check: keepsEveryField},
	{name: "it keeps hostile text as it is", check: keepsHostileText},
	{name: "it keeps a huge record whole or refuses it", check: keepsHugeRecords},
	{name: "it keeps nothing of a record after Emit has returned", check: keepsCopies},
	{name: "it leaves the record as it was", check: leavesRecords},
	{name: "it records a call that was cancelled", check: recordsCancelledCalls},
	{name: "it takes the records of many goroutines", check: takesManyAtOnce},
	{name: "a whole run that goes through it can be trusted", check: takesAWholeRun},
	{name: "it says so when it can't record", broken: true, check: tellsOfFailure},
	{name: "what it took before Close is still there", close: true, check: closesWithoutLoss},
	{name: "it refuses with ErrClosed what comes after Close", close: true, check: refusesAfterClose},
	{name: "closing it twice is closing it once", close: true, check: closesTwice},
	{name: "while it closes it takes a record or refuses it", close: true, check: closesUnderLoad},
}

// emit hands a copy to the sink and then makes it useless, so that a sink which
// keeps the record itself has something else than it was given. The test ends if
// the record is not taken.
func (s SinkTest) emit(t testing.TB, records ...clipspan.Record) {
	t.Helper()
	for _, r := range records {
		if err := s.try(t.Context(), r); err != nil {
			t.Fatalf("Emit of record %s: %v", place(r), err)
		}
	}
}

func (s SinkTest) try(ctx context.Context, r clipspan.Record) error {
	lent := clipspan.Clone(r)
	defer poison(lent)
	return s.Sink.Emit(ctx, lent)
}

// expect compares what the sink holds with the records that it has taken.
func (s SinkTest) expect(t testing.TB, want ...clipspan.Record) {
	t.Helper()
	held := map[string][]clipspan.Record{}
	for _, r := range s.Records() {
		held[place(r)] = append(held[place(r)], r)
	}
	var wrong []string
	for _, r := range want {
		got := held[place(r)]
		delete(held, place(r))
		if len(got) != 1 {
			wrong = append(wrong, fmt.Sprintf("the sink holds record %s %d times, want once", place(r), len(got)))
		} else if c := changes(got[0], r); len(c) > 0 {
			wrong = append(wrong, fmt.Sprintf("record %s is not what Emit was given: %s", place(r), strings.Join(c, "; ")))
		}
	}
	for _, p := range slices.Sorted(maps.Keys(held)) {
		wrong = append(wrong, fmt.Sprintf("the sink holds record %s, which it was not given or has refused", p))
	}
	tell(t, wrong)
}

// changes says how a record differs from the one that Emit was given. It may have
// fields that neither was given nor are ours: those are the sink's own.
func changes(got, given clipspan.Record) []string {
	if bytes.Equal(got.AppendJSON(nil), given.AppendJSON(nil)) {
		return nil
	}
	wanted := members(given)
	for _, f := range members(got) {
		named := func(other clipspan.Field) bool { return other.Name == f.Name }
		if !slices.ContainsFunc(wanted, named) && !slices.ContainsFunc(got.Envelope().Extra, named) {
			wanted = append(wanted, clipspan.Field{Name: f.Name, Raw: "null"})
		}
	}
	return differences(got, wanted)
}

// place tells records apart: in these tests no two have the same position.
func place(r clipspan.Record) string { return fmt.Sprintf("%d (%s)", r.Envelope().Seq, r.Kind()) }

func keepsEveryField(t testing.TB, s SinkTest) {
	bare := &clipspan.Span{Header: clipspan.Header{Seq: 5}, Name: "read_file"} // what it leaves out has to stay unknown
	records := []clipspan.Record{fullSpan(1), fullTurn(2), fullGap(3), fullRunEnd(4), bare}
	s.emit(t, records...)
	s.expect(t, records...)
}

func keepsHostileText(t testing.TB, s SinkTest) {
	var records []clipspan.Record
	for i, text := range hostileTexts {
		span := fullSpan(int64(i + 1))
		span.Name, span.InjectedPreview, span.Error = text, text, text
		records = append(records, span)
	}
	s.emit(t, records...)
	s.expect(t, records...)
}

func keepsHugeRecords(t testing.TB, s SinkTest) {
	huge := fullSpan(1)
	huge.Extra = []clipspan.Field{{Name: "vendor.huge", Raw: `"` + strings.Repeat("0123456789", 30_000) + `"`}}
	next := fullSpan(2) // has to be taken in either case
	if err := s.try(t.Context(), huge); err != nil {
		s.emit(t, next)
		s.expect(t, next)
		return
	}
	s.emit(t, next)
	s.expect(t, huge, next)
}

func keepsCopies(t testing.TB, s SinkTest) {
	records := []clipspan.Record{fullSpan(1), fullTurn(2), fullGap(3), fullRunEnd(4)}
	s.emit(t, records...)
	if got := s.Records(); len(got) == len(records) {
		for _, r := range got {
			poison(r) // what was read back is the reader's, and not the sink's
		}
	}
	s.expect(t, records...)
}

func leavesRecords(t testing.TB, s SinkTest) {
	for _, r := range []clipspan.Record{fullSpan(1), fullTurn(2), fullGap(3), fullRunEnd(4)} {
		lent := clipspan.Clone(r)
		if err := s.Sink.Emit(t.Context(), lent); err != nil {
			t.Fatalf("Emit of record %s: %v", place(r), err)
		}
		if wrong := changes(lent, r); len(wrong) > 0 {
			t.Errorf("Emit has changed record %s: %s", place(r), strings.Join(wrong, "; "))
		}
	}
}

func recordsCancelledCalls(t testing.TB, s SinkTest) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.try(ctx, fullSpan(1)); err != nil {
		t.Fatalf("Emit with a cancelled context: %v; that a call was cancelled is evidence too", err)
	}
	s.expect(t, fullSpan(1))
}

const (
	goroutines = 16
	perRoutine = 32
)

func takesManyAtOnce(t testing.TB, s SinkTest) {
	records := make([]clipspan.Record, goroutines*perRoutine)
	for i := range records {
		span := fullSpan(int64(i + 1))
		span.InjectedPreview = strings.Repeat(span.SpanID+" ", i%12)
		records[i] = span
	}
	for i, err := range s.tryAll(t.Context(), records) {
		if err != nil {
			t.Fatalf("Emit of record %s: %v", place(records[i]), err)
		}
	}
	s.expect(t, records...)
}

// tryAll emits records from many goroutines at once, and returns their errors.
func (s SinkTest) tryAll(ctx context.Context, records []clipspan.Record) []error {
	errs := make([]error, len(records))
	start := make(chan struct{})
	var wg sync.WaitGroup
	for g := range goroutines {
		wg.Go(func() {
			<-start
			for i := g; i < len(records); i += goroutines {
				errs[i] = s.try(ctx, records[i])
			}
		})
	}
	close(start)
	wg.Wait()
	return errs
}

func takesAWholeRun(t testing.TB, s SinkTest) {
	em := clipspan.NewEmitter(s.Sink, fourBytes{}, clipspan.WithDeadline(patience))
	whole := em.Wrap(clipspan.ToolFunc("list", func(_ context.Context, in string) (string, error) { return in, nil }), nil)
	errs := make([]error, goroutines)
	var wg sync.WaitGroup
	for g := range errs {
		wg.Go(func() { _, errs[g] = whole.Call(t.Context(), strings.Repeat("entry\n", g)) })
	}
	wg.Wait()
	var wrong []string
	for _, err := range errs {
		if err != nil {
			wrong = append(wrong, fmt.Sprintf("wrapped call: %v", err))
		}
	}
	if err := em.Close(t.Context()); err != nil {
		wrong = append(wrong, fmt.Sprintf("closing the run: %v", err))
	}
	tell(t, wrong)
	AssertTrusted(t, s.Records(), trace.WithRequireEnd())
}

func tellsOfFailure(t testing.TB, s SinkTest) {
	s.emit(t, fullSpan(1))
	s.Break()
	if err := s.try(t.Context(), fullSpan(2)); err == nil {
		t.Errorf("Emit returned nil for a record that was lost")
	}
}

// close closes the sink if it is one that can be closed.
func (s SinkTest) close() error {
	if closer, ok := s.Sink.(io.Closer); ok {
		return closer.Close()
	}
	return nil
}

func closesWithoutLoss(t testing.TB, s SinkTest) {
	records := []clipspan.Record{fullSpan(1), fullTurn(2), fullRunEnd(3)}
	s.emit(t, records...)
	if err := s.close(); err != nil {
		t.Errorf("Close: %v", err)
	}
	s.expect(t, records...)
}

func refusesAfterClose(t testing.TB, s SinkTest) {
	s.emit(t, fullSpan(1))
	if err := s.close(); err != nil {
		t.Errorf("Close: %v", err)
	}
	if err := s.try(t.Context(), fullSpan(2)); !errors.Is(err, clipspan.ErrClosed) {
		t.Errorf("Emit after Close returned %v, want clipspan.ErrClosed", err)
	}
	s.expect(t, fullSpan(1))
}

func closesTwice(t testing.TB, s SinkTest) {
	s.emit(t, fullSpan(1))
	first, second := s.close(), s.close()
	if first != nil || second != nil {
		t.Errorf("Close returned %v, then %v", first, second)
	}
	s.expect(t, fullSpan(1))
}

func closesUnderLoad(t testing.TB, s SinkTest) {
	records := make([]clipspan.Record, goroutines*perRoutine)
	for i := range records {
		records[i] = fullSpan(int64(i + 1))
	}
	begun, closed := make(chan struct{}), make(chan error)
	first := sync.OnceFunc(func() { close(begun) })
	busy := SinkTest{Sink: clipspan.SinkFunc(func(ctx context.Context, r clipspan.Record) error {
		defer first()
		return s.Sink.Emit(ctx, r)
	})}
	go func() {
		<-begun
		closed <- s.close()
	}()
	errs := busy.tryAll(t.Context(), records)
	if err := <-closed; err != nil {
		t.Errorf("Close: %v", err)
	}
	var taken []clipspan.Record
	var wrong []string
	for i, err := range errs {
		switch {
		case err == nil:
			taken = append(taken, records[i])
		case !errors.Is(err, clipspan.ErrClosed):
			wrong = append(wrong, fmt.Sprintf("Emit during Close returned %v, want nil or clipspan.ErrClosed", err))
		}
	}
	tell(t, wrong)
	s.expect(t, taken...)
}
