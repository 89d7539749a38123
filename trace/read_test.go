package trace_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/trace"
)

const okHash = "65c74c15a686187bb6bbf9958f494fc6b80068034a659a9ad44991b08c58f2d2"

// okSpan is the line of a span that is ok.
func okSpan(id string) string {
	return fmt.Sprintf(`{"span_id":%q,"name":"read_file","status":"ok","observed_bytes":10,"injected_bytes":10,`+
		`"injected_tokens":3,"clip_reason":"none","sha256_observed":%q,"sha256_injected":%q}`, id, okHash, okHash)
}

// read reads everything. Damaged lines are told as "line: kind: message".
func read(t *testing.T, r io.Reader) (ids, damage []string) {
	t.Helper()
	for rec, err := range trace.Read("f", r) {
		var bad *trace.LineError
		switch {
		case errors.As(err, &bad):
			assert.Equal(t, "f", bad.File)
			damage = append(damage, fmt.Sprintf("%d: %s: %s", bad.Line, bad.Damage, bad.Msg))
		case err != nil:
			damage = append(damage, err.Error())
		default:
			ids = append(ids, rec.(*clipspan.Span).SpanID)
		}
	}
	return ids, damage
}

func TestReadingGoesOnBehindABadLine(t *testing.T) {
	a, b := okSpan("a"), okSpan("b")
	for _, c := range []struct {
		name, text  string
		ids, damage []string
	}{
		{"nothing", "", nil, nil},
		{"two lines", a + "\n" + b + "\n", []string{"a", "b"}, nil},
		{"a last line without its end", a + "\n" + b, []string{"a", "b"}, nil},
		{"line ends of Windows", a + "\r\n" + b + "\r\n", []string{"a", "b"}, nil},
		{"lines of white space", "\n \t\n" + a + "\n\r\n" + b + "\n\n", []string{"a", "b"}, nil},
		{"a byte order mark", "\ufeff" + a + "\n" + b + "\n", []string{"a", "b"}, nil},
		{
			"only a leading byte order mark is none of the text", a + "\n\ufeff" + b + "\n",
			[]string{"a"},
			[]string{`2: syntax: unexpected character 'ï' at byte 1`},
		},
		{
			"a torn last line", a + "\n" + b[:40],
			[]string{"a"},
			[]string{"2: torn: unexpected end of input"},
		},
		{
			"only the last line can be torn", a[:40] + "\n" + b + "\n",
			[]string{"b"},
			[]string{"1: syntax: unexpected end of input"},
		},
		{
			"a torn line with its end was cut by somebody else", a + "\n" + b[:40] + "\n",
			[]string{"a"},
			[]string{"2: syntax: unexpected end of input"},
		},
		{
			"a last line that is no JSON is not torn", a + "\n{]",
			[]string{"a"},
			[]string{`2: syntax: unexpected character ']' at byte 2`},
		},
		{
			"a line torn inside a rune", a + "\n{\"name\":\"\xe6\xbc",
			[]string{"a"},
			[]string{"2: torn: unexpected end of input"},
		},
		{
			"a line cut inside a rune, not at the end", "{\"name\":\"\xe6\xbc\n" + b,
			[]string{"b"},
			[]string{"1: utf8: invalid UTF-8"},
		},
		{
			"invalid UTF-8", "{\"name\":\"\xff\"}\n" + b,
			[]string{"b"},
			[]string{"1: utf8: invalid UTF-8"},
		},
		{
			"two objects on a line", a + a + "\n" + b,
			[]string{"b"},
			[]string{fmt.Sprintf("1: syntax: unexpected character '{' at byte %d", len(a)+1)},
		},
		{
			"a torn line that swallowed the next", a[:40] + b + "\n" + b,
			[]string{"b"},
			[]string{`1: syntax: unexpected character 's' at byte 43`},
		},
		{
			"lines that are no objects", "[1]\n\"a\"\n12\nnull\ntrue\n" + b,
			[]string{"b"},
			[]string{
				"1: no_object: not an object", "2: no_object: not an object", "3: no_object: not an object",
				"4: no_object: not an object", "5: no_object: not an object",
			},
		},
		{
			"a run of NULs", a + "\n" + strings.Repeat("\x00", 3000) + "\n" + b,
			[]string{"a", "b"},
			[]string{`2: syntax: unexpected character '\x00' at byte 1`},
		},
		{
			"a hole that a crash left in front of a record", strings.Repeat("\x00", 10) + a + "\n" + b,
			[]string{"b"},
			[]string{`1: syntax: unexpected character '\x00' at byte 1`},
		},
		{
			"nesting that would kill a process", strings.Repeat(`{"a":`, 20_000) + "\n" + b,
			[]string{"b"},
			[]string{"1: syntax: nested too deep at byte 501"},
		},
		{
			"UTF-16, little endian", "\xff\xfe{\x00\"\x00",
			nil,
			[]string{"reading f: the input is UTF-16, a trace is UTF-8"},
		},
		{
			"UTF-16, big endian, without a mark", "\x00{\x00\"\x00}\x00\n",
			nil,
			[]string{"reading f: the input is UTF-16, a trace is UTF-8"},
		},
		{
			"records of others are passed over",
			`{"level":"info","msg":"started"}` + "\n" + `{"kind":"metric","name":"x"}` + "\n" + `{"kind":5,"name":"x"}` + "\n" + b,
			[]string{"b"},
			nil,
		},
		{
			"keys of others may stand twice, also in another letter case",
			`{"level":1,"level":2}` + "\n" + `{"kind":"other","Name":"x","name":"y","name":"z"}` + "\n" + b,
			[]string{"b"},
			nil,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			ids, damage := read(t, strings.NewReader(c.text))
			assert.Equal(t, c.ids, ids)
			assert.Equal(t, c.damage, damage)
			ids, damage = read(t, iotest.OneByteReader(strings.NewReader(c.text)))
			assert.Equal(t, c.ids, ids, "a byte at a time")
			assert.Equal(t, c.damage, damage, "a byte at a time")
		})
	}
}

