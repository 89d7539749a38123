package doctest

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/clipspan/clipspan"
)

// everyRecord is one record of each kind with every field set, by the name of
// its schema.
func everyRecord() map[string]clipspan.Record {
	span, turn, gap, end := new(clipspan.Span), new(clipspan.Turn), new(clipspan.Gap), new(clipspan.RunEnd)
	for _, record := range []clipspan.Record{span, turn, gap, end} {
		fill(reflect.ValueOf(record).Elem())
	}
	span.Source = "import:other"
	return map[string]clipspan.Record{"span": span, "turn": turn, "gap": gap, "run_end": end}
}

// fill sets v to a value that is written and that its schema allows. Going by
// reflection, it also sets a field that was added after this test was written.
func fill(v reflect.Value) {
	if value, special := specialValue(v.Interface()); special {
		v.Set(reflect.ValueOf(value))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i))
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.String:
		v.SetString("x")
	case reflect.Int64:
		v.SetInt(1)
	case reflect.Bool:
		v.SetBool(true)
	default:
		panic("no value for a field of type " + v.Type().String())
	}
}

func specialValue(v any) (value any, special bool) {
	switch v.(type) {
	case clipspan.Header:
		return clipspan.Header{Version: clipspan.SchemaVersion, RunID: "run", Seq: 1}, true
	case clipspan.Count:
		return clipspan.Known(1), true
	case clipspan.Hash:
		return clipspan.ParseHash(strings.Repeat("0f", 32)), true
	case clipspan.Status:
		return clipspan.StatusOK, true
	case clipspan.ClipReason:
		return clipspan.ReasonRedaction, true
	case clipspan.TokenSource:
		return clipspan.TokenizerSource("o200k_base"), true
	case clipspan.CapUnit:
		return clipspan.CapTokens, true
	case clipspan.Notice:
		return clipspan.NoticeGiven, true
	case time.Time:
		return time.Date(2026, 12, 1, 2, 11, 0, 1, time.UTC), true
	default:
		return nil, false
	}
}

func TestASchemaHasEveryFieldThatItsRecordWritesAndNoOther(t *testing.T) {
	for name, record := range everyRecord() {
		t.Run(name, func(t *testing.T) {
			s := readSchema(t, name)
			s.compareFields(t, name, s.root, decode(t, record.AppendJSON(nil)))
		})
	}
}

// compareFields compares the keys of every object in value with the properties
// of its schema.
func (s *schema) compareFields(t *testing.T, path string, node map[string]any, value any) {
	node = s.resolve(node)
	switch v := value.(type) {
	case map[string]any:
		properties, _ := node["properties"].(map[string]any)
		written := slices.Collect(maps.Keys(v))
		if path == "span" {
			written = append(written, "kind") // never written, but allowed: absent means tool
		}
		assert.ElementsMatch(t, slices.Collect(maps.Keys(properties)), written, path)
		for name, member := range v {
			if property, ok := properties[name].(map[string]any); ok {
				s.compareFields(t, path+"."+name, property, member)
			}
		}
	case []any:
		items, _ := node["items"].(map[string]any)
		for _, element := range v {
			s.compareFields(t, path+"[]", items, element)
		}
	}
}

func TestEveryFieldOfASchemaIsDescribed(t *testing.T) {
	for name := range everyRecord() {
		s := readSchema(t, name)
		assert.NotEmpty(t, s.root["description"], name)
		properties, _ := s.root["properties"].(map[string]any)
		for field, property := range properties {
			node := property.(map[string]any)
			if field == "kind" && name != "span" {
				continue // its constant says it all
			}
			described := node["description"] != nil || s.resolve(node)["description"] != nil
			assert.True(t, described, "%s.%s has no description", name, field)
		}
	}
}

func TestWhatTheLibraryWritesIsValidByItsSchema(t *testing.T) {
	records := everyRecord()
	for name, record := range records {
		s := readSchema(t, name)
		assert.Empty(t, s.validate(decode(t, record.AppendJSON(nil))), name)
	}
	bare := &clipspan.Span{SpanID: "a", Name: "read_file"}
	assert.Empty(t, readSchema(t, "span").validate(decode(t, bare.AppendJSON(nil))),
		"a span that knows nothing writes null for its lengths, and that is valid")
}

func TestTheSpanSchemaRefuses(t *testing.T) {
	good := `{"span_id":"a","name":"read_file","observed_bytes":10,"injected_bytes":4,"injected_tokens":1,` +
		`"clip_reason":"prompt_token_cap","started_at":"2026-12-01T02:11:00Z","kept_ranges":[[0,4]]}`
	s := readSchema(t, "span")
	require.Empty(t, s.validate(decode(t, []byte(good))))

	for name, change := range map[string][2]string{
		"a length that is left out":             {`"observed_bytes":10,`, ``},
		"a fractional length":                   {`"injected_bytes":4`, `"injected_bytes":4.5`},
		"a negative length":                     {`"injected_bytes":4`, `"injected_bytes":-4`},
		"a length in a string":                  {`"injected_bytes":4`, `"injected_bytes":"4"`},
		"a free-text reason":                    {`prompt_token_cap`, `model was busy`},
		"a reason in capitals":                  {`prompt_token_cap`, `PROMPT_TOKEN_CAP`},
		"a status that is not final":            {`"name"`, `"status":"running","name"`},
		"a hash of 16 digits":                   {`"name"`, `"sha256_observed":"65c74c15a686187b","name"`},
		"an empty span id":                      {`"span_id":"a"`, `"span_id":""`},
		"a time that is not in UTC":             {`02:11:00Z`, `02:11:00+01:00`},
		"a kept range of one end":               {`[[0,4]]`, `[[0]]`},
		"a record of another kind":              {`"name"`, `"kind":"turn","name"`},
		"a version that does not exist":         {`"name"`, `"v":2,"name"`},
		"a preview that is no text":             {`"name"`, `"injected_preview":null,"name"`},
		"a lossless flag that is not yes or no": {`"name"`, `"render_lossless":1,"name"`},
	} {
		t.Run(name, func(t *testing.T) {
			require.Contains(t, good, change[0])
			bad := strings.Replace(good, change[0], change[1], 1)
			assert.NotEmpty(t, s.validate(decode(t, []byte(bad))), bad)
		})
	}
}

func TestTheSchemasLetUnknownFieldsPass(t *testing.T) {
	for name, record := range everyRecord() {
		record.Envelope().Extra = []clipspan.Field{{Name: "eino.x", Raw: `{"a":[1,null]}`}}
		assert.Empty(t, readSchema(t, name).validate(decode(t, record.AppendJSON(nil))), name)
	}
}
