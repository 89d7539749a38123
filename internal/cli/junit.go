package cli

import (
	"io"
	"strconv"

	"github.com/clipspan/clipspan/internal/termsafe"
	"github.com/clipspan/clipspan/trace"
)

// writeJUnit prints one test case for each finding, and one more for what fails
// the gate and is about no single record. The form is that of the Ant task, with
// file and line, as most services read it.
func writeJUnit(w io.Writer, v *view) error {
	failures, skipped := len(v.ruling.run), 0
	var f trace.Finding
	for f = range v.findings {
		switch {
		case v.ruling.fails(&f):
			failures++
		case f.Unknown:
			skipped++
		}
	}
	s := v.summary
	tests := s.Spans + s.Turns + s.Damage + len(v.ruling.run)
	b := []byte(`<?xml version="1.0" encoding="UTF-8"?>` + "\n")
	b = appendSuite(append(b, "<testsuites"...), tests, failures, skipped)
	b = appendSuite(append(b, "  <testsuite"...), tests, failures, skipped)
	if _, err := w.Write(b); err != nil {
		return err
	}
	if err := lines(w, v.findings, func(b []byte, f *trace.Finding) []byte { return appendCase(b, f, v.ruling) }); err != nil {
		return err
	}
	b = b[:0]
	for _, why := range v.ruling.run {
		b = append(b, `    <testcase classname="clipspan" name="the trace as a whole">`...)
		b = appendFailure(b, "trace", why)
		b = append(b, "</testcase>\n"...)
	}
	_, err := w.Write(append(b, "  </testsuite>\n</testsuites>\n"...))
	return err
}

func appendSuite(b []byte, tests, failures, skipped int) []byte {
	b = append(b, ` name="clipspan check" tests="`...)
	b = strconv.AppendInt(b, int64(tests), 10)
	b = strconv.AppendInt(append(b, `" failures="`...), int64(failures), 10)
	b = strconv.AppendInt(append(b, `" errors="0" skipped="`...), int64(skipped), 10)
	return append(b, "\">\n"...)
}

func appendCase(b []byte, f *trace.Finding, r *ruling) []byte {
	b = appendXML(append(b, `    <testcase classname="`...), f.File)
	b = appendXML(append(b, `" name="`...), caseName(f))
	b = appendXML(append(b, `" file="`...), f.File)
	b = strconv.AppendInt(append(b, `" line="`...), int64(f.Line), 10)
	b = append(b, '"')
	switch {
	case r.fails(f):
		b = appendFailure(append(b, '>'), word(f), string(appendMessage(nil, f)))
	case f.Unknown:
		b = append(b, `><skipped message="the import does not know the observed size"/>`...)
	default:
		return append(b, "/>\n"...)
	}
	return append(b, "</testcase>\n"...)
}

func appendFailure(b []byte, kind, message string) []byte {
	b = appendXML(append(b, `<failure type="`...), kind)
	b = appendXML(append(b, `" message="`...), message)
	return append(b, `"/>`...)
}

// caseName tells the findings of one file apart.
func caseName(f *trace.Finding) string {
	switch {
	case f.Subject == trace.SubjectSpan:
		return "span " + f.SpanID + " " + f.Name
	case f.Subject == trace.SubjectTurn:
		return "turn " + f.TurnID
	case f.Line > 0:
		return "line " + strconv.Itoa(f.Line)
	default:
		return "run " + f.RunID
	}
}

// appendMessage says in a line what was found, fit for a terminal.
func appendMessage(b []byte, f *trace.Finding) []byte {
	if f.Subject == trace.SubjectDamage {
		return appendDetail(b, f)
	}
	b = append(b, word(f)...)
	if len(f.Detail) > 0 {
		b = appendDetail(append(b, ' '), f)
	}
	if f.Subject == trace.SubjectSpan {
		b = append(append(b, "; bytes observed: "...), f.ObservedBytes.String()...)
		b = append(append(b, ", injected: "...), f.InjectedBytes.String()...)
		b = append(append(b, "; evidence: "...), f.Evidence.String()...)
	}
	return b
}

// appendXML appends text as the value of an attribute (XML 1.0, 2.3). What
// remains after escaping for terminals are characters that XML allows.
func appendXML(b []byte, text string) []byte {
	for _, r := range []byte(termsafe.String(text)) {
		switch r {
		case '&':
			b = append(b, "&amp;"...)
		case '<':
			b = append(b, "&lt;"...)
		case '>':
			b = append(b, "&gt;"...)
		case '"':
			b = append(b, "&quot;"...)
		case '\'':
			b = append(b, "&#39;"...)
		default:
			b = append(b, r)
		}
	}
	return b
}
