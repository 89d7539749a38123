package clipspantest

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/trace"
)

func echo(em *clipspan.Emitter) *clipspan.Wrapped {
	return em.Wrap(clipspan.ToolFunc("echo", func(_ context.Context, in string) (string, error) { return in, nil }), nil)
}

func call(t testing.TB, tool clipspan.Tool, id, input string) {
	t.Helper()
	_, err := tool.Call(clipspan.ContextWithCall(t.Context(), clipspan.Call{ID: id}), input)
	require.NoError(t, err)
}

func TestARunForATestIsTheSameEveryTime(t *testing.T) {
	run := func() []byte {
		em, rec := New(t)
		call(t, echo(em), "call-1", "port: 8443")
		call(t, echo(em), "call-2", "")
		require.NoError(t, em.Close(t.Context()))
		return JSONL(rec.Records()...)
	}
	assert.Equal(t, string(run()), string(run()))
	assert.Contains(t, string(run()), `"span_id":"id-2"`)
	assert.Contains(t, string(run()), `"run_id":"run-1"`)
	assert.Contains(t, string(run()), `"token_source":"estimate"`)
}

func TestOptionsOverrideWhatNewSets(t *testing.T) {
	em, rec := New(t, clipspan.WithRunID("mine"), clipspan.WithIDs(func() string { return "tool-14" }))
	call(t, echo(em), "", "x")
	assert.Equal(t, "mine", em.RunID())
	assert.Equal(t, "tool-14", rec.Span(t, "echo").SpanID)
}

func TestAFailedTestLogsWhatWasRecorded(t *testing.T) {
	for name, fails := range map[string]bool{"a failed test": true, "a passed test": false} {
		t.Run(name, func(t *testing.T) {
			fake := &fakeT{TB: t}
			fake.run(func(t testing.TB) {
				em, _ := New(t)
				call(t, echo(em), "", "x")
				if fails {
					t.Errorf("something else")
				}
			})
			assert.Equal(t, fails, strings.Contains(strings.Join(fake.logs, ""), `"name":"echo"`))
		})
	}
}

func TestTheRecorderKeepsAndGivesCopies(t *testing.T) {
	var rec Recorder
	given := []clipspan.Record{fullSpan(1), fullTurn(2), fullGap(3), fullRunEnd(4)}
	for _, r := range given {
		lent := clipspan.Clone(r)
		require.NoError(t, rec.Emit(t.Context(), lent))
		poison(lent)
	}
	for _, r := range rec.Records() {
		poison(r)
	}
	for _, s := range rec.Spans() {
		poison(s)
	}
	assert.Equal(t, given, rec.Records())
	assert.Equal(t, []*clipspan.Turn{fullTurn(2)}, rec.Turns())
	assert.Equal(t, given, rec.TakeAll())
	assert.Empty(t, rec.Records())
	assert.Empty(t, rec.Spans())
}

func TestTheRecorderServesManyGoroutines(t *testing.T) {
	em, rec := New(t)
	tool := echo(em)
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() { call(t, tool, "", "x"); rec.Spans(); rec.Turns() })
	}
	wg.Wait()
	assert.Len(t, rec.Spans(), 50)
}

func TestSpansAreSeenAsACheckerSeesThem(t *testing.T) {
	span := func(seq int64, id string, status clipspan.Status, preview string) *clipspan.Span {
		return &clipspan.Span{Header: clipspan.Header{Seq: seq}, SpanID: id, Status: status, InjectedPreview: preview}
	}
	const ok, incomplete, failed = clipspan.StatusOK, clipspan.StatusIncomplete, clipspan.StatusError
	otherRun := span(1, "a", ok, "y")
	otherRun.RunID = "run-2"
	for name, c := range map[string]struct {
		spans []*clipspan.Span
		want  []int // which of them are seen
	}{
		"each has its own id":                          {[]*clipspan.Span{span(1, "a", ok, ""), span(2, "b", incomplete, "")}, []int{0, 1}},
		"none has an id":                               {[]*clipspan.Span{span(1, "", ok, ""), span(2, "", ok, "")}, []int{0, 1}},
		"a final record replaces an incomplete one":    {[]*clipspan.Span{span(1, "a", incomplete, ""), span(2, "a", failed, "")}, []int{1}},
		"an incomplete one after it changes nothing":   {[]*clipspan.Span{span(1, "a", "", "x"), span(2, "a", incomplete, "y")}, []int{0}},
		"of incomplete ones the last counts":           {[]*clipspan.Span{span(1, "a", incomplete, ""), span(2, "a", incomplete, "")}, []int{1}},
		"last means by position":                       {[]*clipspan.Span{span(2, "a", incomplete, ""), span(1, "a", incomplete, "")}, []int{0}},
		"last means by arrival without positions":      {[]*clipspan.Span{span(0, "a", incomplete, "x"), span(0, "a", incomplete, "y")}, []int{1}},
		"the same record twice counts once":            {[]*clipspan.Span{span(1, "a", ok, "x"), span(2, "a", ok, "x")}, []int{0}},
		"final ones that differ are both there":        {[]*clipspan.Span{span(1, "a", ok, "x"), span(2, "a", ok, "y"), span(3, "a", ok, "x")}, []int{0, 1}},
		"a span of another run with its id is another": {[]*clipspan.Span{span(1, "a", ok, "x"), otherRun}, []int{0, 1}},
	} {
		t.Run(name, func(t *testing.T) {
			var rec Recorder
			var want []*clipspan.Span
			for _, s := range c.spans {
				require.NoError(t, rec.Emit(t.Context(), s))
			}
			for _, i := range c.want {
				want = append(want, c.spans[i])
			}
			assert.Equal(t, string(JSONL(want...)), string(JSONL(rec.Spans()...)))
		})
	}
}

