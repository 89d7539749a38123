package trace

import "slices"

// run is the work of judging what a checker holds: every rule of "Verdict of a
// run" is a method of its own, in the file of its subject.
type run struct {
	*Checker
	spans    *index // by group and id
	repeated map[callKey]*repeatedCall
	sights   []*sight
	notes    []note
}

// note is a [Note] in the making.
type note struct {
	place
	group          uint32
	spanID, turnID string
	text           string
}

// judge applies the rules in the order in which they build on one another.
func (c *Checker) judge() *Report {
	r := &run{Checker: c}
	r.gather()
	r.spans = newIndex(r.entries.n)
	r.findRepeatedCalls()
	r.judgeRepeatedSpans()
	for g := range r.groups {
		r.judgeDeliveries(&r.groups[g])
	}
	r.judgeRepeatedCalls()
	r.judgeUndelivered()
	for g := range r.groups {
		r.judgeProvider(&r.groups[g])
		r.judgeSeqs(&r.groups[g])
		r.noteUnfit(&r.groups[g])
	}
	r.judgeSeqsTwice()
	r.countSpans()
	for g := range r.groups {
		r.judgeGaps(&r.groups[g])
		r.judgeEnds(&r.groups[g])
	}
	return r.report()
}

// gather sorts the records that are not spans into their groups.
func (r *run) gather() {
	for i := range uint32(r.Checker.turns.n) {
		t := r.Checker.turns.at(i)
		r.groups[t.group].turns = append(r.groups[t.group].turns, t)
	}
	for i := range uint32(r.gaps.n) {
		g := r.gaps.at(i)
		r.groups[g.group].gaps = append(r.groups[g.group].gaps, g)
	}
	for i := range uint32(r.ends.n) {
		e := r.ends.at(i)
		r.groups[e.group].ends = append(r.groups[e.group].ends, e)
	}
}

// groupOf is the group of an entry.
func (r *run) groupOf(e *entry) uint32 { return r.classes[e.class].group }

// placeOf is where an entry stands: the entries of a file follow one another.
func (c *Checker) placeOf(i uint32) place {
	after, _ := slices.BinarySearchFunc(c.starts, i, func(start, i uint32) int {
		if start > i {
			return 1
		}
		return -1
	})
	return place{after - 1, c.entries.at(i).line}
}

// idText is an entry's id as it was read.
func (c *Checker) idText(e *entry) string {
	if e.idForm == idHashed {
		return c.long[e.id()]
	}
	return e.id().text()
}

// span is the entry that counts for an id.
func (r *run) span(group uint32, id id) (i uint32, found bool) {
	if id.form == idNone {
		return 0, false
	}
	return r.spans.get(id.hash(group), r.isSpan(group, id))
}

// isSpan tells whether an entry is a record of the span.
func (r *run) isSpan(group uint32, id id) func(uint32) bool {
	return func(i uint32) bool {
		e := r.entries.at(i)
		return e.id() == id && r.groupOf(e) == group
	}
}

// note adds a note about a turn.
func (r *run) noteTurn(t *turn, text string) {
	r.notes = append(r.notes, note{place: t.place, group: t.group, turnID: t.id, text: text})
}

// damageRun adds damage of a run that is in no line.
func (r *run) damageRun(g *group, kind Damage, detail string) {
	r.damage = append(r.damage, damaged{place: place{file: g.file}, runID: g.runID, damage: kind, detail: detail})
}