func TestAKeyMustBeClear(t *testing.T) {
	for line, msg := range map[string]string{
		`{"name":"t","observed_bytes":1,"observed_bytes":2}`:                  `key "observed_bytes" stands twice`,
		`{"name":"t","observed_bytes":1,"observed\u005fbytes":2}`:             `key "observed_bytes" stands twice`,
		`{"name":"t","x":1,"x":2}`:                                            `key "x" stands twice`,
		`{"name":"t","x":1,"\u0078":2}`:                                       `key "x" stands twice`,
		`{"name":"t","model":1,"model":2}`:                                    `key "model" stands twice`,
		`{"name":"t","Observed_Bytes":1}`:                                     `key "Observed_Bytes" is one of ours in another letter case`,
		`{"clip_reason":"redaction","Clip_Reason":"none"}`:                    `key "Clip_Reason" is one of ours in another letter case`,
		`{"name":"t","\u0053tatus":1}`:                                        `key "Status" is one of ours in another letter case`,
		`{"name":"t","\u017ftatus":1}`:                                        `key "ſtatus" is one of ours in another letter case`,
		`{"kind":"turn","kind":"turn"}`:                                       `key "kind" stands twice`,
		`{"kind":"other","kind":"turn"}`:                                      `key "kind" stands twice`,
		`{"kind":"turn","Delivered":[]}`:                                      `key "Delivered" is one of ours in another letter case`,
		`{"kind":"turn","delivered":[{"bytes":1,"bytes":2}]}`:                 `key "bytes" stands twice`,
		`{"kind":"turn","delivered":[{"Bytes":1}]}`:                           `key "Bytes" is one of ours in another letter case`,
		`{"kind":"turn","delivered":[{"x":1,"x":2}]}`:                         `key "x" stands twice`,
		`{"kind":"turn","provider_edits":{"Cleared_Tool_Uses":1}}`:            `key "Cleared_Tool_Uses" is one of ours in another letter case`,
		`{"name":"t","stages":[{"reason":"none"},{"policy":"a","policy":1}]}`: `key "policy" stands twice`,
		`{"kind":"gap","count":1,"count":1}`:                                  `key "count" stands twice`,
		`{"kind":"run_end","Spans":1}`:                                        `key "Spans" is one of ours in another letter case`,
	} {
		_, err := trace.Parse([]byte(line))
		var bad *trace.LineError
		if assert.ErrorAs(t, err, &bad, line) {
			assert.Equal(t, trace.DamageKey, bad.Damage, line)
			assert.Equal(t, msg, bad.Msg, line)
		}
	}
}

