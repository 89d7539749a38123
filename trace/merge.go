package trace

import "math"

// group is what is judged together: the records of a run, or those of one file
// that name no run.
type group struct {
	runID string
	file  int // of its first record
	seqs  seqSet

	// What the rules of a run gather.
	number        uint32 // of the group
	spans         int    // distinct ones
	turns         []*turn
	gaps          []*gap
	ends          []*runEnd
	conversations map[string]*conversation // by name; nil without turns
	turnByRef     map[uint64]*turn
	notVisible    map[uint64]bool // calls that server-side state may carry
	strayCalls    map[uint64]bool // calls that were delivered under no known span
}

const noGroup = math.MaxUint32

// merger takes over the batches of one file, in their order.
type merger struct {
	c       *Checker
	file    int
	lines   uint32   // in the batches before
	unnamed uint32   // the group of the file's records without a run id
	classes []uint32 // of the batch's classes, which ones they are
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
	for _, t := range b.turns {
		t.place, t.group = m.place(t.place), m.group(b, t.group)
		c.turns = append(c.turns, t)
		c.groups[t.group].seqs.add(t.seq)
	}
	for _, g := range b.gaps {
		g.place, g.group = m.place(g.place), m.group(b, g.group)
		c.gaps = append(c.gaps, g)
		c.groups[g.group].seqs.add(g.seq)
	}
	for _, e := range b.ends {
		e.place, e.group = m.place(e.place), m.group(b, e.group)
		c.ends = append(c.ends, e)
		c.groups[e.group].seqs.add(e.seq)
	}
	for _, d := range b.damage {
		d.place = m.place(d.place)
		c.damage = append(c.damage, d)
	}
	c.other += b.other
	m.lines += uint32(b.lines)
	c.tellLive(before)
}

// place is where a record of the batch stands in its file.
func (m *merger) place(p place) place { return place{m.file, p.line + m.lines} }

// class is the checker's class for one of a batch.
func (m *merger) class(b *batch, of class) uint32 {
	c := m.c
	of.group = m.group(b, of.group)
	of.name = c.words.ofString(b.words.text(of.name))
	of.version = c.words.ofString(b.words.text(of.version))
	of.text = c.words.ofString(b.words.text(of.text))
	of.scheme = c.words.ofString(b.words.text(of.scheme))
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
