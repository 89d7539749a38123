package trace

import "github.com/clipspan/clipspan"

// judgeRepeatedSpans finds spans whose id stands on several records of a group
// and leaves one that counts (RECORDS, Verdict of a run: same span_id twice).
func (r *run) judgeRepeatedSpans() {
	repeated := map[uint32][]uint32{} // by the first record
	for i := range uint32(r.entries.n) {
		e := r.entries.at(i)
		id, group := e.id(), r.groupOf(e)
		if id.form == idNone {
			continue
		}
		slot := r.spans.slot(id.hash(group), r.isSpan(group, id))
		if *slot == 0 {
			*slot = i + 1
			continue
		}
		first := *slot - 1
		repeated[first] = append(repeated[first], i)
	}
	for first, others := range repeated {
		e := r.entries.at(first)
		slot := r.spans.slot(e.id().hash(r.groupOf(e)), r.isSpan(r.groupOf(e), e.id()))
		*slot = r.judgeRepeatedSpan(append([]uint32{first}, others...)) + 1
	}
}

// judgeRepeatedSpan marks all records of one span but the one that counts, and
// returns that.
func (r *run) judgeRepeatedSpan(records []uint32) uint32 {
	var finals, partials []uint32
	seen := map[uint64]bool{}
	for _, i := range records {
		e := r.entries.at(i)
		e.mark(flagSuperseded)
		switch {
		case seen[e.content]: // the same record apart from seq
		case e.is(flagFinal):
			finals = append(finals, i)
		default:
			partials = append(partials, i)
		}
		seen[e.content] = true
	}
	counts := r.latest(partials)
	if len(finals) > 0 {
		counts = r.worst(finals)
	}
	e := r.entries.at(counts)
	e.flags &^= flagSuperseded
	if len(finals) > 1 {
		e.worsen(clipspan.VerdictHashMismatch, detailConflict)
	}
	return counts
}

func (r *run) latest(records []uint32) (latest uint32) {
	for n, i := range records {
		if n == 0 || later(r.entries.at(i).seq, r.placeOf(i), r.entries.at(latest).seq, r.placeOf(latest)) {
			latest = i
		}
	}
	return latest
}

// worst is the record with the worst verdict, the first of several.
func (r *run) worst(records []uint32) (worst uint32) {
	for n, i := range records {
		if n == 0 || r.entries.at(i).verdict < r.entries.at(worst).verdict {
			worst = i
		}
	}
	return worst
}
