package clipspantest

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/trace"
)

// AssertClip asserts that a span is judged as the verdict says and that every
// field that is set in want has the same value in it; what want leaves out is
// not compared. Where the verdict is one that can be trusted, all clip fields
// have to be there as well, the hashes and the prompt builder's version among
// them.
//
//	clipspantest.AssertClip(t, rec.Span(t, "read_file"), clipspan.VerdictClipped, clipspan.Span{
//		ClipReason:    clipspan.ReasonPromptTokenCap,
//		ObservedBytes: clipspan.Known(96412),
//	})
func AssertClip(t testing.TB, span *clipspan.Span, verdict clipspan.Verdict, want clipspan.Span) {
	t.Helper()
	if span == nil {
		t.Errorf("there is no span to compare")
		return
	}
	var wrong []string
	if got := clipspan.Classify(span); got.Verdict != verdict {
		wrong = append(wrong, fmt.Sprintf("verdict is %s, want %s", words(got.Verdict, got.Detail), verdict))
	}
	if verdict.Trusted() {
		wrong = append(wrong, missingClipFields(span, &want)...)
	}
	isNull := func(f clipspan.Field) bool { return f.Raw == "null" }
	wrong = append(wrong, differences(span, slices.DeleteFunc(members(&want), isNull))...)
	if len(wrong) > 0 {
		t.Errorf("%s: %s\n%s", title(span), strings.Join(wrong, "; "), describe(span))
	}
}

// missingClipFields are the clip fields that the span has not, apart from those
// that are compared anyway.
func missingClipFields(span, want *clipspan.Span) (missing []string) {
	for _, field := range []struct {
		name          string
		there, wanted bool
	}{
		{"observed_bytes", span.ObservedBytes.Known(), want.ObservedBytes.Known()},
		{"injected_bytes", span.InjectedBytes.Known(), want.InjectedBytes.Known()},
		{"injected_tokens", span.InjectedTokens.Known(), want.InjectedTokens.Known()},
		{"clip_reason", span.ClipReason != "", want.ClipReason != ""},
		{"sha256_observed", !span.SHA256Observed.IsZero(), !want.SHA256Observed.IsZero()},
		{"sha256_injected", !span.SHA256Injected.IsZero(), !want.SHA256Injected.IsZero()},
		{"prompt_builder_version", span.PromptBuilderVersion != "", want.PromptBuilderVersion != ""},
	} {
		if !field.there && !field.wanted {
			missing = append(missing, field.name+" is missing")
		}
	}
	return missing
}

// AssertTrusted asserts that the records, judged as whole runs, can be relied
// upon (RECORDS, Verdict of a run). A run that has not ended yet is judged by what
// is there, unless [trace.WithRequireEnd] is given.
func AssertTrusted(t testing.TB, records []clipspan.Record, opts ...trace.Option) {
	t.Helper()
	checker := trace.NewChecker(opts...)
	if err := checker.Add(t.Context(), "records", bytes.NewReader(JSONL(records...))); err != nil {
		t.Errorf("judging the records: %v", err)
		return
	}
	report := checker.Report()
	if report.Summary.Trusted {
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, "the run is not trustworthy: %s", strings.Join(report.Summary.Why, ", "))
	for finding := range report.WorstFirst() {
		if !finding.Verdict.Trusted() {
			b.WriteString("\n" + explain(finding, records))
		}
	}
	t.Errorf("%s", b.String())
}

// explain describes a finding by the record that it is about: the record's line
// is its place among the records.
func explain(f trace.Finding, records []clipspan.Record) string {
	switch f.Subject {
	case trace.SubjectSpan:
		span, ok := records[f.Line-1].(*clipspan.Span)
		if !ok {
			break
		}
		return fmt.Sprintf("%s: %s\n%s", title(span), words(f.Verdict, f.Detail), describe(span))
	case trace.SubjectTurn:
		return fmt.Sprintf("turn %s: %s", f.TurnID, words(f.Verdict, f.Detail))
	}
	if f.Line == 0 {
		return "run: " + words(f.Damage, f.Detail)
	}
	return fmt.Sprintf("record %d: %s", f.Line, words(f.Damage, f.Detail))
}

// words are a finding as the command prints it.
func words(found any, detail []string) string {
	return strings.Join(append([]string{fmt.Sprint(found)}, detail...), " ")
}

// title names a span in a message.
func title(s *clipspan.Span) string {
	id, name := s.SpanID, s.Name
	if id == "" {
		id = "without id"
	}
	if name == "" {
		name = "an unnamed tool"
	}
	return fmt.Sprintf("span %s of %s", id, name)
}

// describe shows what a span says: what the model got first, and only then what
// the tool returned, which is easily taken for it.
func describe(s *clipspan.Span) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\tinjected: %s, %s", sized(s.InjectedBytes, "bytes"), sized(s.InjectedTokens, "tokens"))
	if s.InjectedPreview != "" {
		fmt.Fprintf(&b, ", beginning with %q", s.InjectedPreview)
	}
	fmt.Fprintf(&b, "\n\tobserved: %s", sized(s.ObservedBytes, "bytes"))
	if s.RenderedBytes.Known() {
		fmt.Fprintf(&b, ", %s when rendered by %q", sized(s.RenderedBytes, "bytes"), s.Render)
	}
	if s.KeptBytes.Known() {
		fmt.Fprintf(&b, ", of which %s are kept", s.KeptBytes)
	}
	reason := string(s.ClipReason)
	if reason == "" {
		reason = "undeclared"
	}
	fmt.Fprintf(&b, "\n\treason: %s, by prompt builder %q", reason, s.PromptBuilderVersion)
	if s.Error != "" {
		fmt.Fprintf(&b, ", error: %s", s.Error)
	}
	return b.String()
}

func sized(c clipspan.Count, unit string) string { return c.String() + " " + unit }

// tell fails the test with what is wrong: a few examples that differ, and how many
// more there are.
func tell(t testing.TB, wrong []string) {
	t.Helper()
	const few = 5
	told, more := map[string]bool{}, 0
	for _, w := range wrong {
		if told[w] || len(told) == few {
			more++
			continue
		}
		told[w] = true
		t.Errorf("%s", w)
	}
	if more > 0 {
		t.Errorf("… and %d more", more)
	}
}
