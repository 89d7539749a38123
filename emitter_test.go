package clipspan_test

import (
	"context"
	"errors"
	"io/fs"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/clipspan/clipspan"
)

// failFirst fails the first n records.
func failFirst(n int) func(clipspan.Record) error {
	return func(clipspan.Record) error {
		if n--; n >= 0 {
			return errDiskFull
		}
		return nil
	}
}

func TestLostRecordsAreCountedAndWrittenAsAGap(t *testing.T) {
	sink := &memorySink{fail: failFirst(3)}
	var told []error
	em := clipspan.NewEmitter(sink, countBytes{}, clipspan.WithErrorHandler(func(err error) { told = append(told, err) }))
	tool := em.Wrap(returns("x", nil), nil)
	for range 5 {
		text, err := tool.Call(t.Context(), "")
		require.NoError(t, err, "the host comes first")
		require.Equal(t, "x", text)
	}
	var lost *clipspan.LostError
	require.ErrorAs(t, em.Close(t.Context()), &lost)
	assert.EqualValues(t, 3, lost.Records)
	assert.ErrorIs(t, lost, clipspan.ErrNotRecorded)
	assert.ErrorIs(t, lost, errDiskFull)
	assert.Len(t, told, 3)

	records := sink.all()
	require.Len(t, records, 4)
	assert.EqualValues(t, 4, records[0].Envelope().Seq)
	gap, ok := records[1].(*clipspan.Gap)
	require.True(t, ok, "the gap follows the first record that was written")
	assert.Equal(t, clipspan.Known(1), gap.FromSeq)
	assert.Equal(t, clipspan.Known(3), gap.ToSeq)
	assert.Equal(t, clipspan.Known(3), gap.Count)
	assert.Equal(t, "write", gap.Error)
	end := records[3].(*clipspan.RunEnd)
	assert.Equal(t, clipspan.Known(2), end.Spans)
	assert.Equal(t, clipspan.Known(1), end.Gaps)
}

func TestAGapThatCanNotBeWrittenIsKept(t *testing.T) {
	gaps := 0
	sink := &memorySink{}
	sink.fail = func(r clipspan.Record) error {
		if r.Kind() == clipspan.KindGap {
			if gaps++; gaps == 1 {
				return errDiskFull
			}
		}
		if r.Envelope().Seq == 1 {
			return errDiskFull
		}
		return nil
	}
	em := clipspan.NewEmitter(sink, countBytes{})
	tool := em.Wrap(returns("x", nil), nil)
	for range 3 {
		_, err := tool.Call(t.Context(), "")
		require.NoError(t, err)
	}
	var gap *clipspan.Gap
	for _, r := range sink.all() {
		if g, ok := r.(*clipspan.Gap); ok {
			gap = g
		}
	}
	require.NotNil(t, gap)
	assert.Equal(t, clipspan.Known(1), gap.FromSeq)
	assert.Equal(t, clipspan.Known(3), gap.ToSeq, "the first gap's own position is missing too")
	assert.Equal(t, clipspan.Known(2), gap.Count)
}

func TestFailClosedWithholdsWhatCouldNotBeRecorded(t *testing.T) {
	boom := errors.New("tool failed")
	sink := &memorySink{fail: func(clipspan.Record) error { return errDiskFull }}
	em := clipspan.NewEmitter(sink, countBytes{}, clipspan.WithFailClosed())
	text, err := em.Wrap(returns("x", boom), nil).Call(t.Context(), "")
	assert.Empty(t, text)
	require.ErrorIs(t, err, clipspan.ErrNotRecorded)
	assert.ErrorIs(t, err, errDiskFull)
	assert.ErrorIs(t, err, boom)
	assert.ErrorIs(t, em.Barrier(t.Context()), clipspan.ErrNotRecorded)
}

