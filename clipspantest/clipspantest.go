// Package clipspantest helps to test programs that record spans.
//
// A [Recorder] is a sink that keeps what it is given, and [New] gives a test one
// behind an emitter with fixed ids and a fixed clock. [AssertClip] asserts what
// one span says and how it is judged, [AssertTrusted] that a whole run can be
// relied upon. [Normalize] takes out what differs from run to run, for golden
// files. Whoever writes a sink or a prompt builder runs [RunSink] or
// [RunBuilder] on it.
package clipspantest

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/clipspan/clipspan"
)

// New begins a run for a test: an emitter, and the recorder of its records. The
// run is the same every time: its id is run-1, its records are id-1, id-2 and so
// on, its clock moves on by a millisecond whenever it is read, and four bytes are
// taken for a token, which is an estimate. Options change any of that.
// If the test fails, its records are logged.
func New(t testing.TB, opts ...clipspan.Option) (*clipspan.Emitter, *Recorder) {
	t.Helper()
	rec := &Recorder{}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("recorded:\n%s", JSONL(rec.Records()...))
		}
	})
	var ids, readings atomic.Int64
	fixed := []clipspan.Option{
		clipspan.WithDeadline(patience),
		clipspan.WithRunID("run-1"),
		clipspan.WithIDs(func() string { return fmt.Sprintf("id-%d", ids.Add(1)) }),
		clipspan.WithClock(func() time.Time {
			return startOfTime.Add(time.Duration(readings.Add(1)) * time.Millisecond)
		}),
	}
	return clipspan.NewEmitter(rec, fourBytes{}, append(fixed, opts...)...), rec
}

// patience is how long sinks and counters under test may take: on a busy machine a
// deadline that is right for production would fail tests now and then.
const patience = time.Minute

var startOfTime = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// fourBytes counts a token for every four bytes. It calls that an estimate, so
// that no verdict rests on it.
type fourBytes struct{}

func (fourBytes) CountTokens(_ context.Context, text string) (int64, error) {
	return int64(len(text)+3) / 4, nil
}

func (fourBytes) Source() clipspan.TokenSource { return clipspan.TokensEstimated }
