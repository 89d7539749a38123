package peers

import (
	"encoding/hex"
	"io"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// newZap leaves out zap's own keys, such as its level.
func newZap(w io.Writer) func(*Record) error {
	encoder := zapcore.NewJSONEncoder(zapcore.EncoderConfig{EncodeTime: zapcore.RFC3339NanoTimeEncoder})
	logger := zap.New(zapcore.NewCore(encoder, zapcore.Lock(zapcore.AddSync(w)), zapcore.InfoLevel))
	return func(r *Record) error {
		logger.Info("",
			zap.String("span_id", r.SpanID),
			zap.String("parent_id", r.ParentID),
			zap.String("name", r.Name),
			zap.String("status", r.Status),
			zap.Int64("observed_bytes", r.ObservedBytes),
			zap.Int64("injected_bytes", r.InjectedBytes),
			zap.Int64("injected_tokens", r.InjectedTokens),
			zap.String("clip_reason", r.ClipReason),
			zap.String("sha256_observed", hex.EncodeToString(r.SHA256Observed[:])),
			zap.String("sha256_injected", hex.EncodeToString(r.SHA256Injected[:])),
			zap.String("injected_preview", r.InjectedPreview),
			zap.String("prompt_builder_version", r.PromptBuilderVersion),
			zap.Int64("v", r.Version),
			zap.String("run_id", r.RunID),
			zap.Time("started_at", r.StartedAt),
			zap.Time("ended_at", r.EndedAt),
		)
		return nil
	}
}