func TestASpanIsFoundByToolCallOrID(t *testing.T) {
	em, rec := New(t)
	call(t, echo(em), "call-1", "x")
	call(t, em.Wrap(clipspan.ToolFunc("list", func(context.Context, string) (string, error) { return "", nil }), nil), "", "")
	for _, which := range []string{"echo", "call-1", "id-1"} {
		assert.Equal(t, "id-1", rec.Span(t, which).SpanID)
	}
	assert.Equal(t, []string{"no span has the tool name, tool call id or span id \"grep\"; recorded are:\n\tspan id-1 of echo, tool call call-1\n\tspan id-2 of list"},
		failuresOf(t, func(t testing.TB) { rec.Span(t, "grep") }))

	call(t, echo(em), "call-3", "x")
	assert.Equal(t, []string{"2 spans have the tool name, tool call id or span id \"echo\":\n\tspan id-1 of echo, tool call call-1\n\tspan id-3 of echo, tool call call-3"},
		failuresOf(t, func(t testing.TB) { rec.Span(t, "echo") }))

	assert.Equal(t, []string{"no span has the tool name, tool call id or span id \"\"; recorded are: none"},
		failuresOf(t, func(t testing.TB) { new(Recorder).Span(t, "") }))
}

// clipped is a span as an honest emitter writes it.
func clipped(change func(s *clipspan.Span)) *clipspan.Span {
	s := fullSpan(1)
	s.Status = clipspan.StatusOK
	s.SHA256Injected, s.SHA256Rendered = fullHash, clipspan.Hash{}
	s.RenderedBytes = clipspan.Count{}
	change(s)
	return s
}

