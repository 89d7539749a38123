package peers

import (
	"io"
	"time"

	"github.com/rs/zerolog"
)

func newZerolog(w io.Writer) func(*Record) error {
	zerolog.TimeFieldFormat = time.RFC3339Nano
	logger := zerolog.New(w)
	return func(r *Record) error {
		logger.Log().
			Str("span_id", r.SpanID).
			Str("parent_id", r.ParentID).
			Str("name", r.Name).
			Str("status", r.Status).
			Int64("observed_bytes", r.ObservedBytes).
			Int64("injected_bytes", r.InjectedBytes).
			Int64("injected_tokens", r.InjectedTokens).
			Str("clip_reason", r.ClipReason).
			Hex("sha256_observed", r.SHA256Observed[:]).
			Hex("sha256_injected", r.SHA256Injected[:]).
			Str("injected_preview", r.InjectedPreview).
			Str("prompt_builder_version", r.PromptBuilderVersion).
			Int64("v", r.Version).
			Str("run_id", r.RunID).
			Time("started_at", r.StartedAt).
			Time("ended_at", r.EndedAt).
			Send()
		return nil
	}
}
