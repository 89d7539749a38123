package trace

import (
	"slices"

	"github.com/clipspan/clipspan"
)

// A tool call id names one result: two spans that have it, and different
// injected hashes, can't both be right (RECORDS, Verdict of a run: same
// tool_call_id). Agents number their calls anew in every turn or sub-agent, so
// the rule holds only among spans of one parent, or delivered in one conversation.

// callKey is a tool call id within a group.
type callKey struct {
	group uint32
	call  uint64
}

// repeatedCall is a call id that stands on several records.
type repeatedCall struct {
	records   []uint32
	delivered []callDelivery
}

// callDelivery is a conversation in which a span was delivered.
type callDelivery struct {
	span         uint32
	conversation *conversation
}

// findRepeatedCalls finds the call ids that stand on several records. It borrows
// the index of spans before that is filled.
func (r *run) findRepeatedCalls() {
	r.repeated = map[callKey]*repeatedCall{}
	for i := range uint32(r.entries.n) {
		e := r.entries.at(i)
		if e.call == 0 {
			continue
		}
		key := callKey{r.groupOf(e), e.call}
		slot := r.spans.slot(mix(key.call, uint64(key.group)^r.salt), func(j uint32) bool {
			other := r.entries.at(j)
			return other.call == key.call && r.groupOf(other) == key.group
		})
		if *slot == 0 {
			*slot = i + 1
			continue
		}
		if r.repeated[key] == nil {
			r.repeated[key] = &repeatedCall{records: []uint32{*slot - 1}}
		}
		r.repeated[key].records = append(r.repeated[key].records, i)
	}
	clear(r.spans.slots)
}

// callUse is within what a call id must be unique, and comparable.
type callUse struct {
	parent       uint64 // a parent, or
	conversation *conversation
	scheme       word
}

// judgeRepeatedCalls applies the rule to every call id that stands on several
// records.
func (r *run) judgeRepeatedCalls() {
	for _, call := range r.repeated {
		uses := map[callUse][]uint32{}
		add := func(i uint32, use callUse) {
			e := r.entries.at(i)
			if !e.is(flagSuperseded) && e.injectedDigits != 0 {
				use.scheme = r.classes[e.class].scheme
				uses[use] = append(uses[use], i)
			}
		}
		for _, i := range call.records {
			if parent := r.entries.at(i).parent; parent != 0 {
				add(i, callUse{parent: parent})
			}
		}
		for _, d := range call.delivered {
			add(d.span, callUse{conversation: d.conversation})
		}
		for _, spans := range uses {
			r.judgeRepeatedCall(spans)
		}
	}
}

// judgeRepeatedCall judges spans that must have one injected text. All are held
// against the longest hash: two that begin a third one need not be told apart.
func (r *run) judgeRepeatedCall(spans []uint32) {
	longest := r.entries.at(spans[0]).digest()
	for _, i := range spans {
		if hash := r.entries.at(i).digest(); hash.digits > longest.digits {
			longest = hash
		}
	}
	same := func(i uint32) bool { return r.entries.at(i).digest().equal(longest) }
	if !slices.ContainsFunc(spans, func(i uint32) bool { return !same(i) }) {
		return
	}
	for _, i := range spans {
		r.entries.at(i).worsen(clipspan.VerdictHashMismatch, detailDuplicateCall)
	}
}
