package jsonfields_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/clipspan/clipspan/internal/jsonfields"
)

func TestMembersAreYieldedInTheirOrderWithTypedValues(t *testing.T) {
	const object = `{"s":"a\nb","big":9007199254740993,"neg":-5,"t":true,"f":false,"null":null,` +
		`"list":[[0,5],[7,9]],"object":{"b":1,"a":null},"fraction":1.50,"beyond":18446744073709551616,"exp":1e3}`
	type member struct {
		name  string
		value any
	}
	var got []member
	for name, value := range jsonfields.All([]byte(object)) {
		got = append(got, member{name, value})
	}
	assert.Equal(t, []member{
		{"s", "a\nb"},
		{"big", int64(9007199254740993)},
		{"neg", int64(-5)},
		{"t", true},
		{"f", false},
		{"list", json.RawMessage(`[[0,5],[7,9]]`)},
		{"object", json.RawMessage(`{"b":1,"a":null}`)},
		{"fraction", json.RawMessage(`1.50`)},
		{"beyond", json.RawMessage(`18446744073709551616`)},
		{"exp", json.RawMessage(`1e3`)},
	}, got)
}

func TestTheCallerMayStop(t *testing.T) {
	for name := range jsonfields.All([]byte(`{"a":1,"b":2}`)) {
		assert.Equal(t, "a", name)
		break
	}
}

func TestWhatIsNoObjectEndsWhereThatShows(t *testing.T) {
	for object, want := range map[string][]string{
		``: nil, `[1]`: nil, `"a"`: nil, `{`: nil, `{1:2}`: nil,
		`{"a":1,"b"`: {"a"}, `{"a":1,"b":}`: {"a"}, `{"a":1 "b":2}`: {"a"},
	} {
		var names []string
		for name := range jsonfields.All([]byte(object)) {
			names = append(names, name)
		}
		assert.Equal(t, want, names, object)
	}
}
