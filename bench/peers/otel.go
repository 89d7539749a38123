package peers

import (
	"context"
	"encoding/hex"
	"io"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/stdout/stdouttrace"
	"go.opentelemetry.io/otel/sdk/resource"
	"go.opentelemetry.io/otel/sdk/trace"
	oteltrace "go.opentelemetry.io/otel/trace"
)

// newOTel leaves out the resource, which would stand in every span.
func newOTel(w io.Writer) func(*Record) error {
	exporter, err := stdouttrace.New(stdouttrace.WithWriter(w))
	if err != nil {
		return func(*Record) error { return err }
	}
	provider := trace.NewTracerProvider(trace.WithSyncer(exporter), trace.WithResource(resource.Empty()))
	tracer := provider.Tracer("clipspan")
	turn, _ := tracer.Start(context.Background(), "turn")
	return func(r *Record) error {
		_, span := tracer.Start(turn, r.Name, oteltrace.WithTimestamp(r.StartedAt))
		span.SetAttributes(
			attribute.Int64("observed_bytes", r.ObservedBytes),
			attribute.Int64("injected_bytes", r.InjectedBytes),
			attribute.Int64("injected_tokens", r.InjectedTokens),
			attribute.String("clip_reason", r.ClipReason),
			attribute.String("sha256_observed", hex.EncodeToString(r.SHA256Observed[:])),
			attribute.String("sha256_injected", hex.EncodeToString(r.SHA256Injected[:])),
			attribute.String("injected_preview", r.InjectedPreview),
			attribute.String("prompt_builder_version", r.PromptBuilderVersion),
			attribute.Int64("v", r.Version),
			attribute.String("run_id", r.RunID),
		)
		span.SetStatus(codes.Ok, "")
		span.End(oteltrace.WithTimestamp(r.EndedAt))
		return nil
	}
}
