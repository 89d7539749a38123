// Package slogsink writes records into a [slog.Logger], so that a program's log
// tells of every tool result that was cut. It stands beside the file that is the
// evidence, not in its place:
//
//	sink := clipspan.MultiSink(file, slogsink.New(logger))
package slogsink

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/internal/jsonfields"
)

// Sink is a [clipspan.Sink] onto a logger. It may be used by many goroutines at
// once, and holds nothing that needs closing.
type Sink struct{ handler slog.Handler }

// New makes a sink that writes every record as one entry: the record's fields by
// their names, numbers as integers and times as RFC 3339 text (RECORDS, Tool
// span), and before those of a tool span its verdict and what explains it, as
// "verdict" and "detail". A span that makes its trace untrustworthy and a gap are
// warnings, all else is information.
func New(logger *slog.Logger) *Sink { return &Sink{logger.Handler()} }

// Emit implements [clipspan.Sink]. It fails if the logger's handler does. An entry
// that the logger's level leaves out counts as written.
func (s *Sink) Emit(ctx context.Context, r clipspan.Record) error {
	level, message, attrs := describe(r)
	if !s.handler.Enabled(ctx, level) {
		return nil
	}
	for name, value := range jsonfields.All(r.AppendJSON(nil)) {
		attrs = append(attrs, slog.Any(name, value))
	}
	entry := slog.NewRecord(time.Now(), level, message, 0)
	entry.AddAttrs(attrs...)
	if err := s.handler.Handle(ctx, entry); err != nil {
		return fmt.Errorf("writing a log entry: %w", err)
	}
	return nil
}

// describe is what an entry says besides the record's own fields.
func describe(r clipspan.Record) (level slog.Level, message string, attrs []slog.Attr) {
	switch r := r.(type) {
	case *clipspan.Span:
		level = slog.LevelInfo
		f := clipspan.Classify(r)
		if !f.Verdict.Trusted() {
			level = slog.LevelWarn
		}
		attrs = append(attrs, slog.String("verdict", f.Verdict.String()))
		if len(f.Detail) > 0 {
			attrs = append(attrs, slog.Any("detail", f.Detail))
		}
		return level, "tool span", attrs
	case *clipspan.Gap:
		return slog.LevelWarn, r.Kind(), nil
	default:
		return slog.LevelInfo, r.Kind(), nil
	}
}
