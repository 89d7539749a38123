package trace_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/internal/tracegen"
	"github.com/clipspan/clipspan/trace"
)

// check judges texts, each as a file named f1, f2, …
func check(t *testing.T, opts []trace.Option, texts ...string) *trace.Report {
	t.Helper()
	c := trace.NewChecker(opts...)
	for i, text := range texts {
		require.NoError(t, c.Add(t.Context(), fmt.Sprintf("f%d", i+1), strings.NewReader(text)))
	}
	return c.Report()
}

var all = []trace.Option{trace.WithAll()}

// told is a finding in one line: where, what, verdict or damage, details.
func told(f trace.Finding) string {
	what := f.SpanID + f.TurnID + " " + f.Verdict.String()
	if f.Subject == trace.SubjectDamage {
		what = string(f.Damage)
	}
	return strings.TrimSpace(fmt.Sprintf("%s:%d %s %s", f.File, f.Line, what, strings.Join(f.Detail, ",")))
}

func findings(r *trace.Report) (list []string) {
	for f := range r.Findings() {
		list = append(list, told(f))
	}
	return list
}

func notes(r *trace.Report) (list []string) {
	for _, n := range r.Notes {
		list = append(list, strings.TrimSpace(fmt.Sprintf("%s:%d %s%s %s", n.File, n.Line, n.SpanID, n.TurnID, n.Text)))
	}
	return list
}

// run is a vector's text.
func run(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../testdata/runs", name+".jsonl"))
	require.NoError(t, err)
	return string(text)
}

func TestWhatIsFoundInTheVectors(t *testing.T) {
	for name, want := range map[string][]string{
		"seq-hole":                {"f1:1 a ok", "f1:2 b ok", "f1:0 seq_hole record 2 is missing"},
		"seq-from-two":            {"f1:1 b ok", "f1:0 seq_hole record 1 is missing"},
		"seq-twice":               {"f1:1 a ok", "f1:2 seq_twice record 1 is another one at f1:1", "f1:2 b ok"},
		"torn-tail":               {"f1:1 a ok", "f1:2 torn unexpected end of input"},
		"torn-middle":             {"f1:1 syntax unexpected end of input", "f1:2 b ok", "f1:0 seq_hole record 1 is missing"},
		"case-variant-key":        {`f1:1 key key "Injected_Bytes" is one of ours in another letter case`},
		"duplicate-key":           {`f1:1 key key "injected_bytes" stands twice`, "f1:2 b ok"},
		"invalid-utf8":            {"f1:1 a ok", "f1:2 utf8 invalid UTF-8", "f1:3 b ok"},
		"no-object":               {"f1:1 a ok", "f1:2 no_object not an object"},
		"gap-lost":                {"f1:1 a ok", "f1:2 gap 2 of records 2 to 3 lost"},
		"gap-found":               {"f1:1 a ok", "f1:2 b ok"},
		"gap-partly-found":        {"f1:1 a ok", "f1:2 b ok", "f1:3 gap 2 of records 2 to 3 lost"},
		"gap-without-range":       {"f1:1 a ok", "f1:2 gap 3 records lost"},
		"run-end-fewer-read":      {"f1:1 a ok", "f1:2 run_end spans 2 counted, 1 read"},
		"run-end-more-read":       {"f1:1 a ok", "f1:2 b ok", "f1:3 run_end spans 1 counted, 2 read"},
		"run-end-turns":           {"f1:1 a ok", "f1:2 run_end turns 1 counted, 0 read"},
		"nameless-is-judged":      {"f1:1 a incomplete name"},
		"nameless-and-cut":        {"f1:1 a silent_clip ratio=0.99,name"},
		"partial-then-final":      {"f1:2 a ok"},
		"final-then-partial":      {"f1:1 a ok"},
		"partials-last-counts":    {"f1:2 a incomplete injected_bytes"},
		"same-span-twice":         {"f1:1 a ok"},
		"same-span-other-form":    {"f1:1 a ok"},
		"conflict-worse-last":     {"f1:2 a silent_clip ratio=0.99,conflicting_records"},
		"conflict-worse-first":    {"f1:1 a silent_clip ratio=0.99,conflicting_records"},
		"conflict-both-ok":        {"f1:1 a hash_mismatch conflicting_records"},
		"conflict-clipped":        {"f1:2 a hash_mismatch prompt_token_cap,ratio=0.99,conflicting_records"},
		"duplicate-call-id":       {"f1:1 a hash_mismatch duplicate_tool_call_id", "f1:2 b hash_mismatch duplicate_tool_call_id"},
		"wire-second-cut":         {"f1:1 a silent_clip tool_result_char_limit,ratio=0.77,wire", "f1:2 turn-1 ok"},
		"wire-changed":            {"f1:1 a hash_mismatch wire", "f1:2 t1 ok"},
		"wire-longer":             {"f1:1 a hash_mismatch wire", "f1:2 t1 ok"},
		"wire-no-span":            {"f1:1 a ok", "f1:2 t1 incomplete no_span"},
		"not-delivered":           {"f1:1 a incomplete not_delivered", "f1:2 b ok", "f1:3 t1 ok"},
		"provider-silent-shrink":  {"f1:1 a ok", "f1:2 b ok", "f1:3 t1 ok", "f1:4 t2 silent_clip provider_context_window"},
		"provider-edits-declared": {"f1:1 a ok", "f1:2 b ok", "f1:3 t1 ok", "f1:4 t2 clipped provider_context_window"},
		"wire-call-id-of-two-spans": {
			"f1:1 a ok", "f1:2 t1 ok", "f1:3 b silent_clip wire", "f1:4 t2 ok",
		},
		"not-delivered-empty-call-ids": {"f1:1 a incomplete not_delivered", "f1:2 t1 ok", "f1:3 t2 ok"},
		"not-delivered-empty-delivery": {"f1:1 a incomplete not_delivered", "f1:2 t1 incomplete no_span", "f1:3 t2 ok"},
		"provider-quarter-not-whole":   {"f1:1 a ok", "f1:2 t1 silent_clip provider_context_window"},
		"import-unknown":               {"f1:1 a incomplete observed_bytes", "f1:2 b ok"},
	} {
		assert.Equal(t, want, findings(check(t, all, run(t, name))), name)
	}
}