func TestWhatIsNotOursIsNotGuarded(t *testing.T) {
	for _, line := range []string{
		`{"name":"t","x":{"k":1,"k":2,"Name":3,"observed_bytes":1,"observed_bytes":2}}`, // inside an unknown value
		`{"name":"t","Model":"m","Delivered":1}`,                                        // keys of other kinds
		`{"name":"t","Bytes":1}`,                                                        // a key of a delivery
		`{"kind":"turn","Observed_Bytes":1}`,
		`{"name":"t","eino.x":1,"eino.X":2}`,
	} {
		_, err := trace.Parse([]byte(line))
		assert.NoError(t, err, line)
	}
}

func TestWhatIsAToolSpan(t *testing.T) {
	for line, ours := range map[string]bool{
		`{"name":"t"}`:                              true,
		`{"kind":null,"name":"t"}`:                  true,
		`{"kind":"","name":"t"}`:                    true,
		`{"kind":"tool"}`:                           true,
		`{"n\u0061me":"t"}`:                         true,
		`{"observed_bytes":1}`:                      true,
		`{"injected_bytes":null}`:                   true,
		`{"injected_tokens":"x"}`:                   true,
		`{"clip_reason":"none","name":""}`:          true,
		`{"sha256_observed":""}`:                    true,
		`{"sha256_injected":""}`:                    true,
		`{"name":""}`:                               false,
		`{"name":5}`:                                false,
		`{"span_id":"a","status":"ok"}`:             false,
		`{"kind":"Tool","name":"t"}`:                false,
		`{"kind":"tool_call","observed_bytes":100}`: false,
		`{}`: false,
		``:   false,
		" ":  false,
	} {
		rec, err := trace.Parse([]byte(line))
		if ours {
			require.NoError(t, err, line)
			assert.IsType(t, &clipspan.Span{}, rec, line)
		} else {
			assert.ErrorIs(t, err, trace.ErrOther, line)
			assert.Nil(t, rec, line)
		}
	}
}

