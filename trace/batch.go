package trace

import "github.com/clipspan/clipspan"

// batch is a chunk of a file and all that is to be remembered of it. Lines count
// from 1 within the batch, and words are those of its own table, until the
// checker takes it over.
type batch struct {
	chunk
	ticket int // the batch's place in its file

	lines   int
	other   int
	entries []entry
	turns   []turn
	gaps    []gap
	ends    []runEnd
	damage  []damaged    // the first ones
	untold  untold       // … and the further ones
	unfit   []unnumbered // records whose seq is no position
	long    []longID

	words   *wordTable
	classes []class
	classOf map[class]uint32
}

// longID is the text of an id that an entry has only as a hash.
type longID struct {
	id   id
	text string
}

// place is where a record stands.
type place struct {
	file int
	line uint32
}

func (p place) compare(other place) int {
	if p.file != other.file {
		return p.file - other.file
	}
	return int(int64(p.line) - int64(other.line))
}

// damaged is damage in a line, or of a run in the file that its first record is
// from.
type damaged struct {
	place
	runID  string
	damage Damage
	detail string
	lines  int // how many it stands for if they are more than one
}

// unnumbered is a record of a run, in a batch a word, whose seq is no position.
type unnumbered struct{ line, group uint32 }

// gap and runEnd are records as a checker remembers them.
type gap struct {
	place
	group    uint32
	seq      int64
	content  uint64
	from, to clipspan.Count
	count    clipspan.Count
}

type runEnd struct {
	place
	group   uint32
	seq     int64
	content uint64

	spans, turns, gapCount clipspan.Count
}

func (s *seeds) newBatch() *batch {
	return &batch{words: newWordTable(s[1]), classOf: map[class]uint32{}}
}

func (b *batch) reset() {
	b.lines, b.other = 0, 0
	b.entries, b.turns, b.gaps, b.ends = b.entries[:0], b.turns[:0], b.gaps[:0], b.ends[:0]
	b.damage, b.untold, b.unfit = b.damage[:0], untold{}, b.unfit[:0]
	b.long, b.classes = b.long[:0], b.classes[:0]
	clear(b.classOf)
	b.words.reset()
}

// reader reads batches. Each goroutine has its own.
type reader struct {
	decoder decoder
	seeds   *seeds
}

// read reads the records of the batch's chunk.
func (r *reader) read(b *batch) {
	b.reset()
	r.decoder.words, r.decoder.seeds, r.decoder.last = b.words, r.seeds, [keyEnd]word{}
	for l := range b.chunk.lines() {
		b.lines++
		kind, err := r.decoder.read(l)
		if err != nil {
			b.addDamage(err)
			continue
		}
		r.take(b, kind)
	}
}

func (b *batch) here() place { return place{line: uint32(b.lines)} }

// take adds the record that was read to the batch.
func (r *reader) take(b *batch, kind recordKind) {
	d := &r.decoder
	run := uint32(d.facts.run)
	if d.facts.unfit && kind > kindOther {
		b.unfit = append(b.unfit, unnumbered{uint32(b.lines), run})
	}
	switch kind {
	case kindOther:
		b.other++
	case kindSpan:
		r.takeSpan(b)
	case kindTurn:
		b.turns = append(b.turns, r.turn(b, &d.turn))
	case kindGap:
		b.gaps = append(b.gaps, gap{b.here(), run, d.gap.Seq, d.content, d.gap.FromSeq, d.gap.ToSeq, d.gap.Count})
	case kindRunEnd:
		e := &d.runEnd
		b.ends = append(b.ends, runEnd{b.here(), run, e.Seq, d.content, e.Spans, e.Turns, e.Gaps})
	}
}

func (r *reader) takeSpan(b *batch) {
	d := &r.decoder
	e, c := pack(&d.span, &d.facts, r.seeds, b.words)
	e.content = d.content
	e.line = uint32(b.lines)
	e.class = b.class(c)
	if e.idForm == idHashed {
		b.long = append(b.long, longID{e.id(), string(d.facts.spanText)})
	}
	b.entries = append(b.entries, e)
}

func (b *batch) class(c class) uint32 {
	if i, known := b.classOf[c]; known {
		return i
	}
	i := uint32(len(b.classes))
	b.classes = append(b.classes, c)
	b.classOf[c] = i
	return i
}
