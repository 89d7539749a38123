package clipspantest

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/clipspan/clipspan"
)

// Recorder is a [clipspan.Sink] that keeps copies of all records in memory. Its
// zero value is ready for use, by many goroutines at once. What its methods
// return are copies too: they belong to the caller.
type Recorder struct {
	mu      sync.Mutex
	records []clipspan.Record
}

// Emit implements [clipspan.Sink]. It never fails.
func (r *Recorder) Emit(_ context.Context, record clipspan.Record) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.records = append(r.records, clipspan.Clone(record))
	return nil
}

// Records are all records, in the order in which they came.
func (r *Recorder) Records() []clipspan.Record {
	r.mu.Lock()
	defer r.mu.Unlock()
	copies := make([]clipspan.Record, len(r.records))
	for i, record := range r.records {
		copies[i] = clipspan.Clone(record)
	}
	return copies
}

// TakeAll returns all records and forgets them.
func (r *Recorder) TakeAll() []clipspan.Record {
	r.mu.Lock()
	defer r.mu.Unlock()
	taken := r.records
	r.records = nil
	return taken
}

// Spans are the tool spans as a checker sees them: a span that was recorded more
// than once counts as RECORDS, Verdict of a run, has it. A final record replaces
// incomplete ones, and equal records count once; final ones that contradict each
// other are all there.
func (r *Recorder) Spans() []*clipspan.Span { return finalView(of[*clipspan.Span](r.Records())) }

// Turns are the model requests, in the order in which they came.
func (r *Recorder) Turns() []*clipspan.Turn { return of[*clipspan.Turn](r.Records()) }

// Span is the one span with this tool name, tool call id or span id. The test
// ends if there is none, or more than one.
func (r *Recorder) Span(t testing.TB, which string) *clipspan.Span {
	t.Helper()
	all := r.Spans()
	var found []*clipspan.Span
	for _, s := range all {
		if which != "" && (which == s.Name || which == s.ToolCallID || which == s.SpanID) {
			found = append(found, s)
		}
	}
	switch {
	case len(found) == 1:
		return found[0]
	case len(found) == 0:
		t.Fatalf("no span has the tool name, tool call id or span id %q; recorded are:%s", which, list(all))
	default:
		t.Fatalf("%d spans have the tool name, tool call id or span id %q:%s", len(found), which, list(found))
	}
	return nil
}

func list(spans []*clipspan.Span) string {
	var b strings.Builder
	for _, s := range spans {
		b.WriteString("\n\t" + title(s))
		if s.ToolCallID != "" {
			b.WriteString(", tool call " + s.ToolCallID)
		}
	}
	if b.Len() == 0 {
		return " none"
	}
	return b.String()
}

// of are the records of one kind.
func of[R clipspan.Record](records []clipspan.Record) (some []R) {
	for _, record := range records {
		if r, ok := record.(R); ok {
			some = append(some, r)
		}
	}
	return some
}

// finalView leaves out what other records of the same span make obsolete.
func finalView(spans []*clipspan.Span) (view []*clipspan.Span) {
	type key struct{ runID, spanID string }
	places := map[key][]int{} // where the records of a span stand in the view
	for _, s := range spans {
		k := key{s.RunID, s.SpanID}
		i := slices.IndexFunc(places[k], func(i int) bool { return oneRecord(s, view[i]) })
		switch {
		case i < 0 || s.SpanID == "":
			places[k] = append(places[k], len(view))
			view = append(view, s)
		case replaces(s, view[places[k][i]]):
			view[places[k][i]] = s
		}
	}
	return view
}

// oneRecord tells whether only one of two records of the same span counts: all
// but final ones that contradict each other.
func oneRecord(a, b *clipspan.Span) bool {
	if !a.Status.Final() || !b.Status.Final() {
		return true
	}
	a, b = clipspan.Clone(a), clipspan.Clone(b)
	a.Seq, b.Seq = 0, 0
	return string(a.AppendJSON(nil)) == string(b.AppendJSON(nil))
}

// replaces tells whether s counts in place of an older record. Later means: by
// position where both have one.
func replaces(s, old *clipspan.Span) bool {
	switch {
	case old.Status.Final():
		return false
	case s.Status.Final():
		return true
	default:
		return s.Seq == 0 || old.Seq == 0 || s.Seq > old.Seq
	}
}
