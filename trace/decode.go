package trace

import (
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/internal/rawjson"
)

// recordKind is what a line holds.
type recordKind uint8

const (
	kindNone  recordKind = iota // nothing but white space
	kindOther                   // of another vendor, or of a kind that this version does not know
	kindSpan
	kindTurn
	kindGap
	kindRunEnd
)

// decoder turns lines into records, in one pass. There is one for reading and
// checking. A checker needs few of a span's fields, and none of them as a string
// of its own: with words set, ids stay bytes and all other texts become words.
type decoder struct {
	words *wordTable // nil for whole records
	seeds *seeds     // with words
	facts spanFacts  // of the line's span, with words
	last  [keyEnd]word
	room  []clipspan.Delivery // with words: for those of any turn

	span   clipspan.Span
	turn   clipspan.Turn
	gap    clipspan.Gap
	runEnd clipspan.RunEnd

	scan rawjson.Scanner
	line []byte
	text string // line again, for the strings of whole records
	name []byte // of the member that is being read
	keys lineKeys

	extra   []clipspan.Field
	content uint64 // hash of the record apart from seq, with words
	value   uint64 // hash of the value that is being read; 0 = not known yet
	plain   []byte // a value without what content is to pass over
	nesting bool   // inside a value of ours
	spoilt  bool   // which holds something that its type has no room for
}

// spanFacts are the parts of a span that a checker keeps in another form.
type spanFacts struct {
	span               id
	spanText           []byte // valid until the next line is read
	parent, call       uint64 // hashes of ids
	run, name, version word
	unfit              bool // seq is no position, of any kind of record
}

// lineKeys are the keys of a line.
type lineKeys struct {
	seen, twice keySet
	variants    keySet // keys of ours in another letter case
	strangers   [][]byte
	kind        recordKind // what "kind" says; kindNone if nothing
	named       bool       // "name" holds a text
	nested      *LineError // what is wrong with a key inside a value of ours
}

// decode reads the record of a line, nil if it holds none of ours. It may be kept.
func (d *decoder) decode(l line) (clipspan.Record, *LineError) {
	kind, err := d.read(l)
	if err != nil || kind <= kindOther {
		return nil, err
	}
	return d.record(kind), nil
}

// record is a record of its own of what was read.
func (d *decoder) record(kind recordKind) clipspan.Record {
	switch kind {
	case kindSpan:
		s := d.span
		s.Extra = d.extra
		return &s
	case kindTurn:
		t := d.turn
		t.Extra = d.extra
		return &t
	case kindGap:
		g := d.gap
		g.Extra = d.extra
		return &g
	default:
		e := d.runEnd
		e.Extra = d.extra
		return &e
	}
}

// read reads a line into the record of its kind. Nearly all are spans; only one
// that is not has to be read again.
func (d *decoder) read(l line) (recordKind, *LineError) {
	if l.tooLong {
		return kindNone, &LineError{Damage: DamageSyntax, Msg: fmt.Sprintf("longer than %d bytes", MaxLine)}
	}
	if l.blank() {
		return kindNone, nil
	}
	d.line = l.text
	if d.words == nil {
		d.text = string(l.text)
	}
	kind := kindSpan
	for {
		if err := d.readAs(kind, l); err != nil {
			return kindNone, err
		}
		found := d.keys.kindOfRecord()
		if found == kindOther {
			return found, nil
		}
		if found == kind {
			return kind, d.keys.wrong(kind)
		}
		kind = found
	}
}

// readAs reads a line as a record of one kind.
func (d *decoder) readAs(kind recordKind, l line) *LineError {
	d.clear(kind)
	s := &d.scan
	s.Reset(l.text)
	if s.Peek() != rawjson.Object {
		s.Skip()
		if err := s.End(); err != nil {
			return l.wrong(err)
		}
		return l.wrong(rawjson.ErrNotObject)
	}
	s.Enter()
	var seen, twice keySet
	ours := keysOf[kind]
	for {
		known, name, more := s.Key(keyNames)
		if !more {
			break
		}
		from, k := s.Pos(), key(known)
		d.name, d.value = name, 0
		twice |= seen & (1 << k)
		seen |= 1 << k
		switch {
		case !ours.has(k):
			null := s.Peek() == rawjson.Null
			d.stranger(k)
			if null {
				continue
			}
		case s.Peek() == rawjson.Null: // the same as absent
			s.Skip()
			continue
		case kind == kindSpan && k > keySeq:
			d.spanField(k)
		default:
			d.field(kind, k)
		}
		if d.words != nil && k != keySeq && s.Err() == nil {
			d.addContent(k, from)
		}
	}
	d.keys.seen, d.keys.twice = seen, twice
	if err := s.End(); err != nil {
		return l.wrong(err)
	}
	return nil
}

