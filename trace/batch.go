package trace

import (
	"slices"

	"github.com/clipspan/clipspan"
)

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
	damage  []damaged
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
}

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
	b.damage, b.long, b.classes = b.damage[:0], b.long[:0], b.classes[:0]
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
			b.damage = append(b.damage, damaged{place: b.here(), damage: err.Damage, detail: err.Msg})
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
	switch kind {
	case kindOther:
		b.other++
	case kindSpan:
		r.takeSpan(b)
	case kindTurn:
		b.turns = append(b.turns, r.turn(&d.turn, b.here(), run))
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

// turn is what is remembered of a turn.
func (r *reader) turn(t *clipspan.Turn, at place, group uint32) turn {
	kept := turn{
		place: at, group: group, seq: t.Seq, content: r.decoder.content,
		id: t.TurnID, ref: r.seeds.ref([]byte(t.TurnID)),
		conversation: t.Conversation, extends: r.seeds.ref([]byte(t.Extends)), model: t.Model,
		input: t.InputTokens, reasoning: t.Reasoning, declared: declared(t), read: t.Unread == "",
		verdict: clipspan.VerdictOK,
	}
	for _, d := range t.Delivered {
		kept.delivered = append(kept.delivered, delivery{
			span: r.seeds.id([]byte(d.SpanID)), call: r.seeds.ref([]byte(d.ToolCallID)), callText: d.ToolCallID,
			bytes: d.Bytes, hash: r.seeds.digest(d.SHA256), scheme: d.SHA256.Scheme(),
		})
	}
	for _, call := range t.Evicted {
		kept.evicted = append(kept.evicted, r.seeds.ref([]byte(call)))
	}
	for _, call := range t.NotVisible {
		kept.notVisible = append(kept.notVisible, r.seeds.ref([]byte(call)))
	}
	kept.delivered = slices.Clip(kept.delivered)
	return kept
}