func TestWhatIsNotedInTheVectors(t *testing.T) {
	for name, want := range map[string][]string{
		"all-ok":                     {"f1:0  no run_end"},
		"two-runs-one-file":          {"f1:0  no run_end", "f1:0  no run_end"},
		"run-end-matches":            nil,
		"empty":                      nil,
		"gap-found":                  {"f1:0  no run_end", "f1:3  gap: 1 of records 2 to 2 lost, and found"},
		"run-end-more-read-given-up": {"f1:3  gap: 1 of records 2 to 2 lost, and found", "f1:4  run_end: spans 1 counted, 2 read, as many as were given up"},
		"not-delivered-not-visible":  {"f1:0  no run_end", "f1:1 a unproven: server-side state may have carried this result unseen"},
		"seq-no-position":            {"f1:0  no run_end", "f1:1  seq is no position in the run, a whole number from 1; neither is that of 3 more"},
		"provider-under-quarter-estimate": {
			"f1:0  no run_end",
			"f1:2 t1 provider_context_window: the provider counted 16387 input tokens, the results in the request were estimated at 160000",
		},
	} {
		assert.Equal(t, want, notes(check(t, nil, run(t, name))), name)
	}
}

func TestTheSummaryCounts(t *testing.T) {
	r := check(t, nil, run(t, "import-unknown"), run(t, "torn-tail"), run(t, "foreign-records"), run(t, "wire-second-cut"))
	assert.Equal(t, trace.Summary{
		Why:   []string{"damage", "silent_clip"},
		Spans: 5, Turns: 1, Other: 2, Unknown: 1,
		Counts:        trace.Counts{clipspan.VerdictSilentClip: 1, clipspan.VerdictOK: 3},
		TurnCounts:    trace.Counts{clipspan.VerdictOK: 1},
		Damage:        1,
		Notes:         4,
		Evidence:      [3]int{clipspan.EvidenceClaimed: 5},
		ObservedKnown: 4,
	}, r.Summary)
	assert.InDelta(t, 20, r.Summary.SilentPer100(), 0)
	assert.InDelta(t, 0.8, r.Summary.Coverage(), 0)
	assert.Equal(t, 1, r.Summary.Counts.Untrusted())
}