func TestBadHooksDoNotHurtTheHost(t *testing.T) {
	hang := make(chan struct{})
	for name, c := range map[string]struct {
		sink   clipspan.Sink
		tokens clipspan.TokenCounter
		opts   []clipspan.Option
		lost   bool
	}{
		"no sink":            {nil, countBytes{}, nil, true},
		"sink panics":        {clipspan.SinkFunc(func(context.Context, clipspan.Record) error { panic("boom") }), countBytes{}, nil, true},
		"sink exits":         {clipspan.SinkFunc(func(context.Context, clipspan.Record) error { runtime.Goexit(); return nil }), countBytes{}, nil, true},
		"sink hangs":         {clipspan.SinkFunc(func(context.Context, clipspan.Record) error { <-hang; return nil }), countBytes{}, nil, true},
		"no token counter":   {&memorySink{}, nil, nil, false},
		"counter panics":     {&memorySink{}, counterFunc(func() (int64, error) { panic("boom") }), nil, false},
		"counter fails":      {&memorySink{}, counterFunc(func() (int64, error) { return 0, errors.New("no vocabulary") }), nil, false},
		"counter is below 0": {&memorySink{}, counterFunc(func() (int64, error) { return -1, nil }), nil, false},
		"counter hangs":      {&memorySink{}, counterFunc(func() (int64, error) { <-hang; return 0, nil }), nil, false},
		"redactor panics":    {&memorySink{}, countBytes{}, []clipspan.Option{clipspan.WithRedactor(func(string) string { panic("boom") })}, false},
		"clock panics":       {&memorySink{}, countBytes{}, []clipspan.Option{clipspan.WithClock(func() time.Time { panic("boom") })}, false},
		"clock hangs":        {&memorySink{}, countBytes{}, []clipspan.Option{clipspan.WithClock(func() time.Time { <-hang; return time.Time{} })}, false},
		"ids are empty":      {&memorySink{}, countBytes{}, []clipspan.Option{clipspan.WithIDs(func() string { return "" })}, false},
		"handler panics":     {nil, countBytes{}, []clipspan.Option{clipspan.WithErrorHandler(func(error) { panic("boom") })}, true},
		"handler hangs":      {nil, countBytes{}, []clipspan.Option{clipspan.WithErrorHandler(func(error) { <-hang })}, true},
		"sink's error is a nil pointer": {clipspan.SinkFunc(func(context.Context, clipspan.Record) error {
			return (*fs.PathError)(nil)
		}), countBytes{}, nil, true},
		"a file sink that was never opened":   {(*clipspan.JSONLSink)(nil), countBytes{}, nil, true},
		"a folder sink that was never opened": {(*clipspan.JSONLDir)(nil), countBytes{}, nil, true},
		"no sinks behind a MultiSink":         {clipspan.MultiSink(nil, (*clipspan.JSONLSink)(nil)), countBytes{}, nil, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				hang = make(chan struct{})
				em := clipspan.NewEmitter(c.sink, c.tokens, c.opts...)
				begun := time.Now()
				for range 3 {
					text, err := em.Wrap(returns("x", nil), nil).Call(t.Context(), "")
					require.NoError(t, err)
					require.Equal(t, "x", text)
				}
				assert.LessOrEqual(t, time.Since(begun), 2*time.Second, "what hangs is waited for once")
				assert.Equal(t, c.lost, em.Err() != nil)
				if m, ok := c.sink.(*memorySink); ok {
					require.Len(t, m.spans(), 3)
					assert.NotEmpty(t, m.spans()[0].SpanID)
					assert.False(t, m.spans()[0].StartedAt.IsZero())
				}
				close(hang)
			})
		})
	}
}

type counterFunc func() (int64, error)

func (f counterFunc) CountTokens(context.Context, string) (int64, error) { return f() }
func (counterFunc) Source() clipspan.TokenSource                         { return clipspan.TokensEstimated }

func TestOneHangingHookSilencesNoOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hang := make(chan struct{})
		sink := &memorySink{fail: failFirst(1)}
		em := clipspan.NewEmitter(sink, countBytes{}, clipspan.WithErrorHandler(func(error) { <-hang }))
		for range 2 {
			_, err := em.Wrap(returns("x", nil), nil).Call(t.Context(), "")
			require.NoError(t, err)
		}
		assert.Equal(t, clipspan.Known(1), sink.only(t).InjectedTokens)
		close(hang)
	})
}

