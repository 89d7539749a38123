package trace

import "github.com/clipspan/clipspan"

// A tool call id names one result: two spans that have it, and different
// injected hashes, can't both be right (RECORDS, Verdict of a run: same
// tool_call_id). Agents number their calls anew in every turn or sub-agent, so
// the rule holds only among spans of one parent, or delivered in one conversation.

// callKey is a tool call id within a group.
type callKey struct {
	group uint32
	call  uint64
}

// findRepeatedCalls finds the call ids that stand on several records. It borrows
// the index of spans before that is filled.
func (r *run) findRepeatedCalls() {
	r.repeated = map[callKey][]uint32{}
	for i := range uint32(r.entries.n) {
		e := r.entries.at(i)
		if e.call == 0 {
			continue
		}
		key := callKey{r.groupOf(e), e.call}
		slot := r.spans.slot(key.call*0x9e3779b97f4a7c15, func(j uint32) bool {
			other := r.entries.at(j)
			return other.call == key.call && r.groupOf(other) == key.group
		})
		if *slot == 0 {
			*slot = i + 1
			continue
		}
		if r.repeated[key] == nil {
			r.repeated[key] = []uint32{*slot - 1}
		}
		r.repeated[key] = append(r.repeated[key], i)
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
	for key, records := range r.repeated {
		conversations := r.conversationsOf(key)
		uses := map[callUse][]uint32{}
		for _, i := range records {
			e := r.entries.at(i)
			if e.is(flagSuperseded) || e.injectedDigits == 0 {
				continue
			}
			scheme := r.classes[e.class].scheme
			if e.parent != 0 {
				use := callUse{parent: e.parent, scheme: scheme}
				uses[use] = append(uses[use], i)
			}
			for _, c := range conversations[i] {
				use := callUse{conversation: c, scheme: scheme}
				uses[use] = append(uses[use], i)
			}
		}
		for _, spans := range uses {
			r.judgeRepeatedCall(spans)
		}
	}
}

// judgeRepeatedCall judges spans that must have one injected text.
func (r *run) judgeRepeatedCall(spans []uint32) {
	differ := false
	for _, i := range spans[1:] {
		differ = differ || !r.entries.at(i).digest().equal(r.entries.at(spans[0]).digest())
	}
	if !differ {
		return
	}
	for _, i := range spans {
		r.entries.at(i).worsen(clipspan.VerdictHashMismatch, detailDuplicateCall)
	}
}

// conversationsOf tells in which conversations the spans of a call were delivered.
func (r *run) conversationsOf(key callKey) map[uint32][]*conversation {
	found := map[uint32][]*conversation{}
	for _, c := range r.groups[key.group].conversations {
		for _, i := range c.delivered[key.call] {
			found[i] = append(found[i], c)
		}
	}
	return found
}
