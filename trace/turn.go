package trace

import (
	"slices"

	"github.com/clipspan/clipspan"
)

// turn is what a checker remembers of a turn, 128 bytes: a trace may hold a
// million that say nothing. Its words are the checker's, in a batch the batch's.
type turn struct {
	place
	group               uint32
	seq                 int64 // 0 = absent
	content             uint64
	id                  string
	ref, extends        uint64 // hashes of turn ids, 0 = absent
	conversation, model word

	results *results // nil if it names none
	tokens  int64    // of the results that it is the first to deliver
	input   int64    // tokens that the provider counted, 0 = it did not

	details   detailSet
	reasoning bool
	declared  bool // it says that the provider dropped input
	read      bool // its request body was read
	estimated bool // not all of tokens counted by a named tokenizer
	verdict   uint8
}

// results are those that a turn names.
type results struct {
	delivered           []delivery // that name a span
	evicted, notVisible []uint64   // hashes of tool call ids
	stray               []uint64   // hashes of the call ids of deliveries that name no span
}

// delivery is one result in a request.
type delivery struct {
	spanHi, spanLo uint64
	call           uint64 // hash of the tool call id, 0 = absent
	callText       string
	hashHi, hashLo uint64
	bytes          int64 // if counted
	scheme         word  // of the hash
	spanForm       idForm
	digits         uint8 // of the hash
	counted        bool  // bytes is known
}

func (d *delivery) span() id { return id{d.spanHi, d.spanLo, d.spanForm} }

func (d *delivery) hash() digest { return digest{d.hashHi, d.hashLo, d.digits} }

// turn is what is remembered of a turn.
func (r *reader) turn(b *batch, t *clipspan.Turn) turn {
	return turn{
		place: b.here(), group: uint32(r.decoder.facts.run), seq: t.Seq, content: r.decoder.content,
		id: t.TurnID, ref: r.seeds.ref([]byte(t.TurnID)), extends: r.seeds.ref([]byte(t.Extends)),
		conversation: b.words.ofString(t.Conversation), model: b.words.ofString(t.Model),
		results:   r.results(b, t),
		input:     t.InputTokens.Or(0),
		reasoning: t.Reasoning, declared: declared(t), read: t.Unread == "",
		verdict: uint8(clipspan.VerdictOK),
	}
}

func (r *reader) results(b *batch, t *clipspan.Turn) *results {
	if len(t.Delivered)+len(t.Evicted)+len(t.NotVisible) == 0 {
		return nil
	}
	list := &results{evicted: r.refs(t.Evicted), notVisible: r.refs(t.NotVisible)}
	named := 0
	for i := range t.Delivered {
		if t.Delivered[i].SpanID != "" {
			named++
		}
	}
	list.delivered = make([]delivery, 0, named)
	for i := range t.Delivered {
		if d := &t.Delivered[i]; d.SpanID == "" {
			list.addStray(r.seeds.ref([]byte(d.ToolCallID)))
		} else {
			list.delivered = append(list.delivered, r.delivery(b, d))
		}
	}
	return list
}

// addStray adds the call of a delivery that names no span, 0 for none. Those
// without a call are one.
func (l *results) addStray(call uint64) {
	if call != 0 || len(l.stray) == 0 {
		l.stray = append(l.stray, call)
	}
}

func (r *reader) delivery(b *batch, d *clipspan.Delivery) delivery {
	span, hash := r.seeds.id([]byte(d.SpanID)), r.seeds.digest(d.SHA256)
	return delivery{
		spanHi: span.hi, spanLo: span.lo, spanForm: span.form,
		call: r.seeds.ref([]byte(d.ToolCallID)), callText: d.ToolCallID,
		hashHi: hash.hi, hashLo: hash.lo, digits: hash.digits, scheme: b.words.ofString(d.SHA256.Scheme()),
		bytes: d.Bytes.Or(0), counted: d.Bytes.Known(),
	}
}

// refs are the hashes of call ids, without that of the empty one, which names
// no call.
func (r *reader) refs(calls []string) (refs []uint64) {
	for _, call := range calls {
		if ref := r.seeds.ref([]byte(call)); ref != 0 {
			refs = append(refs, ref)
		}
	}
	return slices.Clip(refs)
}

// worsen is [entry.worsen] for a turn.
func (t *turn) worsen(v clipspan.Verdict, d detailSet) {
	t.verdict = min(t.verdict, uint8(v))
	t.details |= d
}

// later reports whether one record comes later than another: by seq where both
// have one, else by line (RECORDS, Verdict of a run).
func later(seq int64, at place, otherSeq int64, other place) bool {
	if seq > 0 && otherSeq > 0 {
		return seq > otherSeq
	}
	return at.compare(other) > 0
}
