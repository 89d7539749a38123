package clipspantest

import (
	"fmt"
	"time"

	"github.com/clipspan/clipspan"
)

// Normalize returns copies of the records without what differs from run to run,
// so that two runs, or a run and a golden file, compare equal. Ids become their
// kind and a number, such as span-1 and turn-2, in the order in which the records
// come; equal ids stay equal, so a span still names its parent. Times and
// positions in the run are cleared. Sizes, hashes and texts stay: they are what
// the run is about.
//
// Records of calls that ran in parallel come in any order. Sort them first, by
// name for example.
func Normalize[R clipspan.Record](records ...R) []R {
	names := renamer{}
	copies := make([]R, len(records))
	for i, r := range records {
		copies[i] = clipspan.Clone(r)
		names.announce(copies[i])
	}
	for _, r := range copies {
		names.normalize(r)
	}
	return copies
}

// renamer gives the ids of every kind new names, numbered as they are met.
type renamer map[string]map[string]string

func (n renamer) name(kind, id string) string {
	if id == "" {
		return ""
	}
	if n[kind] == nil {
		n[kind] = map[string]string{}
	}
	name, met := n[kind][id]
	if !met {
		name = fmt.Sprintf("%s-%d", kind, len(n[kind])+1)
		n[kind][id] = name
	}
	return name
}

// announce names a record before others refer to it: a parent is recorded after
// its children.
func (n renamer) announce(r clipspan.Record) {
	switch r := r.(type) {
	case *clipspan.Span:
		n.name("span", r.SpanID)
	case *clipspan.Turn:
		n.name("turn", r.TurnID)
	}
}

func (n renamer) normalize(r clipspan.Record) {
	h := r.Envelope()
	h.RunID, h.Seq = n.name("run", h.RunID), 0
	switch r := r.(type) {
	case *clipspan.Span:
		n.span(r)
	case *clipspan.Turn:
		n.turn(r)
	case *clipspan.Gap:
		r.FromSeq, r.ToSeq = clipspan.Count{}, clipspan.Count{}
	}
}

func (n renamer) span(s *clipspan.Span) {
	s.SpanID = n.name("span", s.SpanID)
	s.ParentID = n.parent(s.ParentID)
	s.ToolCallID = n.name("call", s.ToolCallID)
	s.TraceID = n.name("trace", s.TraceID)
	s.OTelSpanID = n.name("otel", s.OTelSpanID)
	s.StartedAt, s.EndedAt = time.Time{}, time.Time{}
}

// parent names a turn or a span, or something of which there is no record.
func (n renamer) parent(id string) string {
	for _, kind := range []string{"span", "turn"} {
		if name, met := n[kind][id]; met {
			return name
		}
	}
	return n.name("parent", id)
}

func (n renamer) turn(t *clipspan.Turn) {
	t.TurnID = n.name("turn", t.TurnID)
	t.Extends = n.name("turn", t.Extends)
	t.Conversation = n.name("conversation", t.Conversation)
	t.StartedAt, t.EndedAt = time.Time{}, time.Time{}
	for i := range t.Delivered {
		d := &t.Delivered[i]
		d.ToolCallID = n.name("call", d.ToolCallID)
		d.SpanID = n.name("span", d.SpanID)
	}
	for _, calls := range [][]string{t.Evicted, t.NotVisible} {
		for i, id := range calls {
			calls[i] = n.name("call", id)
		}
	}
}
