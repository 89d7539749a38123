package cli

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/trace"
)

var silentClip = trace.Finding{
	File: "run.jsonl", Line: 7, SpanID: "0198b2f4-0000-7000-8000-000000000001", Name: "read_file",
	Verdict: clipspan.VerdictSilentClip, Detail: []string{"ratio=0.88"}, Evidence: clipspan.EvidenceComputed,
	ObservedBytes: clipspan.Known(1000), InjectedBytes: clipspan.Known(120),
}

func TestARowAllocatesNothing(t *testing.T) {
	b := make([]byte, 0, 1<<10)
	table := table{widths: articleWidths, ruling: &ruling{gate: &gate{}}}
	table.appendRow(b, &silentClip) // the cell grows once
	for name, add := range map[string]func(*trace.Finding){
		"table": func(f *trace.Finding) { table.appendRow(b, f) },
		"jsonl": func(f *trace.Finding) { appendObject(b, f) },
	} {
		f := silentClip
		assert.Zero(t, testing.AllocsPerRun(100, func() { add(&f) }), name)
	}
}

func BenchmarkRow(b *testing.B) {
	buf := make([]byte, 0, 1<<10)
	table := table{widths: articleWidths, ruling: &ruling{gate: &gate{}}}
	f := silentClip
	b.Run("table", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			buf = table.appendRow(buf[:0], &f)
		}
	})
	b.Run("jsonl", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			buf = appendObject(buf[:0], &f)
		}
	})
}

// manySilent is a trace of n silent clips, of which the last knows that the
// model was not told.
func manySilent(n int) string {
	var b strings.Builder
	for i := range n {
		line := strings.Replace(silentLine, `"cut"`, `"s`+strconv.Itoa(i)+`"`, 1)
		if i == n-1 {
			line = strings.Replace(line, "{", `{"notice":false,`, 1)
		}
		b.WriteString(line)
	}
	return b.String()
}

func TestAMarkdownPageSaysHowManyRowsItLeavesOut(t *testing.T) {
	for rows, want := range map[int]string{
		maxMarkdownRows:     "",
		maxMarkdownRows + 2: "\nRows left out: 2.\n",
	} {
		a, stdout, _ := testApp(manySilent(rows))
		require.Equal(t, exitNotTrusted, a.run(t.Context(), []string{"check", "--format", "markdown", "-"}))
		assert.Equal(t, maxMarkdownRows, strings.Count(stdout.String(), "\n| silent"))
		assert.Equal(t, want != "", strings.Contains(stdout.String(), "Rows left out"))
		assert.Contains(t, stdout.String(), want)
	}
}

func TestTheLastOfManyRowsCanBringTheColumnTold(t *testing.T) {
	a, stdout, _ := testApp(manySilent(measuredRows + 5))
	a.run(t.Context(), []string{"check", "-"})
	head, _, _ := strings.Cut(stdout.String(), "\n")
	assert.Contains(t, head, " told ")
	assert.Regexp(t, `\nsilent_clip +s1004 +bash +100 +20 +no +`, stdout.String())
}

func TestACellThatIsTooWideShiftsItsRowOnly(t *testing.T) {
	wide := strings.Repeat("x", 2*maxWidth)
	a, stdout, _ := testApp(silentLine + strings.Replace(silentLine, `"cut"`, `"`+wide+`"`, 1))
	a.run(t.Context(), []string{"check", "-"})
	lines := strings.Split(stdout.String(), "\n")
	tool := strings.Index(lines[0], "tool")
	assert.Equal(t, len("silent_clip  ")+maxWidth+2, tool)
	assert.Equal(t, "bash", lines[1][tool:tool+4])
	assert.Contains(t, lines[2], wide+"  bash")
}
