package clipspantest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"testing"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/trace"
)

// JSONL is records as a trace: one JSON object a line.
func JSONL[R clipspan.Record](records ...R) []byte {
	var b []byte
	for _, r := range records {
		b = append(r.AppendJSON(b), '\n')
	}
	return b
}

// Read reads back a trace, and passes over the lines of others. The test fails
// for every line that is damaged; those after it are read all the same.
func Read(t testing.TB, r io.Reader) (records []clipspan.Record) {
	t.Helper()
	for record, err := range trace.Read("trace", r) {
		if err != nil {
			t.Errorf("reading back: %v", err)
			continue
		}
		records = append(records, record)
	}
	return records
}

// members are the members of a record, in their order.
func members(r clipspan.Record) (fields []clipspan.Field) {
	d := json.NewDecoder(bytes.NewReader(r.AppendJSON(nil)))
	_, err := d.Token()
	for err == nil && d.More() {
		var name json.Token
		var value json.RawMessage
		if name, err = d.Token(); err == nil {
			err = d.Decode(&value)
			fields = append(fields, clipspan.Field{Name: fmt.Sprint(name), Raw: string(value)})
		}
	}
	if err != nil {
		panic(fmt.Sprintf("record is no JSON object: %v", err)) // AppendJSON can't make one that is not
	}
	return fields
}

// differences says how the record differs from the members that are wanted. Null
// is the same as absent; what the record has besides does not matter.
func differences(got clipspan.Record, wanted []clipspan.Field) (wrong []string) {
	values := map[string]string{}
	for _, f := range members(got) {
		values[f.Name] = f.Raw
	}
	for _, f := range wanted {
		value, there := values[f.Name]
		there = there && value != "null"
		switch {
		case f.Raw == "null" && there:
			wrong = append(wrong, fmt.Sprintf("%s is %s, want it to be absent", f.Name, short(value)))
		case f.Raw != "null" && !there:
			wrong = append(wrong, fmt.Sprintf("%s is missing, want %s", f.Name, short(f.Raw)))
		case f.Raw != "null" && !sameJSON(value, f.Raw):
			wrong = append(wrong, fmt.Sprintf("%s is %s, want %s", f.Name, short(value), short(f.Raw)))
		}
	}
	return wrong
}

// short is a value in a message.
func short(value string) string {
	const limit = 200
	if len(value) <= limit {
		return value
	}
	return fmt.Sprintf("%s… (%d bytes)", clipspan.Preview(value, limit), len(value))
}

// sameJSON compares two values, numbers digit by digit.
func sameJSON(a, b string) bool {
	if a == b {
		return true
	}
	x, errX := decodeJSON(a)
	y, errY := decodeJSON(b)
	return errX == nil && errY == nil && reflect.DeepEqual(x, y)
}

func decodeJSON(text string) (v any, err error) {
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.UseNumber()
	err = d.Decode(&v)
	return v, err
}
