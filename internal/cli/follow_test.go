package cli

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	okLine     = `{"span_id":"ok","name":"read_file","status":"ok","observed_bytes":10,"injected_bytes":10,"injected_tokens":3,"clip_reason":"none","sha256_observed":"aaaaaaaaaaaaaaaa","sha256_injected":"aaaaaaaaaaaaaaaa"}` + "\n"
	silentLine = `{"span_id":"cut","name":"bash","status":"ok","observed_bytes":100,"injected_bytes":20,"injected_tokens":5,"clip_reason":"none","sha256_observed":"aaaaaaaaaaaaaaaa","sha256_injected":"bbbbbbbbbbbbbbbb"}` + "\n"
	runEndLine = `{"kind":"run_end","v":1,"spans":2,"turns":0,"gaps":0}` + "\n"
)

// testApp is an app whose output is kept and that knows no environment.
func testApp(stdin string) (a *app, stdout, stderr *bytes.Buffer) {
	stdout, stderr = &bytes.Buffer{}, &bytes.Buffer{}
	a = newApp(strings.NewReader(stdin), stdout, stderr)
	a.getenv = func(string) string { return "" }
	return a, stdout, stderr
}

// written is a file that grows by one piece each time its end was reached. Then
// the user interrupts.
func written(t *testing.T, a *app, interrupt func(), pieces ...string) (name string) {
	t.Helper()
	name = filepath.Join(t.TempDir(), "run.jsonl")
	require.NoError(t, os.WriteFile(name, nil, 0o600))
	a.wait = func(ctx context.Context) error {
		if len(pieces) == 0 {
			interrupt()
			return ctx.Err()
		}
		f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
		assert.NoError(t, err)
		_, err = f.WriteString(pieces[0])
		assert.NoError(t, err)
		assert.NoError(t, f.Close())
		pieces = pieces[1:]
		return nil
	}
	return name
}

func TestFollowWaitsForTheRestOfALine(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	a, stdout, stderr := testApp("")
	name := written(t, a, interrupt, strings.Split(okLine+silentLine+runEndLine, "")...)

	assert.Equal(t, exitNotTrusted, a.run(ctx, []string{"check", "--follow", "--format", "jsonl", name}))
	assert.Empty(t, stderr)
	assert.NotContains(t, stdout.String(), "damage\":\"")

	b, whole, _ := testApp("")
	b.run(t.Context(), []string{"check", "--format", "jsonl", name})
	assert.Equal(t, whole.String(), stdout.String(), "a run that was followed byte by byte is judged as one that was read at once")
	require.NoError(t, ctx.Err(), "it ends when the run does, without an interrupt")
}

func TestFollowPrintsWhatItFindsWhileTheRunGoesOn(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	a, _, _ := testApp("")
	rows := make(chan string, 10)
	a.stdout = writerFunc(func(p []byte) (int, error) {
		rows <- string(p)
		return len(p), nil
	})
	first := ""
	name := written(t, a, func() {
		first = <-rows // before the run has ended in any way
		interrupt()
	}, okLine, silentLine)

	assert.Equal(t, exitNotTrusted, a.run(ctx, []string{"check", "--follow", name}))
	assert.Regexp(t, `^status .*\nsilent_clip .* ratio=0.80\n$`, first, "what is ok is not told")
	rest := <-rows
	assert.NotContains(t, rest, "ratio=0.80", "a finding is told once")
	assert.Contains(t, rest, "not trustworthy")
}

func TestFollowedRowsStandUnderOneHeadingAndMakeRoomForThoseToCome(t *testing.T) {
	named := func(id string) string { return strings.Replace(silentLine, `"cut"`, `"`+id+`"`, 1) }
	a, stdout, _ := testApp(named("a") + named(silentClip.SpanID) + named("b"))
	assert.Equal(t, exitNotTrusted, a.run(t.Context(), []string{"check", "--follow", "-"}))
	rows, summary, _ := strings.Cut(stdout.String(), "\n\n")
	lines := strings.Split(rows, "\n")
	require.Len(t, lines, 4)
	tool := func(line string) int { return strings.Index(line, "bash") }
	assert.Equal(t, strings.Index(lines[0], "tool"), tool(lines[1]))
	assert.Contains(t, lines[2], silentClip.SpanID, "a row to come may have the same end")
	assert.Equal(t, tool(lines[2]), tool(lines[3]))
	assert.Regexp(t, `^# file: -\n`, summary)
}

func TestFollowTellsEveryDamagedLineOnce(t *testing.T) {
	a, stdout, _ := testApp(okLine + strings.Repeat("not json\n", 2*damagedLines))
	assert.Equal(t, exitNotTrusted, a.run(t.Context(), []string{"check", "--follow", "-"}))
	assert.Equal(t, 2*damagedLines, strings.Count(stdout.String(), "\ndamage "))
	assert.NotContains(t, stdout.String(), "more damaged")
}

func TestAnInterruptEndsFollowingWithTheVerdict(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	a, stdout, stderr := testApp("")
	name := written(t, a, interrupt, okLine)

	assert.Equal(t, exitTrusted, a.run(ctx, []string{"check", "--follow", name}))
	assert.Empty(t, stderr)
	assert.Contains(t, stdout.String(), "\ntrustworthy\n")
}

func TestAHalfLineIsTornOnceFollowingEnds(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	a, stdout, _ := testApp("")
	name := written(t, a, interrupt, okLine, silentLine[:50])

	assert.Equal(t, exitNotTrusted, a.run(ctx, []string{"check", "--follow", name}))
	assert.Contains(t, stdout.String(), "torn: ")
}

func TestFollowGoesOnWhileOneOfTwoRunsIsOpen(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	a, _, _ := testApp("")
	run := func(id, line string) string { return `{"run_id":"` + id + `",` + line[1:] }
	name := written(t, a, interrupt, run("a", okLine)+run("b", okLine), run("a", runEndLine), run("b", silentLine), run("b", runEndLine))

	a.run(ctx, []string{"check", "--follow", name})
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	assert.Contains(t, string(text), run("b", runEndLine))
	require.NoError(t, ctx.Err())
}

func TestAFollowedFileThatIsTruncatedIsAnError(t *testing.T) {
	a, _, stderr := testApp("")
	name := written(t, a, func() {}, okLine)
	grow := a.wait
	a.wait = func(ctx context.Context) error {
		if info, err := os.Stat(name); err == nil && info.Size() > 0 {
			return os.Truncate(name, 3)
		}
		return grow(ctx)
	}

	assert.Equal(t, exitUnusable, a.run(t.Context(), []string{"check", "--follow", name}))
	assert.Contains(t, stderr.String(), "truncated while it was followed")
}

func TestFollowEndsWhenNobodyReadsItsOutput(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	a, _, stderr := testApp("")
	a.stdout = closedPipe(t)
	name := written(t, a, interrupt, silentLine)

	assert.Equal(t, exitNotTrusted, a.run(ctx, []string{"check", "--follow", name}))
	assert.Empty(t, stderr)
}

func TestTheWaitForGrowthEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	assert.True(t, errors.Is(waitForGrowth(ctx), context.Canceled))
}
