// Package jsonfields takes a record apart for a structured logger. It reads the
// record's own JSON, so that no field has to be listed a second time, and none
// can be forgotten.
package jsonfields

import (
	"bytes"
	"encoding/json"
	"iter"
	"strconv"
)

// All yields the members of a JSON object in their order. A value is a string, an
// int64 or a bool; what else there is, such as an array or a fraction, stays
// JSON as a [json.RawMessage]. Members that are null are left out. If the object
// is none, All ends where that shows.
func All(object []byte) iter.Seq2[string, any] {
	return func(yield func(string, any) bool) {
		d := json.NewDecoder(bytes.NewReader(object))
		if start, err := d.Token(); err != nil || start != json.Delim('{') {
			return
		}
		for d.More() {
			name, err := d.Token()
			if err != nil {
				return
			}
			var raw json.RawMessage
			if d.Decode(&raw) != nil {
				return
			}
			if v := typed(raw); v != nil && !yield(name.(string), v) {
				return
			}
		}
	}
}

// typed is the value of a JSON text, or nil for null.
func typed(raw json.RawMessage) any {
	switch raw[0] {
	case 'n':
		return nil
	case 't', 'f':
		return raw[0] == 't'
	case '"':
		var s string
		if json.Unmarshal(raw, &s) == nil {
			return s
		}
	default:
		if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
			return n
		}
	}
	return raw
}