func TestASummaryOfNothing(t *testing.T) {
	s := check(t, nil, "").Summary
	assert.Equal(t, []string{"no tool spans"}, s.Why)
	assert.InDelta(t, 0, s.SilentPer100(), 0)
	assert.InDelta(t, 1, s.Coverage(), 0)
	assert.True(t, check(t, []trace.Option{trace.WithAllowEmpty()}, "").Summary.Trusted)
	assert.False(t, check(t, nil).Summary.Trusted, "no file at all")
}

func TestWhatEvidenceAVerdictRestsOn(t *testing.T) {
	evidence := func(text string) (list []string) {
		for f := range check(t, all, text).Findings() {
			if f.Subject == trace.SubjectSpan {
				list = append(list, f.Evidence.String())
			}
		}
		return list
	}
	withV := strings.Replace(okSpan("a"), "{", `{"v":1,`, 1)
	assert.Equal(t, []string{"claimed"}, evidence(okSpan("a")))
	assert.Equal(t, []string{"computed"}, evidence(withV))
	assert.Equal(t, []string{"claimed"}, evidence(strings.Replace(withV, `"sha256_observed"`, `"x"`, 1)), "one hash")
	assert.Equal(t, []string{"verified"}, evidence(run(t, "wire-verified")))
	assert.Equal(t, []string{"verified"}, evidence(run(t, "wire-keyed-hash")))
	assert.Equal(t, []string{"verified"}, evidence(run(t, "wire-late-clip")))
	assert.Equal(t, []string{"claimed"}, evidence(run(t, "wire-changed")))
	assert.Equal(t, []string{"claimed"}, evidence(run(t, "wire-unread")[:len(okSpan("a"))*2]))
	noHash := `{"kind":"turn","turn_id":"t","delivered":[{"span_id":"a","bytes":10}]}`
	assert.Equal(t, []string{"claimed"}, evidence(okSpan("a")+"\n"+noHash), "a length alone verifies nothing")
}

func TestFromWhichTurnToWhichTheModelSawAResult(t *testing.T) {
	seen := func(name string) (list []string) {
		for v := range check(t, nil, run(t, name)).Visibility() {
			line := fmt.Sprintf("%s/%s %s %s..%s", v.SpanID, v.ToolCallID, v.Conversation, v.From, v.To)
			if v.Gone != "" {
				line += " gone " + v.Gone
			}
			if v.LateClip {
				line += " clipped"
			}
			list = append(list, line)
		}
		return list
	}
	assert.Equal(t, []string{"a/c1  t1..t1 gone t2"}, seen("evicted-later"))
	assert.Equal(t, []string{"a/c1  t1..t1 gone t2", "a/c1  t3.."}, seen("evicted-then-back"))
	assert.Equal(t, []string{"a/c1  t1..t1 gone t2 clipped"}, seen("wire-late-clip"))
	assert.Equal(t, []string{"a/c1  t1..t1 gone t2 clipped"}, seen("wire-first-by-seq"))
	assert.Equal(t, []string{"a/c1  t1..t2 gone t3 clipped"}, seen("seq-some-have-none"))
	assert.Equal(t, []string{"a/c1  t1..t1 gone t2 clipped"}, seen("wire-call-id-comes-later"))
	assert.Equal(t, []string{"a/c1  t1..", "b/c1  t2.."}, seen("wire-call-id-of-two-spans"))
	assert.Equal(t, []string{"a/c1 main t1..", "a/c1 sub s1.."}, seen("wire-two-conversations"))
	assert.Equal(t, []string{"a/  turn-1.."}, seen("delivery-by-span-id-only"))
}

func TestARunGoesOnInAnotherFile(t *testing.T) {
	rec := func(id string, seq int) string {
		return strings.Replace(okSpan(id), "{", fmt.Sprintf(`{"run_id":"r","seq":%d,`, seq), 1) + "\n"
	}
	end := `{"kind":"run_end","run_id":"r","seq":5,"spans":4,"turns":0,"gaps":0}` + "\n"
	r := check(t, nil, rec("a", 1)+rec("b", 2), rec("c", 3)+rec("d", 4)+end)
	assert.True(t, r.Summary.Trusted, r.Summary.Why)
	r = check(t, nil, rec("c", 3)+rec("d", 4)+end, rec("a", 1)+rec("b", 2))
	assert.True(t, r.Summary.Trusted, "in any order of files")
	r = check(t, nil, rec("c", 3)+rec("d", 4)+end)
	assert.Equal(t, []string{"f1:3 run_end spans 4 counted, 2 read", "f1:0 seq_hole records 1 to 2 are missing"}, findings(r), "a segment alone")
}

