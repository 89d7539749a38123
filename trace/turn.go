package trace

import "github.com/clipspan/clipspan"

// turn is what a checker remembers of a turn.
type turn struct {
	place
	group   uint32
	seq     int64 // 0 = absent
	content uint64

	id, conversation, model string
	ref, extends            uint64 // hashes of turn ids, 0 = absent

	input     clipspan.Count
	reasoning bool
	declared  bool // it says that the provider dropped input
	read      bool // its request body was read

	delivered           []delivery
	evicted, notVisible []uint64 // hashes of tool call ids

	// What the rules of a run find out.
	repeated  bool  // the same turn stands before it
	tokens    int64 // of the results that it is the first to deliver
	estimated bool  // not all of them counted by a named tokenizer
	verdict   clipspan.Verdict
	details   detailSet
}

// delivery is one result in a request.
type delivery struct {
	span     id
	call     uint64 // hash of the tool call id, 0 = absent
	callText string
	bytes    clipspan.Count
	hash     digest
	scheme   string // of hash
}

// worsen is [entry.worsen] for a turn.
func (t *turn) worsen(v clipspan.Verdict, d detailSet) {
	t.verdict = min(t.verdict, v)
	t.details |= d
}

// later reports whether one record comes later than another: by seq where both
// have one, else by line (RECORDS, Verdict of a run).
func later(seq int64, at place, otherSeq int64, other place) bool {
	if seq > 0 && otherSeq > 0 {
		return seq > otherSeq
	}
	return at.compare(other) > 0
}
