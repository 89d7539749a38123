package trace

import "math"

// group is what is judged together: the records of a run, or those of one file
// that name no run.
type group struct {
	runID string
	file  int // of its first record
	seqs  seqSet
	unfit unfit

	// What the rules of a run gather.
	number        uint32 // of the group
	spans         int    // distinct ones
	turns         []*turn
	gaps          []*gap
	ends          []*runEnd
	conversations map[word]*conversation // by name; nil without turns
	turnByRef     map[uint64]*turn
	notVisible    map[uint64]bool // calls that server-side state may carry
	strayCalls    map[uint64]bool // calls that were delivered under no known span
}

// unfit are the records of a group whose seq is no position.
type unfit struct {
	n     int
	first place
}

const noGroup = math.MaxUint32

// merger takes over the batches of one file, in their order.
type merger struct {
	c       *Checker
	file    int
	lines   uint32   // in the batches before
	unnamed uint32   // the group of the file's records without a run id
	classes []uint32 // of the batch's classes, which ones they are
	told    int      // damaged lines that are told one by one
	untold  untold
}

func (m *merger) merge(b *batch) {
	c := m.c
	before := c.tally()
	m.classes = m.classes[:0]
	for _, class := range b.classes {
		m.classes = append(m.classes, m.class(b, class))
	}
	for _, l := range b.long {
		c.long[l.id] = l.text
	}
	for i := range b.entries {
		e := &b.entries[i]
		e.line += m.lines
		e.class = m.classes[e.class]
		c.entries.add(e)
		c.groups[c.classes[e.class].group].seqs.add(e.seq)
	}
	for i := range b.turns {
		m.mergeTurn(b, &b.turns[i])
	}
	for i := range b.gaps {
		g := &b.gaps[i]
		g.place, g.group = m.place(g.place), m.group(b, g.group)
		if c.first(g.group, g.seq, g.content) {
			c.gaps.add(g)
		}
	}
	for i := range b.ends {
		e := &b.ends[i]
		e.place, e.group = m.place(e.place), m.group(b, e.group)
		if c.first(e.group, e.seq, e.content) {
			c.ends.add(e)
		}
	}
	for _, u := range b.unfit {
		c.groups[m.group(b, u.group)].unfit.add(m.place(place{line: u.line}))
	}
	m.mergeDamage(b)
	c.other += b.other
	m.lines += uint32(b.lines)
	c.tellLive(before)
}

func (m *merger) mergeTurn(b *batch, t *turn) {
	c := m.c
	t.place, t.group = m.place(t.place), m.group(b, t.group)
	if !c.first(t.group, t.seq, t.content) {
		return
	}
	t.conversation, t.model = m.word(b, t.conversation), m.word(b, t.model)
	if t.results != nil {
		for i := range t.results.delivered {
			d := &t.results.delivered[i]
			d.scheme = m.word(b, d.scheme)
		}
	}
	c.turns.add(t)
}

// first takes the position of a record that is no span, and reports whether it is
// the first such record: what stands twice, as when a file was given twice,
// counts once.
func (c *Checker) first(group uint32, seq int64, content uint64) bool {
	identity := mix(content^uint64(group)<<32, uint64(seq)^c.salt)
	if _, again := c.seen[identity]; again {
		return false
	}
	c.seen[identity] = struct{}{}
	c.groups[group].seqs.add(seq)
	return true
}

func (u *unfit) add(at place) {
	if u.n == 0 {
		u.first = at
	}
	u.n++
}

// place is where a record of the batch stands in its file.
func (m *merger) place(p place) place { return place{m.file, p.line + m.lines} }

// word is the checker's word for one of a batch.
func (m *merger) word(b *batch, w word) word { return m.c.words.ofString(b.words.text(w)) }

// class is the checker's class for one of a batch.
func (m *merger) class(b *batch, of class) uint32 {
	c := m.c
	of.group = m.group(b, of.group)
	of.name, of.version = m.word(b, of.name), m.word(b, of.version)
	of.text, of.scheme = m.word(b, of.text), m.word(b, of.scheme)
	i, known := c.classOf[of]
	if !known {
		i = uint32(len(c.classes))
		c.classes = append(c.classes, of)
		c.classOf[of] = i
	}
	return i
}

// group is the group of a record whose run is a word of the batch.
func (m *merger) group(b *batch, run uint32) uint32 {
	runID := b.words.text(word(run))
	if runID == "" {
		if m.unnamed == noGroup {
			m.unnamed = m.c.newGroup(runID, m.file)
		}
		return m.unnamed
	}
	g, known := m.c.groupOf[runID]
	if !known {
		g = m.c.newGroup(runID, m.file)
		m.c.groupOf[runID] = g
	}
	return g
}

func (c *Checker) newGroup(runID string, file int) uint32 {
	g := group{number: uint32(len(c.groups)), runID: runID, file: file}
	c.groups = append(c.groups, g)
	return g.number
}
