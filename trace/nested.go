package trace

import (
	"fmt"
	"slices"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/internal/rawjson"
)

// A value of ours that holds further values is kept as it stands, too, if it
// holds anything that its type has no room for.

// within reads the inside of a member.
func (d *decoder) within(m *rawjson.Member, read func() *LineError) *LineError {
	d.nesting, d.spoilt = true, false
	err := read()
	d.nesting = false
	if d.spoilt {
		d.keep(m)
	}
	return err
}

// elements are the elements of an array, or none if m is another value. They are
// valid until the next call with this level.
func (d *decoder) elements(m *rawjson.Member, level int) []rawjson.Member {
	scan := &d.nested[level]
	if m.Kind != rawjson.Array || scan.Array(d.line[m.From:m.To]) != nil {
		d.keep(m)
		return nil
	}
	return moved(scan.Members, m.From)
}

// moved makes offsets into a value offsets into its line.
func moved(members []rawjson.Member, by int) []rawjson.Member {
	for i := range members {
		m := &members[i]
		m.KeyFrom, m.KeyTo, m.From, m.To = m.KeyFrom+by, m.KeyTo+by, m.From+by, m.To+by
	}
	return members
}

// fields calls set for every member of an object that is one of names, and
// reports which of them there were, one bit each.
func (d *decoder) fields(m *rawjson.Member, names []string, set func(i int, m *rawjson.Member)) (seen uint, err *LineError) {
	scan := &d.nested[1]
	if m.Kind != rawjson.Object || scan.Object(d.line[m.From:m.To]) != nil {
		d.keep(m)
		return 0, nil
	}
	var all []string
	for _, f := range moved(scan.Members, m.From) {
		name := string(d.keyText(&f))
		all = append(all, name)
		i := slices.Index(names, name)
		switch {
		case i >= 0:
			seen |= 1 << i
			if f.Kind != rawjson.Null {
				set(i, &f)
			}
		case isVariant(name, names):
			return seen, variantError(name)
		default:
			d.keep(&f)
		}
	}
	return seen, twiceError(all)
}

func isVariant(name string, names []string) bool {
	return !isLower([]byte(name)) && slices.Contains(names, foldKey(name))
}

func variantError(name string) *LineError {
	return &LineError{Damage: DamageKey, Msg: fmt.Sprintf("key %q is one of ours in another letter case", name)}
}

// twiceError is the error for a name that stands twice among names, or nil.
func twiceError(names []string) *LineError {
	slices.Sort(names)
	for i := 1; i < len(names); i++ {
		if names[i] == names[i-1] {
			return &LineError{Damage: DamageKey, Msg: fmt.Sprintf("key %q stands twice", names[i])}
		}
	}
	return nil
}

func (d *decoder) strs(m *rawjson.Member) (list []string) {
	d.within(m, func() *LineError {
		for _, e := range d.elements(m, 0) {
			if isString(&e) {
				list = append(list, d.str(&e))
			} else {
				d.keep(&e)
			}
		}
		return nil
	})
	return list
}

func (d *decoder) ranges(m *rawjson.Member) (list []clipspan.Range) {
	d.within(m, func() *LineError {
		for _, e := range d.elements(m, 0) {
			pair := d.elements(&e, 1)
			if len(pair) != 2 {
				d.keep(&e)
				break
			}
			list = append(list, clipspan.Range{From: d.count(&pair[0]).Or(0), To: d.count(&pair[1]).Or(0)})
		}
		return nil
	})
	if d.spoilt {
		return nil // half a list would claim that the rest did not survive
	}
	return list
}

var stageNames = []string{"reason", "policy", "bytes_in", "bytes_out"}

func (d *decoder) stages(m *rawjson.Member) (list []clipspan.Stage, err *LineError) {
	err = d.within(m, func() *LineError {
		for _, e := range d.elements(m, 0) {
			if e.Kind != rawjson.Object {
				d.keep(&e)
				continue
			}
			var s clipspan.Stage
			seen, err := d.fields(&e, stageNames, func(i int, m *rawjson.Member) {
				switch i {
				case 0:
					s.Reason = clipspan.ClipReason(d.str(m))
				case 1:
					s.Policy = d.str(m)
				case 2:
					s.BytesIn = d.count(m).Or(0)
				case 3:
					s.BytesOut = d.count(m).Or(0)
				}
			})
			if err != nil {
				return err
			}
			d.spoilt = d.spoilt || seen>>2 != 3 // a size that is absent is not 0
			list = append(list, s)
		}
		return nil
	})
	return list, err
}

var deliveryNames = []string{"tool_call_id", "span_id", "bytes", "sha256", "repaired"}

func (d *decoder) deliveries(m *rawjson.Member) (list []clipspan.Delivery, err *LineError) {
	err = d.within(m, func() *LineError {
		for _, e := range d.elements(m, 0) {
			if e.Kind != rawjson.Object {
				d.keep(&e)
				continue
			}
			var v clipspan.Delivery
			_, err := d.fields(&e, deliveryNames, func(i int, m *rawjson.Member) {
				switch i {
				case 0:
					v.ToolCallID = d.str(m)
				case 1:
					v.SpanID = d.str(m)
				case 2:
					v.Bytes = d.count(m)
				case 3:
					v.SHA256 = d.hash(m)
				case 4:
					v.Repaired = d.flag(m)
				}
			})
			if err != nil {
				return err
			}
			list = append(list, v)
		}
		return nil
	})
	return list, err
}

var editNames = []string{"cleared_tool_uses", "cleared_input_tokens"}

func (d *decoder) edits(m *rawjson.Member) (edits *clipspan.ProviderEdits, err *LineError) {
	if m.Kind != rawjson.Object {
		d.keep(m)
		return nil, nil
	}
	edits = &clipspan.ProviderEdits{}
	err = d.within(m, func() *LineError {
		_, err := d.fields(m, editNames, func(i int, m *rawjson.Member) {
			switch i {
			case 0:
				edits.ClearedToolUses = d.count(m)
			case 1:
				edits.ClearedInputTokens = d.count(m)
			}
		})
		return err
	})
	return edits, err
}