func TestAssertClipComparesTheVerdictAndWhatIsSet(t *testing.T) {
	nothing := func(*clipspan.Span) {}
	for name, c := range map[string]struct {
		span    *clipspan.Span
		verdict clipspan.Verdict
		want    clipspan.Span
		fails   string // the failure's first line without the span's name, or ""
	}{
		"nothing is set": {clipped(nothing), clipspan.VerdictClipped, clipspan.Span{}, ""},
		"all that is set is equal": {
			clipped(nothing), clipspan.VerdictClipped, *clipped(nothing), "",
		},
		"another verdict": {clipped(nothing), clipspan.VerdictOK, clipspan.Span{}, "verdict is clipped prompt_token_cap ratio=0.88, want ok"},
		"another reason and size": {
			clipped(nothing), clipspan.VerdictClipped,
			clipspan.Span{ClipReason: clipspan.ReasonRedaction, InjectedBytes: clipspan.Known(0)},
			`injected_bytes is 12040, want 0; clip_reason is "prompt_token_cap", want "redaction"`,
		},
		"a field that the span has not": {
			clipped(func(s *clipspan.Span) { s.KeptBytes = clipspan.Count{} }), clipspan.VerdictClipped,
			clipspan.Span{KeptBytes: clipspan.Known(1)},
			"kept_bytes is missing, want 1",
		},
		"kept ranges, stages and unknown fields are compared too": {
			clipped(nothing), clipspan.VerdictClipped,
			clipspan.Span{
				Header:     clipspan.Header{Extra: []clipspan.Field{{Name: "vendor.number", Raw: "1"}}},
				KeptRanges: []clipspan.Range{{From: 0, To: 1}},
			},
			"kept_ranges is [[0,11000],[95412,96412]], want [[0,1]]; vendor.number is 9007199254740993, want 1",
		},
		"a trusted span without hashes": {
			clipped(func(s *clipspan.Span) { s.SHA256Observed, s.SHA256Injected = clipspan.Hash{}, clipspan.Hash{} }), clipspan.VerdictClipped,
			clipspan.Span{},
			"sha256_observed is missing; sha256_injected is missing",
		},
		"a trusted span without the builder's version": {
			clipped(func(s *clipspan.Span) { s.PromptBuilderVersion = "" }), clipspan.VerdictClipped,
			clipspan.Span{},
			"prompt_builder_version is missing",
		},
		"nothing at all": {
			&clipspan.Span{}, clipspan.VerdictOK,
			clipspan.Span{},
			"verdict is incomplete observed_bytes injected_bytes injected_tokens, want ok; observed_bytes is missing; injected_bytes is missing; injected_tokens is missing; clip_reason is missing; sha256_observed is missing; sha256_injected is missing; prompt_builder_version is missing",
		},
		"an untrusted verdict asks for no fields": {&clipspan.Span{}, clipspan.VerdictIncomplete, clipspan.Span{}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			failures := failuresOf(t, func(t testing.TB) { AssertClip(t, c.span, c.verdict, c.want) })
			if c.fails == "" {
				assert.Empty(t, failures)
				return
			}
			require.Len(t, failures, 1)
			first, rest, _ := strings.Cut(failures[0], "\n")
			_, first, _ = strings.Cut(first, ": ")
			assert.Equal(t, c.fails, first)
			assert.Less(t, strings.Index(rest, "injected:"), strings.Index(rest, "observed:"), "what the model got comes first")
		})
	}
	assert.NotEmpty(t, failuresOf(t, func(t testing.TB) { AssertClip(t, nil, clipspan.VerdictOK, clipspan.Span{}) }))
}

func TestAssertTrustedJudgesWholeRuns(t *testing.T) {
	good := func(t testing.TB) []clipspan.Record {
		em, rec := New(t)
		call(t, echo(em), "call-1", "x")
		call(t, echo(em), "call-2", "y")
		require.NoError(t, em.Close(t.Context()))
		return rec.Records()
	}
	for name, c := range map[string]struct {
		records []clipspan.Record
		opts    []trace.Option
		fails   string // part of the failure, or ""
	}{
		"a run that ended":                  {good(t), nil, ""},
		"a run that goes on":                {good(t)[:2], nil, ""},
		"a run that should have ended":      {good(t)[:2], []trace.Option{trace.WithRequireEnd()}, "run: run_end"},
		"no records":                        {nil, nil, "no tool spans"},
		"no records where that is fine":     {nil, []trace.Option{trace.WithAllowEmpty()}, ""},
		"a record is missing":               {append(good(t)[:1], good(t)[2]), nil, "run: seq_hole record 2 is missing"},
		"a span that says nothing":          {append(good(t)[:1], &clipspan.Span{Name: "bare"}), nil, "span without id of bare: incomplete observed_bytes injected_bytes injected_tokens"},
		"a delivery that is not the span's": {append(good(t)[:1], delivered(1, "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881")), nil, "span id-1 of echo: "},
	} {
		t.Run(name, func(t *testing.T) {
			failures := failuresOf(t, func(t testing.TB) { AssertTrusted(t, c.records, c.opts...) })
			if c.fails == "" {
				assert.Empty(t, failures)
				return
			}
			require.Len(t, failures, 1)
			assert.Contains(t, failures[0], "the run is not trustworthy: ")
			assert.Contains(t, failures[0], c.fails)
		})
	}
}

func delivered(bytes int64, hash string) *clipspan.Turn {
	return &clipspan.Turn{
		Header: clipspan.Header{Version: 1, RunID: "run-1", Seq: 2},
		TurnID: "turn-1",
		Delivered: []clipspan.Delivery{{
			ToolCallID: "call-1", SpanID: "id-1",
			Bytes: clipspan.Known(bytes + 4), SHA256: clipspan.ParseHash(hash),
		}},
	}
}

func TestReadGivesBackWhatJSONLWrote(t *testing.T) {
	given := []clipspan.Record{fullSpan(1), fullTurn(2), fullGap(3), fullRunEnd(4)}
	got := Read(t, bytes.NewReader(JSONL(given...)))
	assert.Equal(t, string(JSONL(given...)), string(JSONL(got...)))
}

