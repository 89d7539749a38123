package trace

import (
	"errors"
	"fmt"
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

// decoder turns lines into records. There is one for reading and checking. A
// checker needs few of a span's fields, and none of them as a string of its own:
// with words set, ids stay bytes and all other texts become words.
type decoder struct {
	words *wordTable // nil for whole records
	facts spanFacts  // of the last span, if words is set

	line   []byte
	text   string // line again, for the strings of whole records
	scan   rawjson.Scanner
	nested [2]rawjson.Scanner // for arrays of objects of ours
	keys   []key              // of the line's members
	extra  []clipspan.Field
	unesc  []byte // escaped strings of the line, unescaped

	nesting bool // inside a value of ours
	spoilt  bool // which holds something that its type has no room for
}

// spanFacts are the parts of a span that a checker keeps in another form. The
// ids are valid until the next line is read.
type spanFacts struct {
	spanID, parentID, toolCallID []byte
	run, name, version           word
}

// outline scans a line, finds its keys and says what kind of record it holds.
func (d *decoder) outline(l line) (recordKind, *LineError) {
	if l.tooLong || len(l.text) > MaxLine {
		return kindNone, &LineError{Damage: DamageSyntax, Msg: fmt.Sprintf("longer than %d bytes", MaxLine)}
	}
	if l.blank() {
		return kindNone, nil
	}
	d.line, d.text, d.keys, d.extra, d.unesc = l.text, "", d.keys[:0], nil, d.unesc[:0]
	if err := d.scan.Object(l.text); err != nil {
		return kindNone, l.wrong(err)
	}
	var seen, twice, variants keySet
	for i := range d.scan.Members {
		m := &d.scan.Members[i]
		k := keyOf(d.keyText(m))
		twice |= seen & (1 << k)
		seen |= 1 << k
		if k == keyNone {
			variants |= d.variantOf(m)
		}
		d.keys = append(d.keys, k)
	}
	kind := d.kind(seen)
	if kind == kindOther {
		return kind, nil
	}
	if wrong := twice&^1 | variants&keysOf[kind]; wrong != 0 {
		return kind, d.keyError(wrong)
	}
	if twice.has(keyNone) {
		return kind, d.strangerTwice()
	}
	return kind, nil
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

// keyText is a member's name.
func (d *decoder) keyText(m *rawjson.Member) []byte {
	name := d.line[m.KeyFrom:m.KeyTo]
	if !m.KeyEscaped {
		return name
	}
	return d.unescape(name)
}

// unescape returns the text that a string with escapes stands for; it is valid
// until the next line.
func (d *decoder) unescape(inside []byte) []byte {
	from := len(d.unesc)
	d.unesc = rawjson.AppendUnescaped(d.unesc, inside)
	return d.unesc[from:]
}

// variantOf is the key of ours that a stranger's name differs from only in
// letter case.
func (d *decoder) variantOf(m *rawjson.Member) keySet {
	name := d.keyText(m)
	if isLower(name) {
		return 0
	}
	return setOf(keyOf([]byte(foldKey(string(name))))) &^ 1
}

func isLower(name []byte) bool {
	for _, c := range name {
		if 'A' <= c && c <= 'Z' || c >= 0x80 {
			return false
		}
	}
	return true
}

// kind is the kind of the line's record (RECORDS, Verdict of a run).
func (d *decoder) kind(seen keySet) recordKind {
	if seen.has(keyKind) {
		if kind, given := d.givenKind(); given {
			return kind
		}
	}
	if seen&tellingKeys != 0 || seen.has(keyName) && d.hasName() {
		return kindSpan
	}
	return kindOther
}

// givenKind is what the field "kind" says; null and "" say nothing. Where it
// stands twice, it is enough that one of them is ours: the line is damaged then.
func (d *decoder) givenKind() (kind recordKind, given bool) {
	for i, k := range d.keys {
		m := &d.scan.Members[i]
		if k != keyKind || m.Kind == rawjson.Null {
			continue
		}
		switch string(d.inside(m)) {
		case clipspan.KindTool:
			return kindSpan, true
		case clipspan.KindTurn:
			return kindTurn, true
		case clipspan.KindGap:
			return kindGap, true
		case clipspan.KindRunEnd:
			return kindRunEnd, true
		case "":
		default:
			given = true
		}
	}
	return kindOther, given
}

func (d *decoder) hasName() bool {
	for i, k := range d.keys {
		if k == keyName && len(d.inside(&d.scan.Members[i])) > 0 {
			return isString(&d.scan.Members[i])
		}
	}
	return false
}

func isString(m *rawjson.Member) bool { return m.Kind == rawjson.String || m.Kind == rawjson.Escaped }

// inside is the text of a string, or any other value as it stands.
func (d *decoder) inside(m *rawjson.Member) []byte {
	switch m.Kind {
	case rawjson.String:
		return d.line[m.From+1 : m.To-1]
	case rawjson.Escaped:
		return d.unescape(d.line[m.From+1 : m.To-1])
	default:
		return d.line[m.From:m.To]
	}
}

// keyError names the first key that stands twice or in another letter case.
func (d *decoder) keyError(wrong keySet) *LineError {
	var seen keySet
	for i, k := range d.keys {
		m := &d.scan.Members[i]
		if k == keyNone {
			if v := d.variantOf(m) & wrong; v != 0 {
				return variantError(string(d.keyText(m)))
			}
			continue
		}
		if wrong.has(k) && seen.has(k) {
			return &LineError{Damage: DamageKey, Msg: fmt.Sprintf("key %q stands twice", d.keyText(m))}
		}
		seen |= 1 << k
	}
	return nil
}

// strangerTwice looks for a key that is not ours and stands twice.
func (d *decoder) strangerTwice() *LineError {
	var names []string
	for i, k := range d.keys {
		if k == keyNone {
			names = append(names, string(d.keyText(&d.scan.Members[i])))
		}
	}
	return twiceError(names)
}

// decode reads the record of a line, nil if it holds none of ours.
func (d *decoder) decode(l line) (clipspan.Record, *LineError) {
	kind, err := d.outline(l)
	if err != nil || kind <= kindOther {
		return nil, err
	}
	return d.record(kind)
}

// record reads the record of a line that was outlined as one of ours.
func (d *decoder) record(kind recordKind) (r clipspan.Record, err *LineError) {
	if d.words == nil {
		d.text = string(d.line)
	}
	switch kind {
	case kindSpan:
		s := &clipspan.Span{}
		r, err = s, d.span(s)
	case kindTurn:
		t := &clipspan.Turn{}
		r, err = t, d.turn(t)
	case kindGap:
		g := &clipspan.Gap{}
		d.gap(g)
		r = g
	case kindRunEnd:
		e := &clipspan.RunEnd{}
		d.runEnd(e)
		r = e
	}
	if err != nil {
		return nil, err
	}
	r.Envelope().Extra = d.extra
	return r, nil
}
