package clipspan_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/clipspan/clipspan"
)

// tornSizes are record sizes that do not divide a page: a write of one is now
// and then cut short when its process is killed.
var tornSizes = []int{700, 4_000, 16_000, 65_000}

func TestKillingTheProcessLosesNoAcknowledgedRecord(t *testing.T) {
	emitUntilKilled()
	sizes := tornSizes[1:3]
	if *full {
		sizes = tornSizes
	}
	t.Run("one process a file", func(t *testing.T) {
		for _, size := range sizes {
			k := killer{t: t, sink: "jsonl", size: size, processes: 1}
			assert.Empty(t, k.lost(scale(3, 250), nil), "records of %d bytes", size)
		}
	})
	t.Run("four processes a file", func(t *testing.T) {
		for _, size := range sizes {
			k := killer{t: t, sink: "shared", size: size, processes: 4}
			assert.Empty(t, k.lost(scale(1, 62), nil), "records of %d bytes", size)
		}
	})
}

// The counter-example: without the line end that goes first, what a killed
// process leaves torn swallows the first record of the next. It shows that the
// test above can fail.
func TestKillingTheProcessLosesAcknowledgedRecordsOfAPlainAppend(t *testing.T) {
	emitUntilKilled()
	k := killer{t: t, sink: "plain", size: 16_000, processes: 1}
	enough := func(lost []string) bool { return !*full && len(lost) > 0 }
	lost := k.lost(1000, enough)
	assert.NotEmpty(t, lost)
	t.Logf("%d acknowledged records lost", len(lost))
}

// killer starts processes that append to one file and acknowledge each record on
// their standard output, and kills them at a random moment.
type killer struct {
	t         *testing.T
	sink      string // "jsonl", "shared" or "plain"
	size      int    // bytes of a record
	processes int    // at the same time
}

// roundsPerFile bounds the size of a file.
const roundsPerFile = 5

// lost returns the acknowledged records that are not in the file after so many
// rounds, or as many as it takes until it is enough.
func (k killer) lost(rounds int, enough func(lost []string) bool) (lost []string) {
	path := filepath.Join(k.t.TempDir(), "run.jsonl")
	for from := 0; from < rounds; from += roundsPerFile {
		acked := make(map[string]bool)
		for round := from; round < min(from+roundsPerFile, rounds); round++ {
			maps.Copy(acked, k.round(path, round))
		}
		seen, _ := readSpans(k.t, path)
		for id := range acked {
			if seen[id] == 0 {
				lost = append(lost, id)
			}
		}
		for id, n := range seen {
			assert.Equal(k.t, 1, n, "%s is there twice", id)
		}
		if enough != nil && enough(lost) {
			return lost
		}
		require.NoError(k.t, os.Remove(path))
	}
	return lost
}

// round returns the records that were acknowledged.
func (k killer) round(path string, round int) map[string]bool {
	var mu sync.Mutex
	acked := make(map[string]bool)
	var processes sync.WaitGroup
	for p := range k.processes {
		child := childCommand(k.t, k.sink, path, strconv.Itoa(k.size), fmt.Sprintf("%d-%d", round, p))
		stdout, err := child.StdoutPipe()
		require.NoError(k.t, err)
		require.NoError(k.t, child.Start())
		processes.Go(func() {
			killAfter := 1 + rand.IntN(12)
			acks := bufio.NewScanner(stdout)
			for n := 1; acks.Scan(); n++ {
				mu.Lock()
				acked[acks.Text()] = true
				mu.Unlock()
				if n == killAfter {
					assert.NoError(k.t, child.Process.Kill())
				}
			}
			assert.NoError(k.t, acks.Err())
			assert.EqualError(k.t, child.Wait(), "signal: killed")
		})
	}
	processes.Wait()
	return acked
}

// emitUntilKilled is the process that is killed: in a child it does not return.
func emitUntilKilled() {
	words := childWords()
	if words == nil {
		return
	}
	kind, path, id := words[0], words[1], words[3]
	size, _ := strconv.Atoi(words[2])
	sink, err := openKind(kind, path, size)
	record := sizedSpan(id+"-0000", size)
	for i := 0; err == nil; i++ {
		record.SpanID = fmt.Sprintf("%s-%04d", id, i)
		if err = sink.Emit(context.Background(), record); err == nil {
			_, err = io.WriteString(os.Stdout, record.SpanID+"\n")
		}
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func openKind(kind, path string, size int) (clipspan.Sink, error) {
	switch kind {
	case "plain":
		return openPlain(path, size)
	case "shared":
		return clipspan.OpenJSONL(path, clipspan.Shared())
	default:
		return clipspan.OpenJSONL(path)
	}
}

// openPlain is a sink as people write it. Most of the line is ready beforehand,
// so that the process spends its time, and dies, in write(2).
func openPlain(path string, size int) (clipspan.Sink, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	padding := bytes.Repeat([]byte("x"), size)
	return clipspan.SinkFunc(func(_ context.Context, r clipspan.Record) error {
		line := fmt.Appendf(nil, `{"span_id":"%s","injected_preview":"`, r.(*clipspan.Span).SpanID)
		line = append(line, padding[:size-len(line)-3]...)
		_, err := f.Write(append(line, "\"}\n"...))
		return err
	}), err
}