func TestAValueOfAnotherTypeIsKeptAsItStands(t *testing.T) {
	for line, want := range map[string]clipspan.Field{
		`{"name":"t","observed_bytes":"1000"}`:                      {Name: "observed_bytes", Raw: `"1000"`},
		`{"name":"t","observed_bytes": 999.5 }`:                     {Name: "observed_bytes", Raw: `999.5`},
		`{"name":"t","observed_bytes":1e3}`:                         {Name: "observed_bytes", Raw: `1e3`},
		`{"name":"t","observed_bytes":-5}`:                          {Name: "observed_bytes", Raw: `-5`},
		`{"name":"t","observed_bytes":18446744073709551616}`:        {Name: "observed_bytes", Raw: `18446744073709551616`},
		`{"name":"t","observed_bytes":{"a" : [1]}}`:                 {Name: "observed_bytes", Raw: `{"a" : [1]}`},
		`{"name":"t","clip_reason":5}`:                              {Name: "clip_reason", Raw: `5`},
		`{"name":"t","status":false}`:                               {Name: "status", Raw: `false`},
		`{"name":"t","run_id":7}`:                                   {Name: "run_id", Raw: `7`},
		`{"name":"t","v":"1"}`:                                      {Name: "v", Raw: `"1"`},
		`{"name":"t","seq":0}`:                                      {Name: "seq", Raw: `0`},
		`{"name":"t","sha256_observed":1}`:                          {Name: "sha256_observed", Raw: `1`},
		`{"name":"t","notice":"yes"}`:                               {Name: "notice", Raw: `"yes"`},
		`{"name":"t","render_lossless":1}`:                          {Name: "render_lossless", Raw: `1`},
		`{"name":"t","started_at":"yesterday"}`:                     {Name: "started_at", Raw: `"yesterday"`},
		`{"name":"t","ended_at":1764600000}`:                        {Name: "ended_at", Raw: `1764600000`},
		`{"name":"t","started_at":"0001-01-01T00:00:00Z"}`:          {Name: "started_at", Raw: `"0001-01-01T00:00:00Z"`},
		`{"name":"t","kept_ranges":[[0,1],[2]]}`:                    {Name: "kept_ranges", Raw: `[[0,1],[2]]`},
		`{"name":"t","kept_ranges":[[0,1],[2,3.5]]}`:                {Name: "kept_ranges", Raw: `[[0,1],[2,3.5]]`},
		`{"name":"t","stages":{"reason":"none"}}`:                   {Name: "stages", Raw: `{"reason":"none"}`},
		`{"name":"t","stages":[{"bytes_in":1}]}`:                    {Name: "stages", Raw: `[{"bytes_in":1}]`},
		`{"name":"t","stages":[5]}`:                                 {Name: "stages", Raw: `[5]`},
		`{"kind":"turn","delivered":[{"span_id":"a","x":1}]}`:       {Name: "delivered", Raw: `[{"span_id":"a","x":1}]`},
		`{"kind":"turn","evicted":["a",5]}`:                         {Name: "evicted", Raw: `["a",5]`},
		`{"kind":"turn","provider_edits":"none"}`:                   {Name: "provider_edits", Raw: `"none"`},
		`{"kind":"turn","provider_edits":{"cleared_tool_uses":-1}}`: {Name: "provider_edits", Raw: `{"cleared_tool_uses":-1}`},
		`{"kind":"run_end","spans":"x"}`:                            {Name: "spans", Raw: `"x"`},
		`{"kind":"gap","error":7}`:                                  {Name: "error", Raw: `7`},
		`{"name":"t","eino.x": {"b" :1}}`:                           {Name: "eino.x", Raw: `{"b" :1}`},
		`{"name":"t","x":null}`:                                     {Name: "x", Raw: `null`},
		`{"name":"t","model":"gpt"}`:                                {Name: "model", Raw: `"gpt"`},
	} {
		rec, err := trace.Parse([]byte(line))
		require.NoError(t, err, line)
		assert.Equal(t, []clipspan.Field{want}, rec.Envelope().Extra, line)
		again, err := trace.Parse(rec.AppendJSON(nil))
		require.NoError(t, err, line)
		assert.Equal(t, rec, again, "written and read again: %s", line)
	}
}

func TestWhatAWrongValueMeansToTheRecord(t *testing.T) {
	span := func(line string) *clipspan.Span {
		rec, err := trace.Parse([]byte(line))
		require.NoError(t, err)
		return rec.(*clipspan.Span)
	}
	assert.True(t, span(`{"name":"t","observed_bytes":"1000"}`).ObservedBytes.Invalid())
	assert.Equal(t, clipspan.Count{}, span(`{"name":"t","observed_bytes":null}`).ObservedBytes, "null is the same as absent")
	assert.Equal(t, clipspan.ClipReason("5"), span(`{"name":"t","clip_reason":5}`).ClipReason, "outside the enum, not undeclared")
	assert.Equal(t, clipspan.ReasonUndeclared, span(`{"name":"t","clip_reason":null}`).ClipReason)
	assert.Equal(t, clipspan.Status("5"), span(`{"name":"t","status":5}`).Status, "not final")
	assert.Empty(t, span(`{"name":"t","span_id":5}`).SpanID)
	assert.Nil(t, span(`{"name":"t","kept_ranges":[[0,1],[2]]}`).KeptRanges, "half a list would claim that the rest is lost")
}

func TestNumbersAreExact(t *testing.T) {
	rec, err := trace.Parse([]byte(`{"name":"t","observed_bytes":9007199254740993,"injected_bytes":9223372036854775807,"seq":9223372036854775807}`))
	require.NoError(t, err)
	span := rec.(*clipspan.Span)
	assert.Equal(t, clipspan.Known(9007199254740993), span.ObservedBytes)
	assert.Equal(t, clipspan.Known(9223372036854775807), span.InjectedBytes)
	assert.Equal(t, int64(9223372036854775807), span.Seq)
}

func TestAParsedRecordDoesNotReferToItsLine(t *testing.T) {
	line := []byte(okSpan("a") + "\n")
	rec, err := trace.Parse(line)
	require.NoError(t, err)
	want := string(rec.AppendJSON(nil))
	clear(line)
	assert.Equal(t, want, string(rec.AppendJSON(nil)))
}

