// Package zapsink writes records into a [zap.Logger], so that a program's log
// tells of every tool result that was cut. It stands beside the file that is the
// evidence, not in its place:
//
//	sink := clipspan.MultiSink(file, zapsink.New(logger))
package zapsink

import (
	"context"
	"errors"
	"strings"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/internal/jsonfields"
)

// Sink is a [clipspan.Sink] onto a logger. It may be used by many goroutines at
// once, and holds nothing that needs closing.
type Sink struct{ log *zap.Logger }

// New makes a sink that writes every record as one entry: the record's fields by
// their names, numbers as integers and times as RFC 3339 text (RECORDS, Tool
// span), and before those of a tool span its verdict and what explains it, as
// "verdict" and "detail". A span that makes its trace untrustworthy and a gap are
// warnings, all else is information.
func New(logger *zap.Logger) *Sink {
	// Every record comes from the same place: where that is says nothing.
	return &Sink{logger.WithOptions(zap.WithCaller(false), zap.AddStacktrace(zapcore.FatalLevel))}
}

// Emit implements [clipspan.Sink]. It fails if the logger's output does. An entry
// that the logger's level or sampling leaves out counts as written.
func (s *Sink) Emit(_ context.Context, r clipspan.Record) error {
	level, message, list := describe(r)
	entry := s.log.Check(level, message)
	if entry == nil {
		return nil
	}
	for name, value := range jsonfields.All(r.AppendJSON(nil)) {
		list = append(list, zap.Any(name, value))
	}
	failed := &failure{next: entry.ErrorOutput}
	entry.ErrorOutput = failed
	entry.Write(list...)
	return failed.err()
}

// describe is what an entry says besides the record's own fields.
func describe(r clipspan.Record) (level zapcore.Level, message string, list []zap.Field) {
	switch r := r.(type) {
	case *clipspan.Span:
		level = zap.InfoLevel
		f := clipspan.Classify(r)
		if !f.Verdict.Trusted() {
			level = zap.WarnLevel
		}
		list = append(list, zap.String("verdict", f.Verdict.String()))
		if len(f.Detail) > 0 {
			list = append(list, zap.Strings("detail", f.Detail))
		}
		return level, "tool span", list
	case *clipspan.Gap:
		return zap.WarnLevel, r.Kind(), nil
	default:
		return zap.InfoLevel, r.Kind(), nil
	}
}

// failure keeps what a logger says on its error output: it has no other way to
// tell that an entry was not written.
type failure struct {
	next zapcore.WriteSyncer
	text strings.Builder
}

// Write implements [zapcore.WriteSyncer].
func (f *failure) Write(p []byte) (int, error) {
	f.text.Write(p)
	if f.next == nil {
		return len(p), nil
	}
	return f.next.Write(p)
}

// Sync implements [zapcore.WriteSyncer].
func (f *failure) Sync() error {
	if f.next == nil {
		return nil
	}
	return f.next.Sync()
}

func (f *failure) err() error {
	if f.text.Len() == 0 {
		return nil
	}
	return errors.New("writing a log entry: " + strings.TrimSpace(f.text.String()))
}