func TestRecordsWithoutARunIDAreJudgedPerFile(t *testing.T) {
	rec := func(seq int) string {
		return strings.Replace(okSpan("a"), "{", fmt.Sprintf(`{"seq":%d,`, seq), 1) + "\n"
	}
	r := check(t, nil, rec(1), rec(1))
	assert.True(t, r.Summary.Trusted, r.Summary.Why)
	assert.Equal(t, 2, r.Summary.Spans)
}

func TestTheSameFileTwiceIsNoFailure(t *testing.T) {
	text := run(t, "run-end-more-read-given-up")
	text = strings.ReplaceAll(text, "{\"kind\"", `{"run_id":"r","kind"`)
	text = strings.ReplaceAll(text, "{\"span_id\"", `{"run_id":"r","span_id"`)
	turn := `{"kind":"turn","run_id":"r","turn_id":"t","delivered":[{"span_id":"a"},{"span_id":"b"}]}` + "\n"
	text += turn
	text = strings.Replace(text, `"turns": 0`, `"turns": 1`, 1)
	once, twice := check(t, nil, text), check(t, nil, text, text)
	assert.True(t, once.Summary.Trusted, findings(once))
	assert.True(t, twice.Summary.Trusted, findings(twice))
	assert.Equal(t, once.Summary.Spans, twice.Summary.Spans)
	assert.Equal(t, once.Summary.Turns, twice.Summary.Turns)
	assert.Equal(t, once.Summary.Counts, twice.Summary.Counts)
}

func TestWithRequireEndAMissingEndIsDamage(t *testing.T) {
	opts := []trace.Option{trace.WithRequireEnd()}
	assert.True(t, check(t, opts, run(t, "run-end-matches")).Summary.Trusted)
	r := check(t, opts, run(t, "all-ok"))
	assert.Equal(t, []string{"f1:0 run_end no run_end"}, findings(r))
	assert.False(t, r.Summary.Trusted)
	r = check(t, opts, run(t, "two-runs-one-file"))
	assert.Equal(t, 2, r.Summary.Damage, "every run needs its own")
}

func TestFindingsLeaveOutWhatIsOk(t *testing.T) {
	text := okSpan("a") + "\n" + run(t, "child-clipped")
	assert.Equal(t, []string{"f1:3 c silent_clip ratio=0.99"}, findings(check(t, nil, text)))
	assert.Len(t, findings(check(t, all, text)), 3)
}

func TestTheWorstComesFirst(t *testing.T) {
	texts := []string{run(t, "all-ok"), run(t, "duplicate-call-id"), run(t, "nameless-is-judged"), run(t, "child-clipped"), run(t, "torn-tail"), run(t, "provider-edits-declared"), run(t, "seq-hole")}
	var list []string
	for f := range check(t, nil, texts...).WorstFirst() {
		list = append(list, told(f))
	}
	assert.Equal(t, []string{
		"f5:2 torn unexpected end of input",
		"f7:0 seq_hole record 2 is missing",
		"f4:2 c silent_clip ratio=0.99",
		"f3:1 a incomplete name",
		"f2:1 a hash_mismatch duplicate_tool_call_id",
		"f2:2 b hash_mismatch duplicate_tool_call_id",
		"f6:4 t2 clipped provider_context_window",
	}, list)
}

func TestIterationsMayStop(t *testing.T) {
	r := check(t, all, run(t, "all-ok"), run(t, "wire-verified"))
	for range r.Findings() {
		break
	}
	for range r.WorstFirst() {
		break
	}
	for range r.Visibility() {
		break
	}
	assert.Len(t, findings(r), 4, "and begin anew")
}

