package cli

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/trace"
)

// hostile are texts that have done harm in the reports of other programs.
var hostile = []string{
	"read_file",
	"\x1b[2J\x1b]52;c;cm0gLXJm\a\x1b]8;;http://a.example\x1b\\b",
	"\u009b31m\x9b31m\x7f\x00\r\b",
	"gpj.\u202eexe\u2066\u200b\ufeff\U000e0041",
	"a\nb\r\nc\u2028d\u0085e\tf",
	"]]></failure><script>alert(1)</script>&lt;\"'",
	"|`<b>**_[x](javascript:a)@octo|\\|",
	"::error::x%0A::set-output name=a::b,c:d ##[add-mask]x ##vso[task.setvariable]y",
	"\xff\xfe\xed\xa0\x80",
	"=HYPERLINK(1)",
}

// FuzzFormats puts a text into every place of a trace that reports show, and
// into the name of the file, and looks at the report in every format.
func FuzzFormats(f *testing.F) {
	for _, text := range hostile {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, report := hostileCheck(t, text)
		a, _, stderr := testApp("")
		for range 2 { // a listing of everything, then the short one of a single file
			v := c.view(report, c.gate.judge(report))
			for _, format := range formats {
				shown := printed(t, format, v)
				requireHarmless(t, shown)
				requireWellFormed(t, format.name, shown)
			}
			v.color = true
			requireHarmless(t, regexp.MustCompile("\x1b\\[(31|32|33|0)m").ReplaceAllString(printed(t, formats[0], v), ""))
			a.tellRuling(v)
			c.all, c.inputs = false, []input{{name: "file" + text}}
		}
		a.run(t.Context(), []string{"check", "./no/such/" + text})
		a.run(t.Context(), []string{"check", "--fail-on", text, "-"})
		a.run(t.Context(), []string{"check", "--format", text, "-"})
		a.run(t.Context(), []string{"check", "--" + text, "-"})
		a.run(t.Context(), []string{text})
		requireHarmless(t, stderr.String())
	})
}

func printed(t *testing.T, f format, v *view) string {
	var b strings.Builder
	require.NoError(t, f.write(&b, v))
	return b.String()
}

// hostileCheck is a check of a hostile trace, whose notes fail it, too.
func hostileCheck(t *testing.T, text string) (*check, *trace.Report) {
	checker := trace.NewChecker(trace.WithAll())
	require.NoError(t, checker.Add(t.Context(), "file"+text, strings.NewReader(hostileTrace(text))))
	c := &check{app: newApp(nil, nil, nil), gate: gate{failOn: newFailOn()}, all: true}
	c.gate.failOn.words = append(c.gate.failOn.words, wordNote)
	c.gate.minCoverage = 100
	report := checker.Report()
	require.False(t, report.Summary.Trusted)
	return c, report
}

// hostileTrace holds a finding of every kind.
func hostileTrace(text string) string {
	span := clipspan.Span{
		Header: clipspan.Header{RunID: text},
		SpanID: text, Name: "t" + text, Status: "ok", ClipReason: clipspan.ClipReason(text), PromptBuilderVersion: text,
		ObservedBytes: clipspan.Known(100), InjectedBytes: clipspan.Known(10), InjectedTokens: clipspan.Known(3),
	}
	unfinished := span
	unfinished.SpanID, unfinished.Status = "2"+text, clipspan.Status("s"+text)
	rendered := span
	rendered.SpanID, rendered.Render, rendered.RenderedBytes = "3"+text, text, clipspan.Known(99)
	turn := clipspan.Turn{TurnID: text, Error: text, Delivered: []clipspan.Delivery{{ToolCallID: text, SpanID: text, Bytes: clipspan.Known(1)}}}
	gap := clipspan.Gap{FromSeq: clipspan.Known(7), ToSeq: clipspan.Known(8), Count: clipspan.Known(2), Error: text}
	b := []byte{}
	for _, r := range []clipspan.Record{&span, &unfinished, &rendered, &turn, &gap} {
		b = append(r.AppendJSON(b), '\n')
	}
	return string(b) + strings.NewReplacer("\n", "", "\r", "").Replace(text) + "\n{\"" + text
}

// requireHarmless holds everything that is shown to what a terminal shows and
// nothing else.
func requireHarmless(t *testing.T, shown string) {
	t.Helper()
	require.True(t, utf8.ValidString(shown))
	require.NotContains(t, shown, "##[")
	require.NotContains(t, shown, "##vso[")
	harmful := strings.IndexFunc(shown, func(r rune) bool {
		return r != '\n' && (unicode.Is(unicode.C, r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r))
	})
	require.Negative(t, harmful, "%q", shown)
}

func requireWellFormed(t *testing.T, format, shown string) {
	t.Helper()
	switch format {
	case "jsonl":
		for line := range strings.Lines(shown) {
			require.True(t, json.Valid([]byte(line)), line)
		}
	case "junit":
		requireXML(t, shown)
	case "github":
		for line := range strings.Lines(shown) {
			require.Regexp(t, `^(::(error|warning|notice) (file=[^:,]*,|line=\d+,)*title=[^:,]*::|# |not trustworthy: )`, line)
			require.NotRegexp(t, `%([^0-9A-F]|$)`, line)
		}
	case "markdown":
		requireMarkdown(t, shown)
	}
}

// requireXML looks for elements and attributes that are not ours.
func requireXML(t *testing.T, shown string) {
	t.Helper()
	decoder := xml.NewDecoder(strings.NewReader(shown))
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		require.NoError(t, err, shown)
		if element, ok := token.(xml.StartElement); ok {
			require.Contains(t, []string{"testsuites", "testsuite", "testcase", "failure", "skipped"}, element.Name.Local)
			for _, attribute := range element.Attr {
				require.Contains(t, []string{
					"name", "classname", "file", "line", "type", "message", "tests", "failures", "errors", "skipped",
				}, attribute.Name.Local)
			}
		}
	}
}

// requireMarkdown counts the cells of every row and looks for HTML.
func requireMarkdown(t *testing.T, shown string) {
	t.Helper()
	require.NotContains(t, shown, "<")
	for line := range strings.Lines(shown) {
		if !strings.HasPrefix(line, "|") {
			continue
		}
		plain := bytes.ReplaceAll([]byte(line), []byte(`\\`), nil)
		plain = bytes.ReplaceAll(plain, []byte(`\|`), nil)
		require.Equal(t, columns+1, bytes.Count(plain, []byte("|")), line)
		require.NotRegexp(t, "[^\\\\]`", string(plain))
	}
}
