package zapsink_test

import (
	"bytes"
	"testing"

	"go.uber.org/zap/zapcore"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/clipspantest"
	"github.com/clipspan/clipspan/zapsink"
)

func TestSinkConformance(t *testing.T) {
	clipspantest.RunSink(t, func(t testing.TB) clipspantest.SinkTest {
		out := &output{}
		return clipspantest.SinkTest{
			Sink:    zapsink.New(recordLogger(zapcore.Lock(out), zapcore.AddSync(&bytes.Buffer{}))),
			Records: func() []clipspan.Record { return clipspantest.Read(t, bytes.NewReader(out.Bytes())) },
			Break:   func() { out.err = errDiskFull },
		}
	})
}
