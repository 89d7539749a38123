package slogsink_test

import (
	"bytes"
	"errors"
	"log/slog"
	"testing"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/clipspantest"
	"github.com/clipspan/clipspan/slogsink"
)

func TestSinkConformance(t *testing.T) {
	clipspantest.RunSink(t, func(t testing.TB) clipspantest.SinkTest {
		out := &output{}
		// The log's own names are left out, so that an entry is a record again.
		ours := func(groups []string, a slog.Attr) slog.Attr {
			switch a.Key {
			case slog.TimeKey, slog.LevelKey, slog.MessageKey:
				return slog.Attr{}
			}
			return a
		}
		return clipspantest.SinkTest{
			Sink:    slogsink.New(slog.New(slog.NewJSONHandler(out, &slog.HandlerOptions{ReplaceAttr: ours}))),
			Records: func() []clipspan.Record { return clipspantest.Read(t, bytes.NewReader(out.Bytes())) },
			Break:   func() { out.broken = true },
		}
	})
}

// output is a buffer that fails once it is broken.
type output struct {
	bytes.Buffer
	broken bool
}

func (o *output) Write(p []byte) (int, error) {
	if o.broken {
		return 0, errors.New("disk full")
	}
	return o.Buffer.Write(p)
}
