package clipspan

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// benchSpan is a clipped span as Wrap writes it, of about 850 bytes.
func benchSpan() *Span {
	started := time.Date(2026, 3, 1, 12, 0, 0, 123456789, time.UTC)
	return &Span{
		Header: Header{Version: SchemaVersion, RunID: "0198f2a4-7c1e-7d0a-9b5e-2f3a4b5c6d7e", Seq: 42},
		SpanID: "0198f2a4-7c1e-7d0a-9b5e-2f3a4b5c6d7f", Name: "read_file", Status: StatusOK,
		ObservedBytes: Known(96412), InjectedBytes: Known(12040), InjectedTokens: Known(8192),
		TokenSource: TokensEstimated, ClipReason: ReasonPromptTokenCap,
		SHA256Observed:          ParseHash(strings.Repeat("0123456789abcdef", 4)),
		SHA256Injected:          ParseHash(strings.Repeat("fedcba9876543210", 4)),
		InjectedPreview:         "# generated\nservice:\n  name: \"billing\"\n  timeout: 30s\n  replicas: 3\n",
		PromptBuilderVersion:    "cap-v3",
		ModelContextLimitTokens: Known(200000),
		ToolCallID:              "toolu_01A09q90qw90lq917835lq9",
		StartedAt:               started, EndedAt: started.Add(1234567 * time.Nanosecond),
		KeptBytes: Known(12000), KeptRanges: []Range{{0, 12000}}, AddedBytes: Known(40),
		CapUnit: CapTokens, CapValue: Known(8192),
	}
}

// BenchmarkSink shows what a sink costs above one write of ready bytes.
func BenchmarkSink(b *testing.B) {
	span := benchSpan()
	b.Run("one write of ready bytes", func(b *testing.B) {
		f, line := benchFile(b), append(span.AppendJSON(nil), '\n')
		b.ReportAllocs()
		for b.Loop() {
			if _, err := f.Write(line); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("encoded, then one write", func(b *testing.B) {
		f, line := benchFile(b), []byte(nil)
		b.ReportAllocs()
		for b.Loop() {
			line = append(span.AppendJSON(line[:0]), '\n')
			if _, err := f.Write(line); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("JSONLSink without a deadline", func(b *testing.B) {
		emitAll(b, benchSink(b, WithWriteDeadline(0)), span)
	})
	b.Run("JSONLSink", func(b *testing.B) { emitAll(b, benchSink(b), span) })
	b.Run("JSONLDir", func(b *testing.B) {
		dir, err := OpenJSONLDir(b.TempDir())
		require.NoError(b, err)
		defer dir.Close()
		emitAll(b, dir, span)
	})
	b.Run("JSONLSink without a deadline, into nothing", func(b *testing.B) {
		emitAll(b, NewJSONLSink(io.Discard, WithWriteDeadline(0)), span)
	})
}

// BenchmarkDurable shows what sharing one fdatasync gains over a mutex round
// write and fdatasync.
func BenchmarkDurable(b *testing.B) {
	span := benchSpan()
	line := append(span.AppendJSON(nil), '\n')
	for _, callers := range []int{1, 8, 64} {
		b.Run("mutex/"+strconv.Itoa(callers), func(b *testing.B) {
			f, mu := benchFile(b), sync.Mutex{}
			concurrently(b, callers, func() error {
				mu.Lock()
				defer mu.Unlock()
				if _, err := f.Write(line); err != nil {
					return err
				}
				return dataSync(f)
			})
		})
		b.Run("JSONLSink/"+strconv.Itoa(callers), func(b *testing.B) {
			sink := benchSink(b, WithSync())
			concurrently(b, callers, func() error { return sink.Emit(context.Background(), span) })
		})
	}
}

func benchFile(b *testing.B) *os.File {
	f, err := os.OpenFile(filepath.Join(b.TempDir(), "run.jsonl"), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	require.NoError(b, err)
	b.Cleanup(func() { f.Close() })
	return f
}

func benchSink(b *testing.B, opts ...JSONLOption) *JSONLSink {
	sink, err := OpenJSONL(filepath.Join(b.TempDir(), "run.jsonl"), opts...)
	require.NoError(b, err)
	b.Cleanup(func() { sink.Close() })
	return sink
}

func emitAll(b *testing.B, sink Sink, span *Span) {
	b.ReportAllocs()
	for b.Loop() {
		if err := sink.Emit(context.Background(), span); err != nil {
			b.Fatal(err)
		}
	}
}

// concurrently calls f b.N times in all, from so many goroutines.
func concurrently(b *testing.B, callers int, f func() error) {
	var wg sync.WaitGroup
	b.ResetTimer()
	for i := range callers {
		wg.Go(func() {
			for range (b.N + i) / callers {
				if err := f(); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
}
