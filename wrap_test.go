package clipspan_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/clipspan/clipspan"
)

func sha(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func TestWrappedCallReturnsOnlyTheInjectedText(t *testing.T) {
	sink := &memorySink{}
	em := clipspan.NewEmitter(sink, countBytes{})
	tool := em.Wrap(returns("0123456789", nil), headOf(4, clipspan.ReasonPromptTokenCap))

	ctx := clipspan.ContextWithCall(t.Context(), clipspan.Call{ID: "call-1", ParentID: "turn-3"})
	text, err := tool.Call(ctx, `{"path":"production.yaml"}`)

	require.NoError(t, err)
	assert.Equal(t, "0123", text)
	assert.Equal(t, "read_file", tool.Name())
	s := sink.only(t)
	assert.NotEmpty(t, s.SpanID)
	assert.Equal(t, "turn-3", s.ParentID)
	assert.Equal(t, "call-1", s.ToolCallID)
	assert.Equal(t, "read_file", s.Name)
	assert.Equal(t, clipspan.StatusOK, s.Status)
	assert.Equal(t, clipspan.Known(10), s.ObservedBytes)
	assert.Equal(t, clipspan.Known(4), s.InjectedBytes)
	assert.Equal(t, clipspan.Known(4), s.InjectedTokens)
	assert.Equal(t, clipspan.TokenizerSource("bytes"), s.TokenSource)
	assert.Equal(t, clipspan.ReasonPromptTokenCap, s.ClipReason)
	assert.Equal(t, sha("0123456789"), s.SHA256Observed.String())
	assert.Equal(t, sha("0123"), s.SHA256Injected.String())
	assert.Equal(t, sha(`{"path":"production.yaml"}`), s.SHA256Args.String())
	assert.Equal(t, "0123", s.InjectedPreview)
	assert.Equal(t, "cap-v3", s.PromptBuilderVersion)
	assert.Equal(t, clipspan.Known(4), s.KeptBytes)
	assert.Equal(t, []clipspan.Range{{From: 0, To: 4}}, s.KeptRanges)
	assert.Equal(t, clipspan.Known(0), s.AddedBytes)
	assert.Equal(t, em.RunID(), s.RunID)
	assert.EqualValues(t, 1, s.Seq)
	assert.EqualValues(t, clipspan.SchemaVersion, s.Version)
	assert.False(t, s.StartedAt.IsZero())
	assert.False(t, s.EndedAt.Before(s.StartedAt))
}

// swap puts other bytes of the same length into the prompt.
var swap = clipspan.BuilderFunc("swap", func(_ context.Context, o clipspan.Observation) (clipspan.Injection, error) {
	return clipspan.Injection{Text: strings.ToUpper(o.Text), Reason: clipspan.ReasonNone}, nil
})

func TestWhatABuilderDoesIsWhatTheVerdictSays(t *testing.T) {
	for name, c := range map[string]struct {
		builder clipspan.Builder
		want    clipspan.Verdict
		reason  clipspan.ClipReason
	}{
		"no builder at all":                            {nil, clipspan.VerdictOK, clipspan.ReasonNone},
		"equal text without a reason is none":          {headOf(99, ""), clipspan.VerdictOK, clipspan.ReasonNone},
		"a declared cut":                               {headOf(3, clipspan.ReasonToolResultCharLimit), clipspan.VerdictClipped, clipspan.ReasonToolResultCharLimit},
		"a cut declared as none":                       {headOf(3, clipspan.ReasonNone), clipspan.VerdictSilentClip, clipspan.ReasonNone},
		"a forgotten cut stays undeclared":             {headOf(3, ""), clipspan.VerdictSilentClip, ""},
		"a declared cut that cut nothing":              {headOf(99, clipspan.ReasonRedaction), clipspan.VerdictHashMismatch, clipspan.ReasonRedaction},
		"other bytes of equal length declared as none": {swap, clipspan.VerdictHashMismatch, clipspan.ReasonNone},
	} {
		t.Run(name, func(t *testing.T) {
			sink := &memorySink{}
			_, err := clipspan.NewEmitter(sink, countBytes{}).Wrap(returns("port: 8443", nil), c.builder).Call(t.Context(), "")
			require.NoError(t, err)
			s := sink.only(t)
			assert.Equal(t, c.reason, s.ClipReason)
			assert.Equal(t, c.want, clipspan.Classify(s).Verdict)
		})
	}
}

func TestAToolErrorReachesTheHostUnchanged(t *testing.T) {
	boom := errors.New("no such file")
	for name, c := range map[string]struct {
		text, want string
	}{
		"the error's text is observed if there is no other": {"", "no such file"},
		"the tool's own text is observed if there is one":   {"stdout: 3 lines", "stdout: 3 lines"},
	} {
		t.Run(name, func(t *testing.T) {
			sink := &memorySink{}
			text, err := clipspan.NewEmitter(sink, countBytes{}).Wrap(returns(c.text, boom), nil).Call(t.Context(), "")
			assert.Same(t, boom, err)
			assert.Equal(t, c.want, text)
			s := sink.only(t)
			assert.Equal(t, clipspan.StatusError, s.Status)
			assert.Equal(t, "tool", s.Error, "the class, never the content")
			assert.Equal(t, clipspan.VerdictOK, clipspan.Classify(s).Verdict)
		})
	}
}

func TestAToolErrorThatIsANilPointerReachesTheHostToo(t *testing.T) {
	var null *fs.PathError
	sink := &memorySink{}
	em := clipspan.NewEmitter(sink, countBytes{})
	text, err := em.Wrap(returns("part", null), nil).Call(t.Context(), "")
	assert.Equal(t, "part", text)
	assert.Equal(t, error(null), err)
	require.NoError(t, em.Start(t.Context(), clipspan.Call{}).Abandon(null))
	assert.Len(t, sink.spans(), 2)
}

func TestCallReturnsWhatWasMeasured(t *testing.T) {
	for name, c := range map[string]struct {
		in   clipspan.Injection
		want string
	}{
		"parts and no text":      {clipspan.Injection{Parts: []clipspan.Part{{Text: "obs"}, {Text: "erved"}}}, "observed"},
		"parts and another text": {clipspan.Injection{Text: "another", Parts: []clipspan.Part{{Text: "observed"}}}, "observed"},
	} {
		t.Run(name, func(t *testing.T) {
			sink := &memorySink{}
			builder := clipspan.BuilderFunc("v1", func(context.Context, clipspan.Observation) (clipspan.Injection, error) { return c.in, nil })
			text, err := clipspan.NewEmitter(sink, countBytes{}).Wrap(returns("observed", nil), builder).Call(t.Context(), "")
			require.NoError(t, err)
			assert.Equal(t, c.want, text)
			assert.Equal(t, sha(text), sink.only(t).SHA256Injected.String())
		})
	}
}

func TestABuilderErrorWithholdsTheRawResult(t *testing.T) {
	broken := errors.New("no rules loaded")
	sink := &memorySink{}
	builder := clipspan.BuilderFunc("redact-v1", func(context.Context, clipspan.Observation) (clipspan.Injection, error) {
		return clipspan.Injection{Text: "half"}, broken
	})
	text, err := clipspan.NewEmitter(sink, countBytes{}).Wrap(returns("secret", nil), builder).Call(t.Context(), "")
	assert.Same(t, broken, err)
	assert.Empty(t, text)
	s := sink.only(t)
	assert.Equal(t, clipspan.StatusIncomplete, s.Status)
	assert.Equal(t, "builder", s.Error)
	assert.Equal(t, "redact-v1", s.PromptBuilderVersion)
	assert.Equal(t, clipspan.Known(6), s.ObservedBytes)
	assert.False(t, s.InjectedBytes.Known())
}

func TestACallThatDoesNotReturnIsRecordedAndGoesOnAsItIs(t *testing.T) {
	dies := func(f func()) clipspan.Tool {
		return clipspan.ToolFunc("dies", func(context.Context, string) (string, error) { f(); return "", nil })
	}
	for name, c := range map[string]struct {
		tool    clipspan.Tool
		builder clipspan.Builder
		panics  bool
		class   string
	}{
		"tool panics":          {dies(func() { panic("boom") }), nil, true, "tool_did_not_return"},
		"tool panics with nil": {dies(func() { panic(nil) }), nil, true, "tool_did_not_return"}, //nolint:govet // the point of the case
		"tool calls Goexit":    {dies(runtime.Goexit), nil, false, "tool_did_not_return"},
		"builder panics": {returns("x", nil), clipspan.BuilderFunc("p", func(context.Context, clipspan.Observation) (clipspan.Injection, error) {
			panic("boom")
		}), true, "builder_did_not_return"},
	} {
		t.Run(name, func(t *testing.T) {
			sink := &memorySink{}
			em := clipspan.NewEmitter(sink, countBytes{})
			var value any
			var done sync.WaitGroup
			done.Go(func() {
				defer func() { value = recover() }()
				_, _ = em.Wrap(c.tool, c.builder).Call(t.Context(), "")
			})
			done.Wait()
			assert.Equal(t, c.panics, value != nil)
			s := sink.only(t)
			assert.Equal(t, clipspan.StatusIncomplete, s.Status)
			assert.Equal(t, c.class, s.Error)
			assert.Empty(t, em.Pending())
		})
	}
}

func TestAResultThatComesAfterCancellationIsRecorded(t *testing.T) {
	sink := &memorySink{}
	ctx, cancel := context.WithCancel(t.Context())
	late := clipspan.ToolFunc("late", func(ctx context.Context, _ string) (string, error) {
		cancel()
		<-ctx.Done()
		return "all of it", nil
	})
	text, err := clipspan.NewEmitter(sink, countBytes{}).Wrap(late, nil).Call(ctx, "")
	require.NoError(t, err)
	assert.Equal(t, "all of it", text)
	assert.Equal(t, clipspan.VerdictOK, clipspan.Classify(sink.only(t)).Verdict)
}

func TestCallsInsideACallHaveItAsTheirParent(t *testing.T) {
	sink := &memorySink{}
	em := clipspan.NewEmitter(sink, countBytes{})
	child := em.Wrap(returns("child", nil), nil)
	agent := em.Wrap(clipspan.ToolFunc("agent", func(ctx context.Context, in string) (string, error) {
		if err := em.Barrier(ctx); err != nil { // its own model call must not wait for itself
			return "", err
		}
		if _, err := child.Call(ctx, in); err != nil {
			return "", err
		}
		return child.Call(clipspan.ContextWithCall(ctx, clipspan.Call{ID: "inner-2"}), in)
	}), nil)
	_, err := agent.Call(clipspan.ContextWithCall(t.Context(), clipspan.Call{ID: "outer", ParentID: "turn-1"}), "")
	require.NoError(t, err)

	spans := sink.spans()
	require.Len(t, spans, 3)
	first, second, outer := spans[0], spans[1], spans[2]
	assert.Equal(t, "turn-1", outer.ParentID)
	assert.Equal(t, "outer", outer.ToolCallID)
	assert.Equal(t, outer.SpanID, first.ParentID)
	assert.Empty(t, first.ToolCallID, "the outer call's id is not the inner one's")
	assert.Equal(t, outer.SpanID, second.ParentID)
	assert.Equal(t, "inner-2", second.ToolCallID)
}

func TestOneWrappedToolServesManyRuns(t *testing.T) {
	var atStart, run memorySink
	tool := clipspan.NewEmitter(&atStart, countBytes{}).Wrap(returns("x", nil), nil)
	other := clipspan.NewEmitter(&run, countBytes{}, clipspan.WithRunID("run-2"))
	_, err := tool.Call(clipspan.ContextWithEmitter(t.Context(), other), "")
	require.NoError(t, err)
	assert.Empty(t, atStart.spans())
	assert.Equal(t, "run-2", run.only(t).RunID)
}

func TestTypedToolDecodesArgumentsAndRendersResults(t *testing.T) {
	type args struct{ A, B int }
	add := clipspan.TypedTool("add", func(_ context.Context, in args) (map[string]int, error) {
		return map[string]int{"sum": in.A + in.B}, nil
	}, nil)
	text, err := add.Call(t.Context(), `{"A":2,"B":3}`)
	require.NoError(t, err)
	assert.JSONEq(t, `{"sum":5}`, text)

	say := clipspan.TypedTool("say", func(_ context.Context, in args) (string, error) { return "line\n", nil }, nil)
	text, err = say.Call(t.Context(), `{}`)
	require.NoError(t, err)
	assert.Equal(t, "line\n", text, "a text is no JSON literal")

	_, err = add.Call(t.Context(), `{"A":"two"}`)
	assert.ErrorContains(t, err, "reading arguments of add: ")
}

func TestManyCallsAtOnceEachHaveTheirOwnHashAndParent(t *testing.T) {
	sink := &memorySink{}
	// Under load a thousand callers may queue for the sink for seconds.
	em := clipspan.NewEmitter(sink, countBytes{}, clipspan.WithDeadline(time.Hour))
	echo := em.Wrap(clipspan.ToolFunc("echo", func(_ context.Context, in string) (string, error) { return in, nil }), nil)
	const goroutines, calls = 1000, 100
	var wg sync.WaitGroup
	for g := range goroutines {
		wg.Go(func() {
			parent := "turn-" + strings.Repeat("i", g%7)
			ctx := clipspan.ContextWithCall(t.Context(), clipspan.Call{ParentID: parent})
			for range calls {
				if text, err := echo.Call(ctx, parent); err != nil || text != parent {
					t.Errorf("call gave %q, %v", text, err)
				}
			}
		})
	}
	wg.Wait()
	require.NoError(t, em.Close(t.Context()))
	records := sink.all()
	require.Len(t, records, goroutines*calls+1)
	seen := make(map[int64]bool, len(records))
	ids := make(map[string]bool, len(records))
	for _, s := range sink.spans() {
		if seen[s.Seq] || ids[s.SpanID] || sha(s.ParentID) != s.SHA256Observed.String() {
			t.Fatalf("position or id twice, or another call's hash: %+v", s)
		}
		seen[s.Seq], ids[s.SpanID] = true, true
	}
	end, ok := records[len(records)-1].(*clipspan.RunEnd)
	require.True(t, ok)
	assert.Equal(t, clipspan.Known(goroutines*calls), end.Spans)
	assert.EqualValues(t, goroutines*calls+1, end.Seq)
}
