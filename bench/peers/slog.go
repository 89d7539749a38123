package peers

import (
	"context"
	"encoding/hex"
	"io"
	"log/slog"
	"time"
)

// newSlog leaves out slog's own time; its level and message can't be left out
// without slowing it down.
func newSlog(w io.Writer) func(*Record) error {
	handler := slog.NewJSONHandler(w, nil)
	return func(r *Record) error {
		out := slog.NewRecord(time.Time{}, slog.LevelInfo, "", 0)
		out.AddAttrs(
			slog.String("span_id", r.SpanID),
			slog.String("parent_id", r.ParentID),
			slog.String("name", r.Name),
			slog.String("status", r.Status),
			slog.Int64("observed_bytes", r.ObservedBytes),
			slog.Int64("injected_bytes", r.InjectedBytes),
			slog.Int64("injected_tokens", r.InjectedTokens),
			slog.String("clip_reason", r.ClipReason),
			slog.String("sha256_observed", hex.EncodeToString(r.SHA256Observed[:])),
			slog.String("sha256_injected", hex.EncodeToString(r.SHA256Injected[:])),
			slog.String("injected_preview", r.InjectedPreview),
			slog.String("prompt_builder_version", r.PromptBuilderVersion),
			slog.Int64("v", r.Version),
			slog.String("run_id", r.RunID),
			slog.Time("started_at", r.StartedAt),
			slog.Time("ended_at", r.EndedAt),
		)
		return handler.Handle(context.Background(), out)
	}
}