func TestReadFailsForDamagedLinesAndReadsOn(t *testing.T) {
	var got []clipspan.Record
	failures := failuresOf(t, func(t testing.TB) {
		got = Read(t, strings.NewReader("{\"name\":\"a\"}\n{\"name\":\"b\"{\"name\":\"c\"}\n{\"name\":\"d\"}\n"))
	})
	assert.Len(t, failures, 1)
	assert.Len(t, got, 2)

	broken := errors.New("broken pipe")
	failures = failuresOf(t, func(t testing.TB) { Read(t, readerFunc(func([]byte) (int, error) { return 0, broken })) })
	require.Len(t, failures, 1)
	assert.Contains(t, failures[0], "broken pipe")
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// liveRun is a run with an agent inside a tool, with ids and times that are never
// the same.
func liveRun(t *testing.T) []clipspan.Record {
	var rec Recorder
	em := clipspan.NewEmitter(&rec, fourBytes{})
	inner := echo(em)
	outer := em.Wrap(clipspan.ToolFunc("agent", func(ctx context.Context, in string) (string, error) { return inner.Call(ctx, in) }), nil)
	turn := &clipspan.Turn{TurnID: rand.Text(), Conversation: rand.Text(), StartedAt: time.Now()}
	id := rand.Text()
	_, err := outer.Call(clipspan.ContextWithCall(t.Context(), clipspan.Call{ID: id, ParentID: turn.TurnID}), "x")
	require.NoError(t, err)
	turn.Delivered = []clipspan.Delivery{{ToolCallID: id, SpanID: rec.Span(t, "agent").SpanID}}
	turn.Evicted = []string{id, rand.Text()}
	require.NoError(t, em.RecordTurn(t.Context(), turn))
	require.NoError(t, em.RecordTurn(t.Context(), &clipspan.Turn{TurnID: rand.Text(), Extends: turn.TurnID}))
	_, err = inner.Call(clipspan.ContextWithCall(t.Context(), clipspan.Call{ParentID: rand.Text()}), "y")
	require.NoError(t, err)
	require.NoError(t, em.Close(t.Context()))
	return rec.Records()
}

func TestNormalizedRunsCompareEqual(t *testing.T) {
	first, second := liveRun(t), liveRun(t)
	require.NotEqual(t, string(JSONL(first...)), string(JSONL(second...)))
	before := string(JSONL(first...))
	got := Normalize(first...)
	assert.Equal(t, string(JSONL(got...)), string(JSONL(Normalize(second...)...)))
	assert.Equal(t, before, string(JSONL(first...)), "what was given is left as it was")
	assert.Equal(t, string(JSONL(got...)), string(JSONL(Normalize(got...)...)), "twice is once")
}

func TestNormalizeKeepsWhatBelongsTogether(t *testing.T) {
	records := Normalize(liveRun(t)...)
	spans, turns := of[*clipspan.Span](records), of[*clipspan.Turn](records)
	child, parent, other := spans[0], spans[1], spans[2]
	assert.Equal(t, "span-1", child.SpanID)
	assert.Equal(t, "span-2", child.ParentID)
	assert.Equal(t, "span-2", parent.SpanID)
	assert.Equal(t, "turn-1", parent.ParentID)
	assert.Equal(t, "call-1", parent.ToolCallID)
	assert.Equal(t, "parent-1", other.ParentID, "of this one there is no record")
	assert.Equal(t, "turn-1", turns[0].TurnID)
	assert.Equal(t, "conversation-1", turns[0].Conversation)
	assert.Equal(t, []clipspan.Delivery{{ToolCallID: "call-1", SpanID: "span-2"}}, turns[0].Delivered)
	assert.Equal(t, []string{"call-1", "call-2"}, turns[0].Evicted)
	assert.Equal(t, "turn-1", turns[1].Extends)
	for _, r := range records {
		assert.Equal(t, "run-1", r.Envelope().RunID)
		assert.Zero(t, r.Envelope().Seq)
	}
	for _, s := range spans {
		assert.Zero(t, s.StartedAt)
		assert.Zero(t, s.EndedAt)
		assert.False(t, s.SHA256Observed.IsZero(), "what the run is about stays")
	}
}

func TestNormalizeTakesRecordsOfOneKind(t *testing.T) {
	span := fullSpan(7)
	got := Normalize(span)[0]
	assert.Equal(t, "trace-1", got.TraceID)
	assert.Equal(t, "otel-1", got.OTelSpanID)
	assert.Equal(t, span.Extra, got.Extra)
	gap := Normalize(fullGap(3))[0]
	assert.Equal(t, clipspan.Known(2), gap.Count)
	assert.False(t, gap.FromSeq.Known())
}
