package trace

import (
	"fmt"

	"github.com/clipspan/clipspan"
)

// judgeSeqs finds positions of a run at which no record stands. A hole that a gap
// record names is told once, by the gap.
func (r *run) judgeSeqs(g *group) {
	g.seqs.settle()
	ranges := append([]seqRange(nil), g.seqs.ranges...)
	for _, gap := range g.gaps {
		if named, ok := gap.named(); ok {
			ranges = append(ranges, named)
		}
	}
	for _, hole := range holes(ranges) {
		r.damageRun(g, DamageSeqHole, hole.String()+" missing")
	}
}

// noteUnfit tells once of a group that records of it have a seq that is no
// position. They are judged like those that have none.
func (r *run) noteUnfit(g *group) {
	if g.unfit.n == 0 {
		return
	}
	text := "seq is no position in the run, a whole number from 1"
	if more := g.unfit.n - 1; more > 0 {
		text += fmt.Sprintf("; neither is that of %d more", more)
	}
	r.notes = append(r.notes, note{place: g.unfit.first, group: g.number, text: text})
}

func (r seqRange) String() string {
	if r.from == r.to {
		return fmt.Sprintf("record %d is", r.from)
	}
	return fmt.Sprintf("records %d to %d are", r.from, r.to)
}

// position is a position of a run that several records claim.
type position struct {
	group uint32
	seq   int64
}

// claim is one of them.
type claim struct {
	place
	content uint64
}

// judgeSeqsTwice finds different records of a run that have one position. The
// same record may stand in two files.
func (r *run) judgeSeqsTwice() {
	claims := map[position][]claim{}
	for g := range r.groups {
		for _, seq := range r.groups[g].seqs.twice {
			claims[position{uint32(g), seq}] = nil
		}
	}
	if len(claims) == 0 {
		return
	}
	add := func(group uint32, seq int64, c claim) {
		at := position{group, seq}
		if before, twice := claims[at]; twice {
			claims[at] = append(before, c)
		}
	}
	for i := range uint32(r.entries.n) {
		e := r.entries.at(i)
		add(r.groupOf(e), e.seq, claim{r.placeOf(i), e.content})
	}
	for g := range r.groups {
		for _, t := range r.groups[g].turns {
			add(t.group, t.seq, claim{t.place, t.content})
		}
		for _, gap := range r.groups[g].gaps {
			add(gap.group, gap.seq, claim{gap.place, gap.content})
		}
		for _, e := range r.groups[g].ends {
			add(e.group, e.seq, claim{e.place, e.content})
		}
	}
	for at, list := range claims {
		r.judgeSeqTwice(at, list)
	}
}

func (r *run) judgeSeqTwice(at position, claims []claim) {
	first := claims[0]
	for _, c := range claims {
		if c.compare(first.place) < 0 {
			first = c
		}
	}
	told := map[uint64]bool{first.content: true}
	for _, c := range claims {
		if told[c.content] {
			continue
		}
		told[c.content] = true
		r.damage = append(r.damage, damaged{
			place: c.place, runID: r.groups[at.group].runID, damage: DamageSeqTwice,
			detail: fmt.Sprintf("record %d is another one at %s:%d", at.seq, r.files[first.file], first.line),
		})
	}
}

// named is the range of records that the gap says were lost, if it says.
func (g *gap) named() (seqRange, bool) {
	from, fromKnown := g.from.Value()
	to, toKnown := g.to.Value()
	return seqRange{from, to}, fromKnown && toKnown && 0 < from && from <= to
}

// lost is how many records the gap says were lost.
func (g *gap) lost() int64 {
	named, ok := g.named()
	switch {
	case g.count.Known() || !ok:
		return g.count.Or(0)
	default:
		return named.to - named.from + 1
	}
}

// judgeGaps makes damage of every gap whose records are not all there after all:
// a write that was given up may still have landed.
func (r *run) judgeGaps(g *group) {
	for _, gap := range g.gaps {
		named, ok := gap.named()
		lost := gap.lost()
		detail := fmt.Sprintf("%d records lost", lost)
		if ok {
			detail = fmt.Sprintf("%d of records %d to %d lost", lost, named.from, named.to)
		}
		switch {
		case ok && lost <= named.to-named.from+1 && !gap.count.Invalid() && g.seqs.covers(named),
			!ok && gap.count == clipspan.Known(0):
			r.notes = append(r.notes, note{gap.place, gap.group, "", "", "gap: " + detail + ", and found"})
		default:
			r.damage = append(r.damage, damaged{place: gap.place, runID: g.runID, damage: DamageGap, detail: detail})
		}
	}
}

// countSpans counts the distinct spans of every group.
func (r *run) countSpans() {
	for i := range uint32(r.entries.n) {
		if e := r.entries.at(i); !e.is(flagSuperseded) {
			r.groups[r.groupOf(e)].spans++
		}
	}
}

// judgeEnds compares what the writer counted with what was read. Records that it
// gave up and told of in a gap may have landed: that is a note.
func (r *run) judgeEnds(g *group) {
	if len(g.ends) == 0 {
		r.judgeMissingEnd(g)
	}
	var lost int64
	for _, gap := range g.gaps {
		lost += gap.lost()
	}
	for _, end := range g.ends {
		fewer, more := end.compare(g)
		switch {
		case fewer || more > lost:
			r.damage = append(r.damage, damaged{place: end.place, runID: g.runID, damage: DamageRunEnd, detail: end.difference(g)})
		case more > 0:
			r.notes = append(r.notes, note{end.place, end.group, "", "", "run_end: " + end.difference(g) + ", as many as were given up"})
		}
	}
}

// compare reports whether fewer records were read than the writer counted of any
// kind, and how many more. A count that is absent says nothing.
func (e *runEnd) compare(g *group) (fewer bool, more int64) {
	for _, c := range e.counts(g) {
		stated, known := c.stated.Value()
		switch {
		case c.stated.Invalid() || known && c.read < stated:
			fewer = true
		case known:
			more += c.read - stated
		}
	}
	return fewer, more
}

type endCount struct {
	what   string
	stated clipspan.Count
	read   int64
}

func (e *runEnd) counts(g *group) []endCount {
	return []endCount{
		{"spans", e.spans, int64(g.spans)},
		{"turns", e.turns, int64(len(g.turns))},
		{"gaps", e.gapCount, int64(len(g.gaps))},
	}
}

// difference tells the counts that differ.
func (e *runEnd) difference(g *group) (text string) {
	for _, c := range e.counts(g) {
		if c.stated == (clipspan.Count{}) || c.stated == clipspan.Known(c.read) {
			continue
		}
		if text != "" {
			text += ", "
		}
		text += fmt.Sprintf("%s %s counted, %d read", c.what, c.stated, c.read)
	}
	return text
}

func (r *run) judgeMissingEnd(g *group) {
	const text = "no run_end"
	if r.config.requireEnd {
		r.damageRun(g, DamageRunEnd, text)
		return
	}
	r.notes = append(r.notes, note{place{file: g.file}, g.number, "", "", text})
}
