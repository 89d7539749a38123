package cli

import (
	"strconv"
	"strings"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/internal/termsafe"
	"github.com/clipspan/clipspan/trace"
)

// appendSummary appends the counts in the article's form, then the sentence that
// says whether to trust the trace.
func appendSummary(b []byte, v *view) []byte {
	for _, line := range summaryLines(v.summary) {
		b = append(append(append(b, "# "...), line...), '\n')
	}
	for i, sentence := range v.sentences() {
		color := ansiRed
		if i == 0 && v.summary.Trusted || i == 1 && v.ruling.passes() {
			color = ansiGreen
		}
		if v.color {
			b = append(b, color...)
		}
		b = termsafe.Append(b, sentence)
		if v.color {
			b = append(b, ansiReset...)
		}
		b = append(b, '\n')
	}
	return b
}

// summaryLines are the counts of a report in words, without trace text.
func summaryLines(s *trace.Summary) []string {
	list := []string{
		verdictCounts(s.Counts) + " unknown=" + strconv.Itoa(s.Unknown) + " total=" + strconv.Itoa(s.Spans),
		perHundred(s) + " silent clips per 100 tool spans",
	}
	if s.Coverage() < 1 {
		list = append(list, "observed known for "+coverage(s)+" % of results")
	}
	if s.Spans > 0 {
		line := "evidence:"
		for e := clipspan.EvidenceVerified + 1; e > 0; e-- {
			line += " " + (e - 1).String() + "=" + strconv.Itoa(s.Evidence[e-1])
		}
		list = append(list, line)
	}
	if s.Turns > 0 {
		list = append(list, "turns: "+verdictCounts(s.TurnCounts)+" total="+strconv.Itoa(s.Turns))
	}
	if s.Damage > 0 {
		list = append(list, "damage: "+strconv.Itoa(s.Damage))
	}
	if s.Other > 0 {
		list = append(list, "lines of other formats, passed over: "+strconv.Itoa(s.Other))
	}
	if s.Notes > 0 {
		list = append(list, "notes: "+strconv.Itoa(s.Notes))
	}
	return list
}

func verdictCounts(c trace.Counts) string {
	var parts []string
	for _, v := range clipspan.Verdicts() {
		parts = append(parts, v.String()+"="+strconv.Itoa(c.Of(v)))
	}
	return strings.Join(parts, " ")
}

// perHundred is rounded, but never to none.
func perHundred(s *trace.Summary) string {
	if x := s.SilentPer100(); x == 0 || x >= 0.01 {
		return twoDigits(x)
	}
	return "less than 0.01"
}

// coverage is rounded down: 100 means all.
func coverage(s *trace.Summary) string {
	return twoDigits(float64(s.ObservedKnown*10000/max(1, s.Spans)) / 100)
}
