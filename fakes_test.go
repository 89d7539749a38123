package clipspan_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/clipspan/clipspan"
)

// memorySink keeps every record, and fails where fail says so.
type memorySink struct {
	mu      sync.Mutex
	records []clipspan.Record
	fail    func(clipspan.Record) error
}

func (s *memorySink) Emit(_ context.Context, r clipspan.Record) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fail != nil {
		if err := s.fail(r); err != nil {
			return err
		}
	}
	s.records = append(s.records, clipspan.Clone(r))
	return nil
}

func (s *memorySink) all() []clipspan.Record {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]clipspan.Record(nil), s.records...)
}

func (s *memorySink) spans() (spans []*clipspan.Span) {
	for _, r := range s.all() {
		if span, ok := r.(*clipspan.Span); ok {
			spans = append(spans, span)
		}
	}
	return spans
}

// only is the one span that was recorded.
func (s *memorySink) only(t *testing.T) *clipspan.Span {
	t.Helper()
	spans := s.spans()
	require.Len(t, spans, 1)
	return spans[0]
}

// countBytes is a token counter under which every byte is a token.
type countBytes struct{}

func (countBytes) CountTokens(_ context.Context, text string) (int64, error) {
	return int64(len(text)), nil
}

func (countBytes) Source() clipspan.TokenSource { return clipspan.TokenizerSource("bytes") }

// returns is a tool that always returns the text and the error.
func returns(text string, err error) clipspan.Tool {
	return clipspan.ToolFunc("read_file", func(context.Context, string) (string, error) { return text, err })
}

// headOf is a builder that keeps n bytes and declares the reason.
func headOf(n int, reason clipspan.ClipReason) clipspan.Builder {
	return clipspan.BuilderFunc("cap-v3", func(_ context.Context, o clipspan.Observation) (clipspan.Injection, error) {
		return clipspan.Injection{Text: o.Text[:min(n, len(o.Text))], Reason: reason}, nil
	})
}

var errDiskFull = errors.New("disk full")
