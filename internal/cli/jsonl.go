package cli

import (
	"io"
	"math"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/internal/rawjson"
	"github.com/clipspan/clipspan/internal/termsafe"
	"github.com/clipspan/clipspan/trace"
)

// writeJSONL prints one object for each finding, in the order of lines, then the
// summary. The names of members and their order are part of the command's
// interface (docs/check.md).
func writeJSONL(w io.Writer, v *view) error {
	if err := lines(w, v.findings, appendObject); err != nil {
		return err
	}
	_, err := w.Write(appendSummaryObject(nil, v.summary))
	return err
}

func liveJSONL(*view) appendFinding { return appendObject }

func appendObject(b []byte, f *trace.Finding) []byte {
	b = appendText(append(b, `{"file":`...), f.File)
	b = rawjson.AppendInt(append(b, `,"line":`...), int64(f.Line))
	switch f.Subject {
	case trace.SubjectSpan:
		b = appendText(append(b, `,"span_id":`...), f.SpanID)
		b = appendText(append(b, `,"name":`...), f.Name)
		b = append(append(append(b, `,"verdict":"`...), f.Verdict.String()...), '"')
	case trace.SubjectTurn:
		b = appendText(append(b, `,"turn_id":`...), f.TurnID)
		b = append(append(append(b, `,"verdict":"`...), f.Verdict.String()...), '"')
	case trace.SubjectDamage:
		b = append(append(append(b, `,"damage":"`...), f.Damage...), '"')
	}
	b = append(b, `,"detail":[`...)
	for i, d := range f.Detail {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendText(b, d)
	}
	b = append(b, ']')
	if f.Subject == trace.SubjectSpan {
		b = append(append(append(b, `,"evidence":"`...), f.Evidence.String()...), '"')
	}
	return append(b, '}', '\n')
}

func appendSummaryObject(b []byte, s *trace.Summary) []byte {
	b = rawjson.AppendBool(append(b, `{"summary":{"trusted":`...), s.Trusted)
	b = appendNumber(b, `,"spans":`, s.Spans)
	b = appendNumber(b, `,"turns":`, s.Turns)
	b = appendNumber(b, `,"other":`, s.Other)
	b = appendNumber(b, `,"unknown":`, s.Unknown)
	b = append(b, `,"counts":{`...)
	for i, v := range clipspan.Verdicts() {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendNumber(append(append(append(b, '"'), v.String()...), '"'), ":", s.Counts.Of(v))
	}
	b = appendNumber(b, `},"damage":`, s.Damage)
	b = appendNumber(b, `,"notes":`, s.Notes)
	// Four digits tell 1 in 1,000,000 from none.
	perHundred := math.Round(s.SilentPer100()*1e4) / 1e4
	b = strconv.AppendFloat(append(b, `,"silent_per_100":`...), perHundred, 'f', -1, 64)
	return append(b, "}}\n"...)
}

func appendNumber(b []byte, before string, n int) []byte {
	return rawjson.AppendInt(append(b, before...), int64(n))
}

// appendText appends a JSON string that does nothing on a terminal: everything
// that can't be shown is \u escaped, and decodes to what it was.
func appendText(b []byte, s string) []byte {
	if termsafe.Clean(s) {
		return rawjson.AppendString(b, s)
	}
	b = append(b, '"')
	prev := rune(0)
	for _, r := range s { // invalid UTF-8 becomes U+FFFD, as JSON has nothing else
		if termsafe.Shown(prev, r) && r != '"' && r != '\\' {
			b = utf8.AppendRune(b, r)
		} else {
			for _, unit := range utf16.AppendRune(nil, r) {
				b = appendUnit(b, unit)
			}
		}
		prev = r
	}
	return append(b, '"')
}

// appendUnit appends one UTF-16 code unit as \uXXXX.
func appendUnit(b []byte, unit uint16) []byte {
	const digits = "0123456789abcdef"
	return append(b, '\\', 'u', digits[unit>>12], digits[unit>>8&15], digits[unit>>4&15], digits[unit&15])
}
