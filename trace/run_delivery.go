package trace

import (
	"slices"

	"github.com/clipspan/clipspan"
)

// conversation is what the turns of one conversation of a run have in common.
type conversation struct {
	name  string
	turns []*turn // in their order
	// delivered has, by the hash of a call id that stands on several spans, the
	// spans that were delivered.
	delivered map[uint64][]uint32

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
	callText     string
	delivery     *delivery // the first one
	from, to     *turn     // to is the last turn before gone
	gone         *turn
	late         bool // gone still carried it, but not whole
}

// sightKey is what a result is known by in a conversation: its call, else its span.
type sightKey struct {
	call uint64
	span id
}

func (d *delivery) key() sightKey {
	if d.call != 0 {
		return sightKey{call: d.call}
	}
	return sightKey{span: d.span}
}

// judgeDeliveries compares what the turns of a group delivered with its spans.
func (r *run) judgeDeliveries(g *group) {
	if len(g.turns) == 0 {
		return
	}
	g.turnByRef, g.notVisible, g.strayCalls = map[uint64]*turn{}, map[uint64]bool{}, map[uint64]bool{}
	g.conversations = map[string]*conversation{}
	var order []*conversation
	for _, t := range g.turns {
		c := g.conversations[t.conversation]
		if c == nil {
			c = &conversation{name: t.conversation, delivered: map[uint64][]uint32{}}
			g.conversations[t.conversation] = c
			order = append(order, c)
		}
		c.add(t)
		if t.ref != 0 && g.turnByRef[t.ref] == nil {
			g.turnByRef[t.ref] = t
		}
		for _, call := range t.notVisible {
			g.notVisible[call] = true
		}
	}
	for _, c := range order {
		slices.SortStableFunc(c.turns, compareTurns)
		r.judgeConversation(g, c)
	}
}

func compareTurns(a, b *turn) int {
	switch {
	case later(a.seq, a.place, b.seq, b.place):
		return 1
	case later(b.seq, b.place, a.seq, a.place):
		return -1
	default:
		return 0
	}
}

// judgeConversation follows every result through the requests of a conversation.
// Only the first delivery of a call is compared with its span: a later one that
// is shorter or different is a late clip, told like an eviction.
func (r *run) judgeConversation(g *group, c *conversation) {
	seen := map[sightKey]*sight{}
	var before *turn
	for _, t := range c.turns {
		for i := range t.delivered {
			r.follow(g, c, seen, before, t, &t.delivered[i])
		}
		for _, call := range t.evicted {
			if s := seen[sightKey{call: call}]; s != nil && s.gone == nil && s.from != t {
				s.gone, s.to = t, before
			}
		}
		before = t
	}
}

// follow takes one delivery of a turn into account.
func (r *run) follow(g *group, c *conversation, seen map[sightKey]*sight, before, t *turn, d *delivery) {
	span, found := r.span(t.group, d.span)
	if !found {
		t.worsen(clipspan.VerdictIncomplete, detailNoSpan)
		g.strayCalls[d.call] = true
		return
	}
	e := r.entries.at(span)
	e.mark(flagDelivered)
	switch s := seen[d.key()]; {
	case s == nil:
		r.compare(e, d)
		t.countTokens(e, d)
	case s.gone == nil && s.span == span:
		if s.from != t && !d.sameAs(s.delivery) {
			s.gone, s.to, s.late = t, before, true
		}
		return
	}
	s := &sight{conversation: c, span: span, group: t.group, callText: d.callText, delivery: d, from: t}
	seen[d.key()] = s
	r.sights = append(r.sights, s)
	if r.repeated[callKey{t.group, e.call}] != nil {
		c.delivered[e.call] = append(c.delivered[e.call], span)
	}
}

// sameAs reports whether d carries what an earlier delivery of the call did.
func (d *delivery) sameAs(first *delivery) bool {
	if d.bytes.Known() && first.bytes.Known() && d.bytes != first.bytes {
		return false
	}
	return d.hash.digits == 0 || first.hash.digits == 0 || d.scheme != first.scheme || d.hash.equal(first.hash)
}

// compare judges a span by what its first delivery carried. Hashes of different
// schemes can't be compared: the lengths have to do.
func (r *run) compare(e *entry, d *delivery) {
	bytes, bytesKnown := d.bytes.Value()
	bytesKnown = bytesKnown && e.is(flagInjected)
	hashes := e.injectedDigits != 0 && d.hash.digits != 0
	comparable := hashes && r.words.text(r.classes[e.class].scheme) == d.scheme
	switch {
	case bytesKnown && bytes < e.injected:
		e.worsen(clipspan.VerdictSilentClip, detailWire)
	case bytesKnown && bytes > e.injected, comparable && !d.hash.equal(e.digest()):
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
