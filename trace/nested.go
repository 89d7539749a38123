package trace

import (
	"fmt"
	"slices"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/internal/rawjson"
)

// A value of ours that holds further values is kept as it stands, too, if it
// holds anything that its type has no room for.

// within reads a value of ours of the given kind by calling read for it.
func (d *decoder) within(kind rawjson.Kind, read func()) {
	if d.scan.Peek() != kind {
		d.keep()
		return
	}
	from := d.scan.Pos()
	d.nesting, d.spoilt = true, false
	read()
	d.nesting, d.value = false, 0
	if d.spoilt {
		d.keepFrom(from)
	}
}

// elements reads an array by calling read for every element of the given kind.
func (d *decoder) elements(kind rawjson.Kind, read func()) {
	for d.scan.Enter(); d.scan.Element(); {
		if d.scan.Peek() == kind {
			read()
		} else {
			d.keep()
		}
	}
}

// maxElements is how many stages, deliveries or call ids one record may hold. No
// request has room for a hundredth of it, and a line of maximal length would
// hold twenty million.
const maxElements = 100_000

// boundedElements is elements for at most maxElements of them.
func (d *decoder) boundedElements(kind rawjson.Kind, read func()) {
	n := 0
	d.elements(kind, func() {
		if n++; n <= maxElements {
			read()
			return
		}
		if n == maxElements+1 {
			d.keys.nested = &LineError{Damage: DamageSyntax, Msg: fmt.Sprintf("more than %d elements in %q", maxElements, d.name)}
		}
		d.scan.Skip()
	})
}

// fields reads an object by calling read, with its number, for every member that
// is one of names. It reports which of them there were, one bit each.
func (d *decoder) fields(names *rawjson.Names, read func(i int)) (seen uint) {
	var strangers []string
	d.scan.Enter()
	for {
		i, name, more := d.scan.Key(names)
		if !more {
			break
		}
		switch {
		case i == 0:
			if names.Fold(name) > 0 {
				d.keys.nested = variantError(string(name))
			}
			strangers = append(strangers, string(name))
			d.keep()
			continue
		case seen&(1<<i) != 0:
			d.keys.nested = twiceError(string(name))
		}
		seen |= 1 << i
		if d.scan.Peek() == rawjson.Null {
			d.scan.Skip()
		} else {
			read(i)
		}
	}
	slices.Sort(strangers)
	for i := 1; i < len(strangers); i++ {
		if strangers[i] == strangers[i-1] {
			d.keys.nested = twiceError(strangers[i])
		}
	}
	return seen
}

func (d *decoder) strs() (list []string) {
	d.within(rawjson.Array, func() {
		d.boundedElements(rawjson.String, func() { list = append(list, d.str()) })
	})
	return list
}

func (d *decoder) ranges() (list []clipspan.Range) {
	d.within(rawjson.Array, func() {
		d.elements(rawjson.Array, func() {
			var pair []int64
			d.elements(rawjson.Number, func() { pair = append(pair, d.count().Or(0)) })
			if len(pair) != 2 {
				d.spoilt = true
				return
			}
			list = append(list, clipspan.Range{From: pair[0], To: pair[1]})
		})
	})
	if d.spoilt {
		return nil // half a list would claim that the rest did not survive
	}
	return list
}

var stageNames = rawjson.NewNames("reason", "policy", "bytes_in", "bytes_out")

func (d *decoder) stages() (list []clipspan.Stage) {
	d.within(rawjson.Array, func() {
		d.boundedElements(rawjson.Object, func() {
			if d.words != nil {
				d.fields(stageNames, func(int) { d.scan.Skip() })
				return
			}
			var s clipspan.Stage
			seen := d.fields(stageNames, func(i int) {
				switch i {
				case 1:
					s.Reason = clipspan.ClipReason(d.str())
				case 2:
					s.Policy = d.str()
				case 3:
					s.BytesIn = d.count().Or(0)
				case 4:
					s.BytesOut = d.count().Or(0)
				}
			})
			d.spoilt = d.spoilt || seen>>3 != 3 // a size that is absent is not 0
			list = append(list, s)
		})
	})
	return list
}

var deliveryNames = rawjson.NewNames("tool_call_id", "span_id", "bytes", "sha256", "repaired")

func (d *decoder) deliveries() (list []clipspan.Delivery) {
	if d.words != nil {
		list = d.room[:0]
		defer func() { d.room = list }()
	}
	d.within(rawjson.Array, func() {
		d.boundedElements(rawjson.Object, func() {
			var v clipspan.Delivery
			d.fields(deliveryNames, func(i int) {
				switch i {
				case 1:
					v.ToolCallID = d.str()
				case 2:
					v.SpanID = d.str()
				case 3:
					v.Bytes = d.count()
				case 4:
					v.SHA256 = d.hash()
				case 5:
					v.Repaired = d.flag()
				}
			})
			list = append(list, v)
		})
	})
	return list
}

var editNames = rawjson.NewNames("cleared_tool_uses", "cleared_input_tokens")

func (d *decoder) edits() (edits *clipspan.ProviderEdits) {
	d.within(rawjson.Object, func() {
		edits = &clipspan.ProviderEdits{}
		d.fields(editNames, func(i int) {
			switch i {
			case 1:
				edits.ClearedToolUses = d.count()
			case 2:
				edits.ClearedInputTokens = d.count()
			}
		})
	})
	return edits
}
