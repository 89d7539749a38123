package trace

import (
	"slices"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/internal/rawjson"
)

// A value of ours that holds further values is kept as it stands, too, if it
// holds anything that its type has no room for.

// within reads a value of ours of the given kind by calling read for it.
func (d *decoder) within(kind rawjson.Kind, read func() *LineError) *LineError {
	if d.scan.Peek() != kind {
		d.keep()
		return nil
	}
	from, name := d.scan.Pos(), d.name
	d.nesting, d.spoilt = true, false
	err := read()
	d.nesting, d.name, d.value = false, name, 0
	if d.spoilt {
		d.keepFrom(from)
	}
	return err
}

// elements reads an array by calling read for every element of the given kind.
func (d *decoder) elements(kind rawjson.Kind, read func() *LineError) *LineError {
	for d.scan.Enter(); d.scan.Element(); {
		if d.scan.Peek() != kind {
			d.keep()
		} else if err := read(); err != nil {
			return err
		}
	}
	return nil
}

// fields reads an object by calling read, with its number, for every member that
// is one of names. It reports which of them there were, one bit each.
func (d *decoder) fields(names *rawjson.Names, read func(i int)) (seen uint, err *LineError) {
	var strangers []string
	d.scan.Enter()
	for {
		i, name, more := d.scan.Key(names)
		if !more {
			break
		}
		switch {
		case i == 0 && names.Fold(name) > 0:
			return seen, variantError(string(name))
		case i == 0:
			strangers = append(strangers, string(name))
			d.keep()
			continue
		case seen&(1<<i) != 0:
			return seen, twiceError(string(name))
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
			return seen, twiceError(strangers[i])
		}
	}
	return seen, nil
}

func (d *decoder) strs() (list []string) {
	d.within(rawjson.Array, func() *LineError {
		return d.elements(rawjson.String, func() *LineError {
			list = append(list, d.str())
			return nil
		})
	})
	return list
}

func (d *decoder) ranges() (list []clipspan.Range) {
	d.within(rawjson.Array, func() *LineError {
		return d.elements(rawjson.Array, func() *LineError {
			var pair []int64
			err := d.elements(rawjson.Number, func() *LineError {
				pair = append(pair, d.count().Or(0))
				return nil
			})
			if len(pair) != 2 {
				d.spoilt = true
				return err
			}
			list = append(list, clipspan.Range{From: pair[0], To: pair[1]})
			return err
		})
	})
	if d.spoilt {
		return nil // half a list would claim that the rest did not survive
	}
	return list
}

var stageNames = rawjson.NewNames("reason", "policy", "bytes_in", "bytes_out")

func (d *decoder) stages() (list []clipspan.Stage, err *LineError) {
	err = d.within(rawjson.Array, func() *LineError {
		return d.elements(rawjson.Object, func() *LineError {
			var s clipspan.Stage
			seen, err := d.fields(stageNames, func(i int) {
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
			return err
		})
	})
	return list, err
}

var deliveryNames = rawjson.NewNames("tool_call_id", "span_id", "bytes", "sha256", "repaired")

func (d *decoder) deliveries() (list []clipspan.Delivery, err *LineError) {
	err = d.within(rawjson.Array, func() *LineError {
		return d.elements(rawjson.Object, func() *LineError {
			var v clipspan.Delivery
			_, err := d.fields(deliveryNames, func(i int) {
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
			return err
		})
	})
	return list, err
}

var editNames = rawjson.NewNames("cleared_tool_uses", "cleared_input_tokens")

func (d *decoder) edits() (edits *clipspan.ProviderEdits, err *LineError) {
	err = d.within(rawjson.Object, func() *LineError {
		edits = &clipspan.ProviderEdits{}
		_, err := d.fields(editNames, func(i int) {
			switch i {
			case 1:
				edits.ClearedToolUses = d.count()
			case 2:
				edits.ClearedInputTokens = d.count()
			}
		})
		return err
	})
	return edits, err
}