func TestASlowSinkLosesNothingOfManyCallers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		memory := &memorySink{}
		slow := clipspan.SinkFunc(func(ctx context.Context, r clipspan.Record) error {
			time.Sleep(20 * time.Millisecond)
			return memory.Emit(ctx, r)
		})
		em := clipspan.NewEmitter(slow, countBytes{})
		var wg sync.WaitGroup
		for range 300 { // six seconds of work in all, three deadlines
			wg.Go(func() { _, _ = em.Wrap(returns("x", nil), nil).Call(t.Context(), "") })
		}
		wg.Wait()
		assert.NoError(t, em.Err())
		assert.Len(t, memory.spans(), 300)
	})
}

func TestManyCallersOfAHangingSinkLeaveOneGoroutineBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hang := make(chan struct{})
		var inside atomic.Int32
		em := clipspan.NewEmitter(clipspan.SinkFunc(func(context.Context, clipspan.Record) error {
			inside.Add(1)
			<-hang
			return nil
		}), countBytes{})
		begun := time.Now()
		var wg sync.WaitGroup
		for range 100 {
			wg.Go(func() { _, _ = em.Wrap(returns("x", nil), nil).Call(t.Context(), "") })
		}
		wg.Wait()
		assert.Equal(t, 2*time.Second, time.Since(begun))
		assert.EqualValues(t, 1, inside.Load())
		close(hang)
	})
}

func TestAHangingSinkBesideAFileCostsTheFileNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hang := make(chan struct{})
		memory := &memorySink{}
		em := clipspan.NewEmitter(clipspan.MultiSink(memory, clipspan.SinkFunc(func(context.Context, clipspan.Record) error {
			<-hang
			return nil
		})), countBytes{})
		for range 10 {
			_, err := em.Wrap(returns("x", nil), nil).Call(t.Context(), "")
			require.NoError(t, err)
		}
		assert.Len(t, memory.spans(), 10)
		close(hang)
	})
}

func TestASinkThatRecoversIsUsedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hang := make(chan struct{})
		memory := &memorySink{}
		sink := clipspan.SinkFunc(func(ctx context.Context, r clipspan.Record) error {
			<-hang
			return memory.Emit(ctx, r)
		})
		em := clipspan.NewEmitter(sink, countBytes{})
		tool := em.Wrap(returns("x", nil), nil)
		for range 3 {
			_, err := tool.Call(t.Context(), "")
			require.NoError(t, err)
		}
		close(hang)
		synctest.Wait()
		_, err := tool.Call(t.Context(), "")
		require.NoError(t, err)
		records := memory.all()
		require.Len(t, records, 3, "the late first span, the fourth, and the gap")
		gap := records[2].(*clipspan.Gap)
		assert.Equal(t, clipspan.Known(3), gap.Count)
		assert.Equal(t, "overdue", gap.Error)
	})
}

func TestTheRedactorSeesTheWholeTextBeforeThePreviewIsCut(t *testing.T) {
	sink := &memorySink{}
	secret := "sk-live-0123456789"
	text := strings.Repeat("x", 120) + secret
	redact := clipspan.WithRedactor(func(s string) string { return strings.ReplaceAll(s, secret, "[key]") })
	_, err := clipspan.NewEmitter(sink, countBytes{}, redact).Wrap(returns(text, nil), nil).Call(t.Context(), "")
	require.NoError(t, err)
	s := sink.only(t)
	assert.Equal(t, strings.Repeat("x", 120)+"[key]", s.InjectedPreview)
	assert.Equal(t, sha(text), s.SHA256Injected.String(), "the evidence is of the text itself")
}

