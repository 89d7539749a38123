package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

// closedPipe is a pipe that nobody reads any more, as after head.
func closedPipe(t *testing.T) io.Writer {
	t.Helper()
	r, w, err := os.Pipe()
	require.NoError(t, err)
	require.NoError(t, r.Close())
	t.Cleanup(func() { w.Close() })
	return w
}

func TestAClosedPipeIsNoErrorAndKeepsTheVerdict(t *testing.T) {
	for _, format := range formatNames() {
		a, _, stderr := testApp(silentLine)
		a.stdout = closedPipe(t)
		assert.Equal(t, exitNotTrusted, a.run(t.Context(), []string{"check", "--format", format, "-"}), format)
		assert.Empty(t, stderr, format)
	}
	for _, args := range [][]string{{"--help"}, {"version"}} {
		a, _, stderr := testApp("")
		a.stdout = closedPipe(t)
		assert.Equal(t, exitTrusted, a.run(t.Context(), args), args)
		assert.Empty(t, stderr, args)
	}
}

// full fails as a full disk does, once it took some bytes.
type full struct{ left int }

func (f *full) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errors.New("no space left on device")
	}
	return len(p), nil
}

func TestAReportThatCannotBeWrittenIsAnError(t *testing.T) {
	for _, format := range formatNames() {
		for _, left := range []int{0, 100} {
			a, _, stderr := testApp(okLine + silentLine)
			a.stdout = &full{left}
			assert.Equal(t, exitUnusable, a.run(t.Context(), []string{"check", "--format", format, "-"}), format)
			assert.Equal(t, "clipspan: error: writing the report: no space left on device\n", stderr.String(), format)
		}
	}
}

func TestALargeReportStopsAtTheFirstWriteThatFails(t *testing.T) {
	a, _, _ := testApp(strings.Repeat(silentLine, 5000))
	writes := 0
	a.stdout = writerFunc(func([]byte) (int, error) {
		writes++
		return 0, errors.New("full")
	})
	assert.Equal(t, exitUnusable, a.run(t.Context(), []string{"check", "--format", "jsonl", "-"}))
	assert.Equal(t, 1, writes)
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func TestAnInterruptEndsEvenAReadThatBlocks(t *testing.T) {
	defer goleak.VerifyNone(t)
	ctx, interrupt := context.WithCancel(t.Context())
	a, stdout, stderr := testApp("")
	silence, writer := io.Pipe()
	a.stdin = readerFunc(func(p []byte) (int, error) {
		interrupt() // while the command waits
		return silence.Read(p)
	})

	assert.Equal(t, exitUnusable, a.run(ctx, []string{"check", "-"}))
	assert.Empty(t, stdout)
	assert.Equal(t, "clipspan: error: interrupted\n", stderr.String())
	require.NoError(t, writer.Close())
}

func TestTheProgressBarComesAfterASecondAndGoes(t *testing.T) {
	for name, c := range map[string]struct {
		step     time.Duration // that every look at the clock takes
		terminal bool
		env      map[string]string
		shown    bool
	}{
		"a terminal and a long time":         {time.Second, true, nil, true},
		"a terminal and a short time":        {time.Millisecond, true, nil, false},
		"no terminal":                        {time.Second, false, nil, false},
		"a terminal that can only print":     {time.Second, true, map[string]string{"TERM": "dumb"}, false},
		"the pretended terminal of a job":    {time.Second, true, map[string]string{"CI": "true"}, false},
		"a person who says CI=false":         {time.Second, true, map[string]string{"CI": "false"}, true},
		"colours have nothing to do with it": {time.Second, true, map[string]string{"NO_COLOR": "1"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			defer goleak.VerifyNone(t)
			a, _, stderr := testApp(strings.Repeat(okLine, 2000))
			a.errTerminal = c.terminal
			a.getenv = func(name string) string { return c.env[name] }
			now := time.Time{}
			a.now = func() time.Time { now = now.Add(c.step); return now }

			a.run(t.Context(), []string{"check", "-"})
			assert.Equal(t, c.shown, strings.Contains(stderr.String(), "checking"), "%q", stderr)
			if c.shown {
				assert.Regexp(t, `\r *\r$`, stderr.String(), "the line is left empty")
			}
		})
	}
}

func TestColoursGoToTerminalsThatKnowThem(t *testing.T) {
	for name, c := range map[string]struct {
		flag     string
		terminal bool
		env      map[string]string
		colored  bool
	}{
		"a terminal":                        {colorAuto, true, map[string]string{"TERM": "xterm"}, true},
		"a file":                            {colorAuto, false, map[string]string{"TERM": "xterm"}, false},
		"a terminal that can only print":    {colorAuto, true, map[string]string{"TERM": "dumb"}, false},
		"a job of a CI service":             {colorAuto, true, map[string]string{"TERM": "xterm", "CI": "1"}, false},
		"a job that asks for colours":       {colorAuto, false, map[string]string{"CI": "1", "CLICOLOR_FORCE": "1"}, true},
		"CLICOLOR_FORCE=0 asks for nothing": {colorAuto, false, map[string]string{"CLICOLOR_FORCE": "0"}, false},
		"NO_COLOR wins over CLICOLOR_FORCE": {colorAuto, true, map[string]string{"NO_COLOR": "1", "CLICOLOR_FORCE": "1"}, false},
		"an empty NO_COLOR says nothing":    {colorAuto, true, map[string]string{"TERM": "xterm", "NO_COLOR": ""}, true},
		"the flag wins over NO_COLOR":       {colorAlways, false, map[string]string{"NO_COLOR": "1"}, true},
		"the flag wins over CLICOLOR_FORCE": {colorNever, true, map[string]string{"CLICOLOR_FORCE": "1"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			a, _, _ := testApp("")
			a.outTerminal = c.terminal
			a.getenv = func(name string) string { return c.env[name] }
			assert.Equal(t, c.colored, a.colored(c.flag))
		})
	}
}

func TestABufferAndAFileAreNoTerminals(t *testing.T) {
	assert.False(t, isTerminal(&strings.Builder{}))
	f, err := os.CreateTemp(t.TempDir(), "")
	require.NoError(t, err)
	defer f.Close()
	assert.False(t, isTerminal(f))
}

func TestMarkdownMakesNoLinkOfAToolsName(t *testing.T) {
	for name, want := range map[string]string{
		"http://evil.example": "http&#58;//evil.example",
		"www.evil.example":    "www&#46;evil.example",
		"WWW.evil.example":    "WWW&#46;evil.example",
		"GH-1":                "GH&#45;1",
		"read-file: 2.0":      "read-file: 2.0",
	} {
		assert.Equal(t, want, string(appendMarkdown(nil, name)))
	}
}
