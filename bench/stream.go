package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/clipspan/clipspan"
)

// streamTable measures how long the hash of a streamed result takes once its end
// was seen: the call of Read that returns io.EOF.
func streamTable(b *bench) (*table, error) {
	n := int(b.batch / (100 * time.Microsecond))
	least := math.Inf(1)
	for range b.reps {
		took, err := endsOfStreams(n)
		if err != nil {
			return nil, err
		}
		least = min(least, float64(took)/float64(n))
	}
	t := &table{title: "Stream: from io.EOF to a known hash, the write excluded"}
	t.rows = append(t.rows, row{"96 KB read in 4 KB pieces", duration(least), "", least / 1000, " µs", atMost(1)})
	return t, nil
}

// endsOfStreams reads n streams and returns how long their ends took in all.
func endsOfStreams(n int) (took time.Duration, err error) {
	var last *clipspan.Span
	sink := clipspan.SinkFunc(func(_ context.Context, r clipspan.Record) error {
		last, _ = clipspan.Clone(r).(*clipspan.Span)
		return nil
	})
	run := clipspan.NewEmitter(sink, nil)
	text, piece := exchanges[2].observed, make([]byte, 4<<10)
	for range n {
		o := run.Start(context.Background(), clipspan.Call{Name: "read_file"})
		r := o.ObserveReader(strings.NewReader(text))
		for read := 0; read < len(text); {
			n, err := r.Read(piece)
			if err != nil {
				return 0, err
			}
			read += n
		}
		start := time.Now()
		_, err := r.Read(piece)
		took += time.Since(start)
		if err != io.EOF {
			return 0, fmt.Errorf("stream ended with %w", err)
		}
		if err := o.Inject(clipspan.Injection{Text: text[:64]}, "cap-v3"); err != nil {
			return 0, err
		}
		if last.SHA256Observed.IsZero() {
			return 0, fmt.Errorf("hash of a stream is not known")
		}
	}
	return took, nil
}
