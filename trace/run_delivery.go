package trace

import (
	"cmp"
	"slices"

	"github.com/clipspan/clipspan"
)

// conversation is what the turns of one conversation of a run have in common.
type conversation struct {
	name  word
	turns []*turn // in their order

	// The latest of the turns whose request body was read.
	lastSeq        int64
	last           place
	lastUnnumbered place // … of those without seq
}

// sight is a result that the model could see.
type sight struct {
	conversation *conversation
	span         uint32
	group        uint32
	call         uint64 // hash of the id in callText, 0 = absent
	callText     string
	delivery     *delivery // the first one
	from, to     *turn     // to is the last turn before gone
	gone         *turn
	late         bool // gone still carried it, but not whole
}

// judgeDeliveries compares what the turns of a group delivered with its spans.
func (r *run) judgeDeliveries(g *group) {
	if len(g.turns) == 0 {
		return
	}
	g.turnByRef, g.notVisible, g.strayCalls = map[uint64]*turn{}, map[uint64]bool{}, map[uint64]bool{}
	g.conversations = map[word]*conversation{}
	var order []*conversation
	for _, t := range g.turns {
		c := g.conversations[t.conversation]
		if c == nil {
			c = &conversation{name: t.conversation}
			g.conversations[t.conversation] = c
			order = append(order, c)
		}
		c.add(t)
		if t.ref != 0 && g.turnByRef[t.ref] == nil {
			g.turnByRef[t.ref] = t
		}
		if t.results != nil {
			for _, call := range t.results.notVisible {
				g.notVisible[call] = true
			}
		}
	}
	for _, c := range order {
		c.sortTurns()
		r.judgeConversation(g, c)
	}
}

// sortTurns brings the turns into their order. Where only some have a seq, one
// without stands right behind that one with a seq that precedes it by line: by
// line and by seq in turns would be no order at all.
func (c *conversation) sortTurns() {
	if len(c.turns) == 1 {
		return
	}
	slices.SortStableFunc(c.turns, func(a, b *turn) int { return a.compare(b.place) })
	ordinals := map[*turn]int64{}
	last := int64(0)
	for _, t := range c.turns {
		if t.seq > 0 {
			last = t.seq
		} else if last > 0 {
			ordinals[t] = last
		}
	}
	ordinal := func(t *turn) int64 { return max(t.seq, ordinals[t]) }
	slices.SortStableFunc(c.turns, func(a, b *turn) int { return cmp.Compare(ordinal(a), ordinal(b)) })
}

// journey is what is known of a conversation's results while its turns are gone
// through in their order.
type journey struct {
	group        *group
	conversation *conversation
	spans        map[uint32]*sight   // by span
	calls        map[uint64][]*sight // by call, those that are not known to be gone
	before       *turn
}

// judgeConversation follows every result through the requests of a conversation.
// Only the first delivery of a span is compared with it: a later one that is
// shorter or different is a late clip, told like an eviction. A call id is no
// measure: it may come only later, and two spans that share one are two results.
func (r *run) judgeConversation(g *group, c *conversation) {
	j := &journey{group: g, conversation: c, spans: map[uint32]*sight{}, calls: map[uint64][]*sight{}}
	for _, t := range c.turns {
		if t.results != nil {
			r.followTurn(j, t)
		}
		j.before = t
	}
}

func (r *run) followTurn(j *journey, t *turn) {
	for _, call := range t.results.evicted {
		for _, s := range j.calls[call] {
			if s.gone == nil {
				s.gone, s.to = t, j.before
			}
		}
		delete(j.calls, call)
	}
	for _, call := range t.results.stray {
		j.group.stray(t, call)
	}
	for i := range t.results.delivered {
		r.follow(j, t, &t.results.delivered[i])
	}
}

// stray takes a delivery into account that names no span there is.
func (g *group) stray(t *turn, call uint64) {
	t.worsen(clipspan.VerdictIncomplete, detailNoSpan)
	if call != 0 {
		g.strayCalls[call] = true
	}
}

// follow takes one delivery of a turn into account.
func (r *run) follow(j *journey, t *turn, d *delivery) {
	span, found := r.span(t.group, d.span())
	if !found {
		j.group.stray(t, d.call)
		return
	}
	e := r.entries.at(span)
	e.mark(flagDelivered)
	s := j.spans[span]
	switch {
	case s == nil:
		r.compare(e, d)
		t.countTokens(e, d)
		if call := r.repeated[callKey{t.group, e.call}]; call != nil {
			call.delivered = append(call.delivered, callDelivery{span, j.conversation})
		}
	case s.gone == nil:
		if s.from != t && !d.sameAs(s.delivery) {
			s.gone, s.to, s.late = t, j.before, true
		}
		j.name(s, d)
		return
	}
	s = &sight{conversation: j.conversation, span: span, group: t.group, delivery: d, from: t}
	j.spans[span] = s
	j.name(s, d)
	r.sights = append(r.sights, s)
}

