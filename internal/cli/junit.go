package cli

import (
	"io"
	"strconv"

	"github.com/clipspan/clipspan/internal/termsafe"
	"github.com/clipspan/clipspan/trace"
)

// writeJUnit prints one test case for each finding, and one more for each note
// that fails the gate, and for what is about no single record. The form is that of
// the Ant task, with file and line, as most services read it.
func writeJUnit(w io.Writer, v *view) error {
	notes := v.failingNotes()
	beside := len(notes) + len(v.ruling.run)
	tests, failures, skipped := beside, beside, 0
	var f trace.Finding
	for f = range v.findings {
		tests++
		switch {
		case v.ruling.fails(&f):
			failures++
		case skipReason(&f, v.ruling) != "":
			skipped++
		}
	}
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
	for _, n := range notes {
		b = appendCaseStart(b, n.File, n.Line, "note: "+noteText(&n))
		b = appendFailure(append(b, '>'), wordNote, n.Text)
		b = append(b, "</testcase>\n"...)
	}
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
	b = appendCaseStart(b, f.File, f.Line, caseName(f))
	reason := skipReason(f, r)
	switch {
	case r.fails(f):
		b = appendFailure(append(b, '>'), word(f), string(appendMessage(nil, f)))
	case reason != "":
		b = appendXML(append(b, `><skipped message="`...), reason)
		b = append(b, `"/>`...)
	default:
		return append(b, "/>\n"...)
	}
	return append(b, "</testcase>\n"...)
}

// appendCaseStart leaves the tag open.
func appendCaseStart(b []byte, file string, line int, name string) []byte {
	b = appendXML(append(b, `    <testcase classname="`...), file)
	b = appendXML(append(b, `" name="`...), name)
	b = appendXML(append(b, `" file="`...), file)
	b = strconv.AppendInt(append(b, `" line="`...), int64(line), 10)
	return append(b, '"')
}

// skipReason says why a finding neither passes nor fails, or "" if it does.
func skipReason(f *trace.Finding, r *ruling) string {
	if flag := r.sparedBy(f); flag != "" {
		return string(appendMessage(nil, f)) + "; put up with by " + flag
	}
	if f.Unknown {
		return "the import does not know the observed size"
	}
	return ""
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
	case f.RunID != "":
		return "run " + f.RunID
	default:
		return "the file"
	}
}

// appendMessage says in a line what was found that is not ok, fit for a terminal.
func appendMessage(b []byte, f *trace.Finding) []byte {
	if f.Subject == trace.SubjectDamage {
		return appendDetail(b, f)
	}
	b = appendDetail(append(append(b, word(f)...), ' '), f)
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
