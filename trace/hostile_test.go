package trace_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/trace"
)

func TestAFileThatIsNoTraceIsToldInAThousandLinesAndASum(t *testing.T) {
	text := strings.Repeat("x\n", 2500) + "[]\n" + strings.Repeat("y\n", 20_000) + okSpan("a") + "\n" + `{"span_id":"b`
	var live []string
	opts := []trace.Option{trace.WithLive(func(f trace.Finding) { live = append(live, told(f)) })}
	report := check(t, opts, text, "x\n")
	var list []trace.Finding
	for f := range report.Findings() {
		list = append(list, f)
	}
	require.Len(t, list, 1000+3+1)
	assert.Equal(t, "f1:1000 syntax unexpected character 'x' at byte 1", told(list[999]))
	assert.Equal(t, "f1:1001 syntax here and in further lines, 21500 in all", told(list[1000]))
	assert.Equal(t, 21_500, list[1000].Lines)
	assert.Equal(t, "f1:2501 no_object here and in further lines, 1 in all", told(list[1001]))
	assert.Equal(t, "f1:22503 torn here and in further lines, 1 in all", told(list[1002]))
	assert.Equal(t, "f2:1 syntax unexpected character 'x' at byte 1", told(list[1003]), "every file has its thousand")
	assert.Equal(t, 2500+1+20_000+1+1, report.Summary.Damage, "every line is counted")
	assert.Len(t, live, 1000+3+1+1, "and the span")
}

func TestATurnThatStandsManyTimesIsOne(t *testing.T) {
	report := check(t, all, strings.Repeat(`{"kind":"turn","turn_id":"t1","seq":1}`+"\n", 1000))
	assert.Equal(t, []string{"f1:1 t1 ok"}, findings(report))
	assert.Equal(t, 1, report.Summary.Turns)
}

func TestARecordHoldsAsManyResultsAsARequestCan(t *testing.T) {
	for _, list := range []string{
		`{"kind":"turn","delivered":[%s]}`, `{"kind":"turn","evicted":[%s]}`, `{"kind":"turn","not_visible":[%s]}`,
		`{"name":"t","stages":[%s]}`,
	} {
		element := `{},`
		if strings.Contains(list, "evicted") || strings.Contains(list, "visible") {
			element = `"",`
		}
		line := func(n int) string {
			return fmt.Sprintf(list, strings.TrimSuffix(strings.Repeat(element, n), ","))
		}
		report := check(t, nil, line(100_001))
		assert.Equal(t, 1, report.Summary.Damage, list)
		assert.Contains(t, findings(report)[0], "f1:1 syntax more than 100000 elements in ")
		_, err := trace.Parse([]byte(line(100_000)))
		require.NoError(t, err, list)
		_, err = trace.Parse([]byte(line(100_001)))
		require.ErrorContains(t, err, "more than 100000 elements", "reading says what checking says")
	}
}

// What is kept of lines that say nothing must not be many times their size.
func TestLinesThatSayNothingTakeLittleMemory(t *testing.T) {
	const size = 1 << 20
	for _, line := range []string{"x\n", `{"kind":"turn"}` + "\n", `{"kind":"turn","delivered":[` + strings.Repeat("{},", 9999) + "{}]}\n"} {
		text := strings.Repeat(line, size/len(line))
		before := heap()
		report := check(t, nil, text)
		assert.Less(t, heap(), before+size, "%.30s", line)
		runtime.KeepAlive(report)
		runtime.KeepAlive(text)
	}
}

// heap is how much memory is in use.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func TestACallIDOfManyRunsAndConversationsIsJudgedInTime(t *testing.T) {
	const n = 20_000
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, `{"span_id":"r%d","name":"t","tool_call_id":"c","run_id":"r%d"}`+"\n", i, i)
		fmt.Fprintf(&text, `{"span_id":"a%d","name":"t","tool_call_id":"c%d"}`+"\n", i, i/2)
		fmt.Fprintf(&text, `{"kind":"turn","turn_id":"t%d","conversation":"t%d","delivered":[{"span_id":"a%d"}]}`+"\n", i, i, i)
	}
	assert.Equal(t, 2*n, check(t, nil, text.String()).Summary.Spans)
}

func TestNoticeKnownCountsWhatIsTold(t *testing.T) {
	cut := strings.Replace(okSpan("b"), `"injected_bytes":10`, `"notice":true,"injected_bytes":5`, 1)
	text := strings.Replace(okSpan("a"), "{", `{"notice":false,`, 1) + "\n" + cut
	for name, opts := range map[string][]trace.Option{"without those that are ok": nil, "with all": all} {
		report, known := check(t, opts, text), 0
		for f := range report.Findings() {
			if f.Notice != clipspan.NoticeUnknown {
				known++
			}
		}
		assert.Equal(t, known, report.Summary.NoticeKnown, name)
	}
}
