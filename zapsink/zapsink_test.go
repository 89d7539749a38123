package zapsink_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/zapsink"
)

func Example() {
	config := zapcore.EncoderConfig{LevelKey: "level", MessageKey: "msg", EncodeLevel: zapcore.LowercaseLevelEncoder}
	logger := zap.New(zapcore.NewCore(zapcore.NewJSONEncoder(config), zapcore.Lock(os.Stdout), zap.InfoLevel))
	sink := zapsink.New(logger)

	// A cut that nobody declared.
	sink.Emit(context.Background(), &clipspan.Span{
		Name:           "read_file",
		ObservedBytes:  clipspan.Known(96412),
		InjectedBytes:  clipspan.Known(12040),
		InjectedTokens: clipspan.Known(8192),
		ClipReason:     clipspan.ReasonNone,
	})
	// Output: {"level":"warn","msg":"tool span","verdict":"silent_clip","detail":["ratio=0.88"],"name":"read_file","observed_bytes":96412,"injected_bytes":12040,"injected_tokens":8192,"clip_reason":"none"}
}

func clipped(reason clipspan.ClipReason) *clipspan.Span {
	return &clipspan.Span{
		Header:         clipspan.Header{RunID: "r"},
		Name:           "read_file",
		ObservedBytes:  clipspan.Known(10),
		InjectedBytes:  clipspan.Known(5),
		InjectedTokens: clipspan.Known(2),
		ClipReason:     reason,
		StartedAt:      time.Date(2026, 3, 1, 12, 0, 0, 5, time.UTC),
		RenderLossless: true,
	}
}

func TestEveryRecordIsOneEntryAtALevelThatSaysHowItStands(t *testing.T) {
	for _, c := range []struct {
		name    string
		record  clipspan.Record
		level   zapcore.Level
		message string
		fields  map[string]any
	}{
		{
			"a declared cut is information",
			clipped(clipspan.ReasonPromptTokenCap),
			zap.InfoLevel,
			"tool span",
			map[string]any{
				"verdict": "clipped", "detail": []any{"prompt_token_cap", "ratio=0.50"}, "run_id": "r", "name": "read_file",
				"observed_bytes": int64(10), "injected_bytes": int64(5), "injected_tokens": int64(2),
				"clip_reason": "prompt_token_cap", "started_at": "2026-03-01T12:00:00.000000005Z", "render_lossless": true,
			},
		},
		{
			"a silent cut is a warning",
			clipped(clipspan.ReasonNone),
			zap.WarnLevel,
			"tool span",
			map[string]any{
				"verdict": "silent_clip", "detail": []any{"ratio=0.50"}, "run_id": "r", "name": "read_file",
				"observed_bytes": int64(10), "injected_bytes": int64(5), "injected_tokens": int64(2),
				"clip_reason": "none", "started_at": "2026-03-01T12:00:00.000000005Z", "render_lossless": true,
			},
		},
		{
			"an incomplete span is a warning",
			&clipspan.Span{Name: "read_file", Status: clipspan.StatusIncomplete},
			zap.WarnLevel,
			"tool span",
			map[string]any{
				"verdict": "incomplete", "detail": []any{"observed_bytes", "injected_bytes", "injected_tokens"},
				"name": "read_file", "status": "incomplete",
			},
		},
		{
			"lost records are a warning",
			&clipspan.Gap{Count: clipspan.Known(3), Error: "disk full"},
			zap.WarnLevel,
			"gap",
			map[string]any{"kind": "gap", "count": int64(3), "error": "disk full"},
		},
		{
			"a turn is information",
			&clipspan.Turn{TurnID: "t1", InputTokens: clipspan.Known(7)},
			zap.InfoLevel,
			"turn",
			map[string]any{"kind": "turn", "turn_id": "t1", "input_tokens": int64(7)},
		},
		{
			"the end of a run is information",
			&clipspan.RunEnd{Spans: clipspan.Known(1)},
			zap.InfoLevel,
			"run_end",
			map[string]any{"kind": "run_end", "spans": int64(1)},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			core, logs := observer.New(zap.DebugLevel)
			logger := zap.New(core, zap.AddCaller(), zap.AddStacktrace(zap.WarnLevel))

			require.NoError(t, zapsink.New(logger).Emit(t.Context(), c.record))

			require.Equal(t, 1, logs.Len())
			entry := logs.All()[0]
			assert.Equal(t, c.level, entry.Level)
			assert.Equal(t, c.message, entry.Message)
			assert.Equal(t, c.fields, entry.ContextMap())
			assert.False(t, entry.Caller.Defined, "every record comes from the same place")
			assert.Empty(t, entry.Stack)
		})
	}
}

// The log's own names are left out, so that an entry is a record again.
func recordLogger(out zapcore.WriteSyncer, errOut zapcore.WriteSyncer) *zap.Logger {
	encoder := zapcore.NewJSONEncoder(zapcore.EncoderConfig{})
	return zap.New(zapcore.NewCore(encoder, out, zap.InfoLevel), zap.ErrorOutput(errOut))
}

var errDiskFull = errors.New("disk full")

// output is a buffer that fails once it has an error.
type output struct {
	bytes.Buffer
	err error
}

func (o *output) Write(p []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	return o.Buffer.Write(p)
}

func (o *output) Sync() error { return o.err }

func TestAnEntryThatCouldNotBeWrittenIsAnErrorOfEmitAndOfTheLogger(t *testing.T) {
	var told bytes.Buffer
	sink := zapsink.New(recordLogger(&output{err: errDiskFull}, zapcore.AddSync(&told)))

	require.ErrorContains(t, sink.Emit(t.Context(), &clipspan.RunEnd{}), "disk full")
	assert.Contains(t, told.String(), "disk full")
}

func TestWhatTheLoggersLevelLeavesOutIsNoError(t *testing.T) {
	core, logs := observer.New(zap.ErrorLevel)
	require.NoError(t, zapsink.New(zap.New(core)).Emit(t.Context(), clipped(clipspan.ReasonNone)))
	assert.Zero(t, logs.Len())
}