func TestOptionsOfARun(t *testing.T) {
	sink := &memorySink{}
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	em := clipspan.NewEmitter(sink, countBytes{},
		clipspan.WithRunID("run-7"),
		clipspan.WithIDs(func() string { return "tool-14" }),
		clipspan.WithClock(func() time.Time { return at }),
		clipspan.WithContextLimit(272000),
		clipspan.WithHashKey("k1", []byte("secret")),
		clipspan.WithPreview(3))
	_, err := em.Wrap(returns("héllo", nil), nil).Call(t.Context(), "{}")
	require.NoError(t, err)
	s := sink.only(t)
	assert.Equal(t, "run-7", s.RunID)
	assert.Equal(t, "tool-14", s.SpanID)
	assert.Equal(t, at, s.StartedAt)
	assert.Equal(t, clipspan.Known(272000), s.ModelContextLimitTokens)
	assert.Equal(t, "hé", s.InjectedPreview)
	assert.Regexp(t, `^hmac-sha256:k1:[0-9a-f]{64}$`, s.SHA256Observed.String())
	assert.Equal(t, "hmac-sha256:k1", s.SHA256Args.Scheme())
	assert.NotEqual(t, sha("héllo"), s.SHA256Observed.String()[len("hmac-sha256:k1:"):])
	assert.Equal(t, clipspan.VerdictOK, clipspan.Classify(s).Verdict)
}

func TestAKeyThatCanNotProtectIsRefusedAtOnce(t *testing.T) {
	for name, c := range map[string]struct {
		id  string
		key string
	}{
		"no id":             {"", "secret"},
		"no key":            {"k1", ""},
		"an id with colons": {"a:b", "secret"},
		"an id with spaces": {"a b", "secret"},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Panics(t, func() { clipspan.WithHashKey(c.id, []byte(c.key)) })
		})
	}
}

func TestSpanIDsAreUUIDsInOrderOfTime(t *testing.T) {
	em := clipspan.NewEmitter(&memorySink{}, nil)
	before := time.Now().Truncate(time.Millisecond)
	seen := map[string]bool{}
	for range 1000 {
		text := em.Start(t.Context(), clipspan.Call{}).SpanID()
		id, err := uuid.Parse(text)
		require.NoError(t, err)
		require.EqualValues(t, 7, id.Version())
		require.Equal(t, uuid.RFC4122, id.Variant())
		at := time.Unix(id.Time().UnixTime())
		require.WithinRange(t, at, before, time.Now())
		require.False(t, seen[text])
		seen[text] = true
	}
}

func TestRecordJudgesALoopThatCutsInline(t *testing.T) {
	sink := &memorySink{}
	em := clipspan.NewEmitter(sink, countBytes{})
	whole := strings.Repeat("y", 40000)
	f, err := em.Record(t.Context(), clipspan.Call{ID: "c1", Name: "bash"},
		clipspan.Output{Text: whole}, clipspan.Injection{Text: whole[:30000]}, "truncate-30000")
	require.NoError(t, err)
	assert.Equal(t, clipspan.Finding{Verdict: clipspan.VerdictSilentClip, Detail: []string{"ratio=0.25"}}, f)
	assert.Equal(t, "bash", sink.only(t).Name)
}

func TestBarrierWaitsForWritesAndForNothingElse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		write := make(chan struct{})
		sink := clipspan.SinkFunc(func(context.Context, clipspan.Record) error { <-write; return nil })
		em := clipspan.NewEmitter(sink, countBytes{}, clipspan.WithDeadline(time.Hour))
		running := em.Start(t.Context(), clipspan.Call{Name: "still running"})
		require.NoError(t, em.Barrier(t.Context()), "a running tool delays nobody")

		go em.Record(t.Context(), clipspan.Call{}, clipspan.Output{}, clipspan.Injection{}, "")
		synctest.Wait()
		passed := false
		go func() {
			assert.NoError(t, em.Barrier(t.Context()))
			passed = true
		}()
		synctest.Wait()
		require.False(t, passed)

		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		require.ErrorIs(t, em.Barrier(ctx), context.Canceled)

		close(write)
		synctest.Wait()
		require.True(t, passed)
		require.NoError(t, running.Abandon(nil))
	})
}