func TestAFindingHoldsWhatAReportPrints(t *testing.T) {
	text := `{"run_id":"r","span_id":"0123456789abcdef0123","name":"grep","observed_bytes":100,"injected_bytes":10,"injected_tokens":3,` +
		`"clip_reason":"busy","notice":true,"prompt_builder_version":"cap-v3"}` + "\n" +
		`{"span_id":"b","name":"t","injected_bytes":10,"clip_reason":"redaction","notice":false}` + "\n" +
		`{"span_id":"c","name":"t","status":"hung","observed_bytes":0,"injected_bytes":10,"injected_tokens":1,"clip_reason":"busy"}`
	var list []trace.Finding
	for f := range check(t, nil, text).Findings() {
		list = append(list, f)
	}
	assert.Equal(t, []trace.Finding{
		{
			File: "f1", Line: 1, RunID: "r", SpanID: "0123456789abcdef0123", Name: "grep",
			Verdict: clipspan.VerdictSilentClip, Detail: []string{"ratio=0.90", "unknown_reason"},
			ObservedBytes: clipspan.Known(100), InjectedBytes: clipspan.Known(10),
			Notice: clipspan.NoticeGiven, ClipReason: "busy", PromptBuilderVersion: "cap-v3",
		},
		{
			File: "f1", Line: 2, SpanID: "b", Name: "t",
			Verdict: clipspan.VerdictIncomplete, Detail: []string{"observed_bytes", "injected_tokens"},
			InjectedBytes: clipspan.Known(10), Notice: clipspan.NoticeMissing, ClipReason: clipspan.ReasonRedaction,
		},
		{
			File: "f1", Line: 3, SpanID: "c", Name: "t",
			Verdict: clipspan.VerdictIncomplete, Detail: []string{"status=hung"},
			ObservedBytes: clipspan.Known(0), InjectedBytes: clipspan.Known(10), ClipReason: "unknown",
		},
	}, list)
}

func TestLiveTellsEveryLineInOrder(t *testing.T) {
	var live []string
	opts := []trace.Option{trace.WithLive(func(f trace.Finding) { live = append(live, told(f)) })}
	text := okSpan("a") + "\n{\n" + `{"kind":"turn","turn_id":"t1","delivered":[{"span_id":"a","bytes":1}]}` + "\n" + okSpan("b") + "\n"
	r := check(t, opts, text, okSpan("c"))
	assert.Equal(t, []string{
		"f1:1 a ok", "f1:2 syntax unexpected end of input", "f1:3 t1 ok", "f1:4 b ok", "f2:1 c ok",
	}, live, "each by itself")
	assert.Contains(t, findings(r), "f1:1 a silent_clip wire", "the rules of the run come with the report")
}

func TestLiveDoesNotWaitForMore(t *testing.T) {
	r, w := io.Pipe()
	live := make(chan string)
	c := trace.NewChecker(trace.WithLive(func(f trace.Finding) { live <- f.SpanID }))
	done := make(chan error)
	go func() { done <- c.Add(t.Context(), "f", r) }()
	for _, id := range []string{"a", "b", "c"} {
		line := okSpan(id) + "\n"
		_, err := io.WriteString(w, line[:30])
		require.NoError(t, err)
		_, err = io.WriteString(w, line[30:])
		require.NoError(t, err)
		assert.Equal(t, id, <-live)
	}
	require.NoError(t, w.Close())
	require.NoError(t, <-done)
}

// A file of many chunks, read by several goroutines, must give what a small one
// gives: the right lines, in their order.
func TestLineNumbersAreRightInALargeFile(t *testing.T) {
	const spans = 6000
	var text strings.Builder
	require.NoError(t, tracegen.Write(&text, spans, 7))
	lines := strings.SplitAfter(text.String(), "\n")
	for n := 250; n < len(lines); n += 500 {
		lines[n] = "{]" + lines[n] // damaged
	}
	r := check(t, all, strings.Join(lines, ""))
	next := 1
	for f := range r.Findings() {
		if f.Line == 0 {
			continue
		}
		require.Equal(t, next, f.Line)
		damaged := next > 250 && (next-251)%500 == 0 || next%2001 == 0 // a run_end counts what is damaged, too
		require.Equal(t, damaged, f.Subject == trace.SubjectDamage, "line %d: %s", next, told(f))
		if !damaged {
			require.Contains(t, lines[next-1], f.SpanID)
		}
		next++
	}
	assert.GreaterOrEqual(t, next, spans)
}

