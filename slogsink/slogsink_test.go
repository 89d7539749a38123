package slogsink_test

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/slogsink"
)

func Example() {
	logger := slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: withoutTime}))
	sink := slogsink.New(logger)

	// A cut that nobody declared.
	sink.Emit(context.Background(), &clipspan.Span{
		Name:           "read_file",
		ObservedBytes:  clipspan.Known(96412),
		InjectedBytes:  clipspan.Known(12040),
		InjectedTokens: clipspan.Known(8192),
		ClipReason:     clipspan.ReasonNone,
	})
	// Output: level=WARN msg="tool span" verdict=silent_clip detail="[ratio=0.88]" name=read_file observed_bytes=96412 injected_bytes=12040 injected_tokens=8192 clip_reason=none
}

func withoutTime(_ []string, a slog.Attr) slog.Attr {
	if a.Key == slog.TimeKey {
		return slog.Attr{}
	}
	return a
}

// entries is a handler that keeps what it is given.
type entries struct {
	level slog.Level
	err   error
	ctx   context.Context
	list  []slog.Record
}

func (e *entries) Enabled(_ context.Context, level slog.Level) bool { return level >= e.level }

func (e *entries) Handle(ctx context.Context, r slog.Record) error {
	e.ctx, e.list = ctx, append(e.list, r)
	return e.err
}

func (e *entries) WithAttrs([]slog.Attr) slog.Handler { return e }
func (e *entries) WithGroup(string) slog.Handler      { return e }

func clipped(reason clipspan.ClipReason) *clipspan.Span {
	return &clipspan.Span{
		ObservedBytes:  clipspan.Known(10),
		InjectedBytes:  clipspan.Known(5),
		InjectedTokens: clipspan.Known(2),
		ClipReason:     reason,
		RenderLossless: true,
	}
}

func TestEveryRecordIsOneEntryAtALevelThatSaysHowItStands(t *testing.T) {
	for _, c := range []struct {
		name    string
		record  clipspan.Record
		level   slog.Level
		message string
		attrs   map[string]any
	}{
		{
			"a declared cut is information",
			clipped(clipspan.ReasonPromptTokenCap),
			slog.LevelInfo,
			"tool span",
			map[string]any{
				"verdict": "clipped", "detail": []string{"prompt_token_cap", "ratio=0.50"}, "clip_reason": "prompt_token_cap",
				"observed_bytes": int64(10), "injected_bytes": int64(5), "injected_tokens": int64(2), "render_lossless": true,
			},
		},
		{
			"a silent cut is a warning",
			clipped(clipspan.ReasonUndeclared),
			slog.LevelWarn,
			"tool span",
			map[string]any{
				"verdict": "silent_clip", "detail": []string{"ratio=0.50"},
				"observed_bytes": int64(10), "injected_bytes": int64(5), "injected_tokens": int64(2), "render_lossless": true,
			},
		},
		{
			"lost records are a warning",
			&clipspan.Gap{Count: clipspan.Known(3)},
			slog.LevelWarn,
			"gap",
			map[string]any{"kind": "gap", "count": int64(3)},
		},
		{
			"a turn is information",
			&clipspan.Turn{TurnID: "t1"},
			slog.LevelInfo,
			"turn",
			map[string]any{"kind": "turn", "turn_id": "t1"},
		},
		{
			"the end of a run is information",
			&clipspan.RunEnd{Spans: clipspan.Known(1)},
			slog.LevelInfo,
			"run_end",
			map[string]any{"kind": "run_end", "spans": int64(1)},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			handler := &entries{}

			require.NoError(t, slogsink.New(slog.New(handler)).Emit(t.Context(), c.record))

			require.Len(t, handler.list, 1)
			entry := handler.list[0]
			assert.Equal(t, c.level, entry.Level)
			assert.Equal(t, c.message, entry.Message)
			assert.False(t, entry.Time.IsZero())
			attrs := map[string]any{}
			entry.Attrs(func(a slog.Attr) bool { attrs[a.Key] = a.Value.Any(); return true })
			assert.Equal(t, c.attrs, attrs)
			assert.Equal(t, t.Context(), handler.ctx, "handlers take trace ids from the context")
		})
	}
}

func TestAnEntryThatCouldNotBeWrittenIsAnError(t *testing.T) {
	errDiskFull := errors.New("disk full")
	handler := &entries{err: errDiskFull}
	require.ErrorIs(t, slogsink.New(slog.New(handler)).Emit(t.Context(), &clipspan.RunEnd{}), errDiskFull)
}

func TestWhatTheLoggersLevelLeavesOutIsNoError(t *testing.T) {
	handler := &entries{level: slog.LevelError, err: errors.New("not called")}
	require.NoError(t, slogsink.New(slog.New(handler)).Emit(t.Context(), clipped(clipspan.ReasonNone)))
	assert.Empty(t, handler.list)
}