func TestRecordsThatWereReadMayBeKept(t *testing.T) {
	text := okSpan("a") + "\n" + `{"kind":"turn","turn_id":"t1","delivered":[{"span_id":"a"}],"evicted":["x"]}` + "\n" +
		okSpan("b") + "\n" + `{"kind":"turn","turn_id":"t2","delivered":[{"span_id":"b"}],"evicted":["y"]}` + "\n"
	var kept []clipspan.Record
	for rec, err := range trace.Read("f", strings.NewReader(text)) {
		require.NoError(t, err)
		kept = append(kept, rec)
	}
	require.Len(t, kept, 4)
	assert.Equal(t, "a", kept[0].(*clipspan.Span).SpanID)
	assert.Equal(t, "a", kept[1].(*clipspan.Turn).Delivered[0].SpanID)
	assert.Equal(t, []string{"x"}, kept[1].(*clipspan.Turn).Evicted)
	assert.Equal(t, "b", kept[2].(*clipspan.Span).SpanID)
}

func TestAnErrorOfTheReaderEndsReading(t *testing.T) {
	broken := errors.New("connection reset")
	r := io.MultiReader(strings.NewReader(okSpan("a")+"\n"+okSpan("b")[:30]), iotest.ErrReader(broken))
	var ids []string
	var last error
	for rec, err := range trace.Read("f", r) {
		last = err
		if err == nil {
			ids = append(ids, rec.(*clipspan.Span).SpanID)
		}
	}
	assert.Equal(t, []string{"a"}, ids, "half a line is not judged")
	assert.ErrorIs(t, last, broken)
	assert.EqualError(t, last, "reading f: connection reset")
}

func TestAReaderThatYieldsNothingIsGivenUp(t *testing.T) {
	_, damage := read(t, readerFunc(func([]byte) (int, error) { return 0, nil }))
	assert.Equal(t, []string{"reading f: " + io.ErrNoProgress.Error()}, damage)
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(b []byte) (int, error) { return f(b) }

func TestReadingMayStopAnywhere(t *testing.T) {
	text := strings.Repeat(okSpan("a")+"\n", 10)
	n := 0
	for range trace.Read("f", strings.NewReader(text)) {
		if n++; n == 3 {
			break
		}
	}
	assert.Equal(t, 3, n)
}

// A line that was written must not wait for the next one: somebody may be
// following the file.
func TestALineIsYieldedWhenItsEndWasRead(t *testing.T) {
	r, w := io.Pipe()
	lines := make(chan string)
	go func() {
		defer close(lines)
		for rec := range trace.Read("f", r) {
			lines <- rec.(*clipspan.Span).SpanID
		}
	}()
	for _, id := range []string{"a", "b", "c"} {
		line := okSpan(id) + "\n"
		for _, half := range []string{line[:20], line[20:]} {
			_, err := io.WriteString(w, half)
			require.NoError(t, err)
		}
		assert.Equal(t, id, <-lines)
	}
	require.NoError(t, w.Close())
	_, open := <-lines
	assert.False(t, open)
}

func TestLongLinesAreRead(t *testing.T) {
	long := func(size int) string {
		return `{"name":"t","span_id":"long","injected_preview":"` + strings.Repeat("x", size) + `"}`
	}
	for _, size := range []int{64<<10 - 1, 64 << 10, 256 << 10, 1 << 20, 5 << 20} {
		text := okSpan("a") + "\n" + long(size) + "\n" + okSpan("b") + "\n"
		ids, damage := read(t, strings.NewReader(text))
		assert.Equal(t, []string{"a", "long", "b"}, ids)
		assert.Empty(t, damage)
	}
}

func TestTimesAreReadToTheNanosecond(t *testing.T) {
	rec, err := trace.Parse([]byte(`{"name":"t","started_at":"2026-03-01T02:11:00.123456789Z","ended_at":"2026-03-01T03:11:00+01:00"}`))
	require.NoError(t, err)
	span := rec.(*clipspan.Span)
	assert.Equal(t, time.Date(2026, 3, 1, 2, 11, 0, 123456789, time.UTC), span.StartedAt)
	assert.Equal(t, time.Date(2026, 3, 1, 2, 11, 0, 0, time.UTC), span.EndedAt)
}