func (d *decoder) clear(kind recordKind) {
	d.keys = lineKeys{strangers: d.keys.strangers[:0]}
	d.extra, d.content = nil, 0
	switch kind {
	case kindSpan:
		d.span, d.facts = clipspan.Span{}, spanFacts{}
	case kindTurn:
		d.turn = clipspan.Turn{}
	case kindGap:
		d.gap = clipspan.Gap{}
	case kindRunEnd:
		d.runEnd = clipspan.RunEnd{}
	}
}

// stranger reads a member that is not ours in a record of this kind.
func (d *decoder) stranger(k key) {
	if k == keyNone {
		d.keys.variants |= 1 << keyNames.Fold(d.name)
		d.keys.strangers = append(d.keys.strangers, d.name)
	}
	d.keep()
}

// field reads a field of any kind of record.
func (d *decoder) field(kind recordKind, k key) {
	switch {
	case k <= keySeq:
		d.headerField(kind, k)
	case kind == kindTurn:
		d.turnField(k)
	case kind == kindGap:
		d.gapField(k)
	default:
		d.runEndField(k)
	}
}

// headerField reads a field that all kinds of record share.
func (d *decoder) headerField(kind recordKind, k key) {
	h := d.header(kind)
	switch k {
	case keyKind:
		d.kind()
	case keyVersion:
		h.Version = d.positive()
	case keyRunID:
		h.RunID = d.word(k, &d.facts.run)
	case keySeq:
		h.Seq = d.positive()
		d.facts.unfit = h.Seq == 0
	}
}

func (d *decoder) header(kind recordKind) *clipspan.Header {
	switch kind {
	case kindSpan:
		return &d.span.Header
	case kindTurn:
		return &d.turn.Header
	case kindGap:
		return &d.gap.Header
	default:
		return &d.runEnd.Header
	}
}

// kind reads the field "kind"; "" says nothing. Where it stands twice, it is
// enough that one of them is ours: the line is damaged then.
func (d *decoder) kind() {
	if d.scan.Peek() != rawjson.String {
		d.scan.Skip()
		d.keys.kind = max(d.keys.kind, kindOther)
		return
	}
	switch string(d.scan.Text()) {
	case "":
	case clipspan.KindTool:
		d.keys.kind = kindSpan
	case clipspan.KindTurn:
		d.keys.kind = kindTurn
	case clipspan.KindGap:
		d.keys.kind = kindGap
	case clipspan.KindRunEnd:
		d.keys.kind = kindRunEnd
	default:
		d.keys.kind = max(d.keys.kind, kindOther)
	}
}

// kindOfRecord is the kind of a record with these keys (RECORDS, Verdict of a run).
func (k *lineKeys) kindOfRecord() recordKind {
	switch {
	case k.kind != kindNone:
		return k.kind
	case k.named || k.seen&tellingKeys != 0:
		return kindSpan
	default:
		return kindOther
	}
}

// wrong finds a key that stands twice or in another letter case.
func (k *lineKeys) wrong(kind recordKind) *LineError {
	if variants := k.variants & keysOf[kind]; variants != 0 {
		for _, name := range k.strangers {
			if variants.has(key(keyNames.Fold(name))) {
				return variantError(string(name))
			}
		}
	}
	for name := keyNone + 1; name < keyEnd && k.twice > 1; name++ {
		if k.twice.has(name) {
			return twiceError(keyTexts[name])
		}
	}
	if len(k.strangers) > 1 {
		slices.SortFunc(k.strangers, slices.Compare)
		for i := range k.strangers[1:] {
			if slices.Equal(k.strangers[i], k.strangers[i+1]) {
				return twiceError(string(k.strangers[i]))
			}
		}
	}
	return k.nested
}

func variantError(name string) *LineError {
	return &LineError{Damage: DamageKey, Msg: fmt.Sprintf("key %q is one of ours in another letter case", name)}
}

func twiceError(name string) *LineError {
	return &LineError{Damage: DamageKey, Msg: fmt.Sprintf("key %q stands twice", name)}
}

// wrong is what a scanner found wrong with the line. Only the last line of a
// file lacks its end, and is torn if it breaks off.
func (l line) wrong(err error) *LineError {
	damage := DamageSyntax
	switch {
	case errors.Is(err, rawjson.ErrNotObject):
		damage = DamageNoObject
	case errors.Is(err, rawjson.ErrEnd) && !l.ended:
		damage = DamageTorn
	case errors.Is(err, rawjson.ErrUTF8), !utf8.Valid(l.text):
		damage, err = DamageUTF8, rawjson.ErrUTF8
	}
	return &LineError{Damage: damage, Msg: err.Error()}
}