func TestAGeneratedTraceIsSound(t *testing.T) {
	var text strings.Builder
	require.NoError(t, tracegen.Write(&text, 5000, tracegen.Seed))
	r := check(t, nil, text.String())
	s := r.Summary
	assert.Equal(t, []string{"silent_clip", "incomplete", "hash_mismatch"}, s.Why, "its verdicts are mixed, but nothing is damaged")
	assert.Equal(t, 5000, s.Spans)
	for v, share := range map[clipspan.Verdict]float64{
		clipspan.VerdictOK: 60, clipspan.VerdictClipped: 20, clipspan.VerdictSilentClip: 8,
		clipspan.VerdictHashMismatch: 6, clipspan.VerdictIncomplete: 6,
	} {
		assert.InDelta(t, share, float64(s.Counts.Of(v))/50, 2, v.String())
	}
	assert.Zero(t, s.Notes)
}

func TestTheOrderOfReadsChangesNothing(t *testing.T) {
	var text strings.Builder
	require.NoError(t, tracegen.Write(&text, 300, 3))
	want := findings(check(t, all, text.String()))
	c := trace.NewChecker(all...)
	require.NoError(t, c.Add(t.Context(), "f1", iotest.HalfReader(strings.NewReader(text.String()))))
	assert.Equal(t, want, findings(c.Report()))
}

func TestAddReturnsWhatTheReaderReturns(t *testing.T) {
	broken := errors.New("connection reset")
	c := trace.NewChecker(all...)
	err := c.Add(t.Context(), "f", io.MultiReader(strings.NewReader(okSpan("a")+"\n"+okSpan("b")[:40]), iotest.ErrReader(broken)))
	assert.ErrorIs(t, err, broken)
	assert.EqualError(t, err, "reading f: connection reset")
	assert.Equal(t, []string{"f:1 a ok"}, findings(c.Report()), "what was read is judged")

	err = trace.NewChecker().Add(t.Context(), "f", strings.NewReader("\xff\xfe{\x00"))
	assert.ErrorIs(t, err, trace.ErrUTF16)
}

func TestAddEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	line := okSpan("a") + "\n"
	endless := readerFunc(func(b []byte) (int, error) {
		cancel(nil)
		return copy(b, line), nil
	})
	c := trace.NewChecker()
	err := c.Add(ctx, "f", endless)
	assert.ErrorIs(t, err, context.Canceled)
	assert.LessOrEqual(t, c.Report().Summary.Spans, 1)
}

func TestReportEndsTheChecker(t *testing.T) {
	c := trace.NewChecker()
	r := c.Report()
	assert.Error(t, c.Add(t.Context(), "f", strings.NewReader(okSpan("a"))))
	assert.Same(t, r, c.Report())
	assert.Zero(t, r.Summary.Spans)
}

// Every line of a run may stand anywhere: positions, not lines, say what is later.
func TestTheOrderOfLinesChangesNothing(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(run(t, "wire-first-by-seq-is-cut")), "\n")
	forward := verdicts(check(t, all, strings.Join(lines, "\n")))
	slices.Reverse(lines)
	assert.Equal(t, forward, verdicts(check(t, all, strings.Join(lines, "\n"))))
}

func verdicts(r *trace.Report) map[string]string {
	m := map[string]string{}
	for f := range r.Findings() {
		m[f.SpanID+f.TurnID] = f.Verdict.String() + " " + strings.Join(f.Detail, ",")
	}
	return m
}

// Hostile numbers of everything that is kept: none may make judging quadratic.
func TestManyOfEverythingAreJudgedInTime(t *testing.T) {
	var text strings.Builder
	const n = 20_000
	for i := range n {
		fmt.Fprintf(&text, `{"span_id":"s","name":"t","seq":%d,"tool_call_id":"c","parent_id":"p","sha256_injected":"%064x","injected_bytes":%d}`+"\n", 2*(n-i), i, i)
		fmt.Fprintf(&text, `{"span_id":"%d","name":"t","tool_call_id":"c","parent_id":"t%d","sha256_injected":"%064x","injected_bytes":1}`+"\n", i, i, i)
		fmt.Fprintf(&text, `{"kind":"turn","turn_id":"t%d","extends":"t%d","input_tokens":%d,"delivered":[{"span_id":"%d","tool_call_id":"c"}],"evicted":["c"]}`+"\n", i, i+1, n-i, i)
		fmt.Fprintf(&text, `{"kind":"gap","from_seq":%d,"to_seq":%d,"count":%d}`+"\n", 4*i+1, 4*i+2, 1<<62)
	}
	s := check(t, nil, text.String()).Summary
	assert.Equal(t, n+1, s.Spans)
	assert.Equal(t, n, s.Turns)
	assert.False(t, s.Trusted)
}
