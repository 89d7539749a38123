package doctest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/trace"
)

// call is what the emitter of the page is told about one tool call.
type call struct {
	Name     string
	Observed []byte
	Injected []byte
	Reason   clipspan.ClipReason
}

// driver calls the page's emitter for every call on its standard input.
const driver = `
import base64, json, sys
from emitter import emit_span

for call in json.load(sys.stdin):
    emit_span(sys.argv[1], "turn-1", call["Name"], base64.b64decode(call["Observed"]),
              base64.b64decode(call["Injected"]), 7, "estimate", call["Reason"], "cap-v1")
`

var pythonBlock = regexp.MustCompile("(?s)```python\n(.*?)```")

// emitter is the first Python block of the page.
func emitter(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "emitters.md"))
	require.NoError(t, err)
	match := pythonBlock.FindStringSubmatch(strings.ReplaceAll(string(page), "\r\n", "\n"))
	require.NotNil(t, match)
	return match[1]
}

func TestTheEmitterOfThePageHasNoMoreThan25Lines(t *testing.T) {
	assert.LessOrEqual(t, strings.Count(emitter(t), "\n"), 25)
}

// havePython runs it once: a name in the path may be a mere pointer to a shop.
var havePython = sync.OnceValue(func() bool { return exec.Command("python3", "-c", "").Run() == nil })

// emit has the page's emitter append the calls to a trace.
func emit(t *testing.T, path string, calls ...call) {
	t.Helper()
	if !havePython() {
		t.Skip("this machine has no python3")
	}
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "emitter.py"), []byte(emitter(t)), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "driver.py"), []byte(driver), 0o600))
	input, err := json.Marshal(calls)
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), "python3", filepath.Join(dir, "driver.py"), path)
	cmd.Stdin = bytes.NewReader(input)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// check is the verdict of every span of a trace, by tool, and its summary.
func check(t *testing.T, path string) (verdicts map[string]trace.Finding, summary trace.Summary) {
	t.Helper()
	file, err := os.Open(path)
	require.NoError(t, err)
	defer file.Close()
	checker := trace.NewChecker(trace.WithAll())
	require.NoError(t, checker.Add(t.Context(), path, file))
	verdicts = map[string]trace.Finding{}
	for finding := range checker.Report().Findings() {
		if finding.Subject == trace.SubjectSpan {
			verdicts[finding.Name] = finding
		}
	}
	return verdicts, checker.Report().Summary
}

func TestTheCheckerJudgesWhatTheEmitterOfThePageWrites(t *testing.T) {
	body := []byte(strings.Repeat("app:\n  name: \"billing\" € 世界\n", 4000))
	cases := map[string]struct {
		call
		want clipspan.Verdict
	}{
		"a whole result":                     {call{"", body, body, clipspan.ReasonNone}, clipspan.VerdictOK},
		"a declared cut":                     {call{"", body, body[:8192], clipspan.ReasonToolResultCharLimit}, clipspan.VerdictClipped},
		"a cut declared none":                {call{"", body, body[:8192], clipspan.ReasonNone}, clipspan.VerdictSilentClip},
		"a cut that nobody declared":         {call{"", body, body[:8192], clipspan.ReasonUndeclared}, clipspan.VerdictSilentClip},
		"bytes swapped at equal length":      {call{"", []byte("port: 8443"), []byte("port: 8080"), clipspan.ReasonNone}, clipspan.VerdictHashMismatch},
		"a redaction":                        {call{"", []byte("key: hunter2"), []byte("key: [hidden by policy]"), clipspan.ReasonRedaction}, clipspan.VerdictOK},
		"an empty result":                    {call{"", []byte{}, []byte{}, clipspan.ReasonNone}, clipspan.VerdictOK},
		"bytes that are not UTF-8":           {call{"", []byte("\xff\xfe\x00\x80"), []byte("\xff\xfe\x00\x80"), clipspan.ReasonNone}, clipspan.VerdictOK},
		"line ends of all kinds":             {call{"", []byte("a\r\nb\u2028c\u0085d\x1e"), []byte("a\r\nb\u2028c\u0085d\x1e"), clipspan.ReasonNone}, clipspan.VerdictOK},
		"a rune across the preview's end":    {call{"", bytes.Repeat([]byte("世"), 50), bytes.Repeat([]byte("世"), 50), clipspan.ReasonNone}, clipspan.VerdictOK},
		"a tool with \"quotes\" and\na line": {call{"", []byte("x"), []byte("x"), clipspan.ReasonNone}, clipspan.VerdictOK},
	}
	var calls []call
	for name, c := range cases {
		c.call.Name = name
		calls = append(calls, c.call)
	}
	path := filepath.Join(t.TempDir(), "run.jsonl")
	emit(t, path, calls...)

	verdicts, summary := check(t, path)
	require.Len(t, verdicts, len(cases))
	assert.Zero(t, summary.Damage)
	for name, c := range cases {
		assert.Equal(t, c.want, verdicts[name].Verdict, name)
		assert.Equal(t, clipspan.EvidenceComputed, verdicts[name].Evidence, name)
	}
	for _, span := range spans(t, path) {
		c := cases[span.Name]
		assert.Equal(t, clipspan.Known(int64(len(c.Observed))), span.ObservedBytes, span.Name)
		assert.Equal(t, clipspan.Known(int64(len(c.Injected))), span.InjectedBytes, span.Name)
		assert.True(t, span.SHA256Observed.Equal(sum(c.Observed)), span.Name)
		assert.True(t, span.SHA256Injected.Equal(sum(c.Injected)), span.Name)
		assert.LessOrEqual(t, len(span.InjectedPreview), 128, span.Name)
		if utf8.Valid(c.Injected) {
			assert.Equal(t, clipspan.Preview(string(c.Injected), 128), span.InjectedPreview, span.Name)
		}
	}
}

func sum(data []byte) clipspan.Hash {
	digest := sha256.Sum256(data)
	return clipspan.ParseHash(hex.EncodeToString(digest[:]))
}

func TestTheEmitterOfThePageWritesWhatTheSchemaAllows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl")
	emit(t, path, call{"read_file", []byte("a\nb"), []byte("a"), clipspan.ReasonToolResultCharLimit})
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Empty(t, readSchema(t, "span").validate(decode(t, text)))
}

func TestATornRecordDoesNotSwallowTheNextOneOfThePagesEmitter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl")
	emit(t, path, call{"first", []byte("a"), []byte("a"), clipspan.ReasonNone})
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	torn := append(whole, whole[:len(whole)/2]...)
	require.NoError(t, os.WriteFile(path, torn, 0o600))
	emit(t, path, call{"second", []byte("b"), []byte("b"), clipspan.ReasonNone})

	verdicts, summary := check(t, path)
	assert.Contains(t, verdicts, "first")
	assert.Contains(t, verdicts, "second")
	assert.Equal(t, 1, summary.Damage)
}

// spans are all tool spans of a trace without damage.
func spans(t *testing.T, path string) (list []*clipspan.Span) {
	t.Helper()
	file, err := os.Open(path)
	require.NoError(t, err)
	defer file.Close()
	for record, err := range trace.Read(path, file) {
		require.NoError(t, err)
		list = append(list, record.(*clipspan.Span))
	}
	return list
}