func TestCloseWritesOpenCallsAsIncomplete(t *testing.T) {
	sink := &memorySink{}
	em := clipspan.NewEmitter(sink, countBytes{})
	begun, release := make(chan struct{}), make(chan struct{})
	slow := em.Wrap(clipspan.ToolFunc("slow", func(context.Context, string) (string, error) {
		close(begun)
		<-release
		return "late", nil
	}), nil)
	type result struct {
		text string
		err  error
	}
	got := make(chan result)
	go func() {
		text, err := slow.Call(t.Context(), "")
		got <- result{text, err}
	}()
	<-begun
	require.Len(t, em.Pending(), 1)
	require.NoError(t, em.Close(t.Context()))

	records := sink.all()
	require.Len(t, records, 2)
	s := records[0].(*clipspan.Span)
	assert.Equal(t, clipspan.StatusIncomplete, s.Status)
	assert.Equal(t, "unfinished", s.Error)
	assert.Equal(t, clipspan.Known(1), records[1].(*clipspan.RunEnd).Spans)

	close(release)
	assert.Equal(t, result{"late", nil}, <-got, "a late result reaches the host")
	assert.ErrorIs(t, em.Err(), clipspan.ErrNotRecorded)

	text, err := em.Wrap(returns("after", nil), nil).Call(t.Context(), "")
	require.NoError(t, err)
	assert.Equal(t, "after", text)
	assert.ErrorIs(t, em.Err(), clipspan.ErrSettled)
	assert.Len(t, sink.all(), 2, "nothing follows run_end")
	assert.NoError(t, em.Close(t.Context()), "closing twice is closing once")
}

func TestNoCallThatBeginsWhileTheRunEndsIsForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := &memorySink{}
		slow := clipspan.SinkFunc(func(ctx context.Context, r clipspan.Record) error {
			time.Sleep(30 * time.Millisecond)
			return sink.Emit(ctx, r)
		})
		em := clipspan.NewEmitter(slow, countBytes{})
		for range 5 {
			em.Start(t.Context(), clipspan.Call{})
		}
		closed := make(chan error)
		go func() { closed <- em.Close(t.Context()) }()
		synctest.Wait()
		late := em.Start(t.Context(), clipspan.Call{Name: "late"})
		require.NoError(t, <-closed)
		assert.Empty(t, em.Pending())
		late.Observe(clipspan.Output{Text: "x"})
		require.NoError(t, late.Inject(clipspan.Injection{Text: "x"}, ""))
		assert.ErrorIs(t, em.Err(), clipspan.ErrRunEnded)
	})
}

func TestCloseKeepsItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hang := make(chan struct{})
		em := clipspan.NewEmitter(clipspan.SinkFunc(func(context.Context, clipspan.Record) error { <-hang; return nil }), countBytes{})
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		begun := time.Now()
		require.ErrorIs(t, em.Close(ctx), context.DeadlineExceeded)
		assert.Equal(t, 50*time.Millisecond, time.Since(begun))
		close(hang)
		assert.NoError(t, em.Close(t.Context()), "the work went on, and run_end is written")
	})
}

func TestACancelledRunHasAnEndToo(t *testing.T) {
	sink := &memorySink{}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.NoError(t, clipspan.NewEmitter(sink, nil).Close(ctx))
	assert.Equal(t, clipspan.KindRunEnd, sink.all()[0].Kind())
}

func TestATurnIsTheHostsAgainAfterRecordTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hang := make(chan struct{})
		read := make(chan int)
		em := clipspan.NewEmitter(clipspan.SinkFunc(func(_ context.Context, r clipspan.Record) error {
			<-hang
			read <- len(r.AppendJSON(nil))
			return nil
		}), nil)
		turn := &clipspan.Turn{TurnID: "t1"}
		require.NoError(t, em.RecordTurn(t.Context(), turn))
		assert.EqualValues(t, 1, turn.Seq)
		turn.Model = "another" // under -race, a sink that still reads it fails the test
		close(hang)
		<-read
	})
}

func TestRecordTurnNumbersTurnsWithTheSpans(t *testing.T) {
	sink := &memorySink{}
	em := clipspan.NewEmitter(sink, countBytes{}, clipspan.WithRunID("r"))
	turn := &clipspan.Turn{Model: "m"}
	require.NoError(t, em.RecordTurn(t.Context(), turn))
	assert.NotEmpty(t, turn.TurnID)
	require.NoError(t, em.Close(t.Context()))
	records := sink.all()
	assert.Equal(t, "r", records[0].Envelope().RunID)
	assert.EqualValues(t, 1, records[0].Envelope().Seq)
	assert.Equal(t, clipspan.Known(1), records[1].(*clipspan.RunEnd).Turns)
}