// name notes the call id of a result, under which it may be evicted. A delivery
// may name it that is not the first one.
func (j *journey) name(s *sight, d *delivery) {
	if d.call != 0 && d.call != s.call {
		s.call, s.callText = d.call, d.callText
		j.calls[d.call] = append(j.calls[d.call], s)
	}
}

// sameAs reports whether d carries what an earlier delivery of the call did.
func (d *delivery) sameAs(first *delivery) bool {
	if d.counted && first.counted && d.bytes != first.bytes {
		return false
	}
	return d.digits == 0 || first.digits == 0 || d.scheme != first.scheme || d.hash().equal(first.hash())
}

// compare judges a span by what its first delivery carried. Hashes of different
// schemes can't be compared: the lengths have to do.
func (r *run) compare(e *entry, d *delivery) {
	bytesKnown := d.counted && e.is(flagInjected)
	hashes := e.injectedDigits != 0 && d.digits != 0
	comparable := hashes && r.classes[e.class].scheme == d.scheme
	switch {
	case bytesKnown && d.bytes < e.injected:
		e.worsen(clipspan.VerdictSilentClip, detailWire)
	case bytesKnown && d.bytes > e.injected, comparable && !d.hash().equal(e.digest()):
		e.worsen(clipspan.VerdictHashMismatch, detailWire)
	case comparable, hashes && bytesKnown:
		e.mark(flagVerified)
	}
}

// judgeUndelivered finds spans that a later request of their conversation should
// have carried and none did (RECORDS, Verdict of a run: not_delivered).
func (r *run) judgeUndelivered() {
	parents := map[callKey]bool{} // of spans whose parent is no turn: whether it is a span
	var suspects []uint32
	for i := range uint32(r.entries.n) {
		e := r.entries.at(i)
		g := &r.groups[r.groupOf(e)]
		if len(g.conversations) == 0 || e.flags&(flagDelivered|flagSuperseded) != 0 || g.strayCalls[e.call] {
			continue
		}
		if g.turnByRef[e.parent] == nil && e.parent != 0 {
			parents[callKey{r.groupOf(e), e.parent}] = false
		}
		suspects = append(suspects, i)
	}
	r.findSpans(parents)
	for _, i := range suspects {
		e := r.entries.at(i)
		g := &r.groups[r.groupOf(e)]
		c := g.conversationOf(e)
		if c == nil || parents[callKey{r.groupOf(e), e.parent}] || !c.wentOn(e.seq, r.placeOf(i)) {
			continue
		}
		if g.notVisible[e.call] {
			r.notes = append(r.notes, note{r.placeOf(i), r.groupOf(e), r.idText(e), "", "unproven: server-side state may have carried this result unseen"})
			continue
		}
		e.worsen(clipspan.VerdictIncomplete, detailNotDelivered)
	}
}

// findSpans says which of ids, by their hashes, are spans. The children of a
// sub-agent's span belong to the sub-agent's conversation, which nobody may have
// seen.
func (r *run) findSpans(ids map[callKey]bool) {
	if len(ids) == 0 {
		return
	}
	for i := range uint32(r.entries.n) {
		e := r.entries.at(i)
		key := callKey{r.groupOf(e), r.seeds.ref([]byte(r.idText(e)))}
		if _, asked := ids[key]; asked {
			ids[key] = true
		}
	}
}

// conversationOf is that of the turn named by a span's parent, else the run's
// only one, else nil.
func (g *group) conversationOf(e *entry) *conversation {
	if t := g.turnByRef[e.parent]; t != nil {
		return g.conversations[t.conversation]
	}
	if len(g.conversations) == 1 {
		for _, c := range g.conversations {
			return c
		}
	}
	return nil
}

func (c *conversation) add(t *turn) {
	c.turns = append(c.turns, t)
	if !t.read {
		return
	}
	c.lastSeq = max(c.lastSeq, t.seq)
	c.last = latest(c.last, t.place)
	if t.seq == 0 {
		c.lastUnnumbered = latest(c.lastUnnumbered, t.place)
	}
}

func latest(a, b place) place {
	if a.compare(b) > 0 {
		return a
	}
	return b
}

// wentOn reports whether a request whose body was read comes later than a record.
func (c *conversation) wentOn(seq int64, at place) bool {
	if seq > 0 {
		return c.lastSeq > seq || c.lastUnnumbered.compare(at) > 0
	}
	return c.last.compare(at) > 0
}
