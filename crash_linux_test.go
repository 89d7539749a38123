package clipspan_test

import (
	"bufio"
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
			assert.Empty(t, k.lost(scale(3, 250)), "records of %d bytes", size)
		}
	})
	t.Run("four processes a file", func(t *testing.T) {
		for _, size := range sizes {
			k := killer{t: t, sink: "shared", size: size, processes: 4}
			assert.Empty(t, k.lost(scale(1, 62)), "records of %d bytes", size)
		}
	})
}

// The counter-example, which shows that the test above can fail. It needs many
// rounds: the kill has to come within a write.
func TestKillingTheProcessLosesAcknowledgedRecordsOfAPlainAppend(t *testing.T) {
	emitUntilKilled()
	if !*full {
		return // TestAFullDisk has a counter-example that needs no luck
	}
	k := killer{t: t, sink: "plain", size: 16_000, processes: 1}
	lost := k.lost(1000)
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
const roundsPerFile = 20

// lost returns the acknowledged records that are not in the file after so many
// rounds.
func (k killer) lost(rounds int) (lost []string) {
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
	sink, err := openKind(kind, path)
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
