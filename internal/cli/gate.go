package cli

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/trace"
)

// The words of --fail-on besides the names of the verdicts.
const (
	wordDamage  = "damage"
	wordUnknown = "unknown"
	wordNote    = "note"
	wordNone    = "none"
)

// newFailOn is the value of --fail-on. Its default is what RECORDS calls
// untrustworthy.
func newFailOn() wordSet {
	s := wordSet{what: "words", none: wordNone}
	for _, v := range clipspan.Verdicts() {
		if v != clipspan.VerdictOK {
			s.allowed = append(s.allowed, v.String())
		}
		if !v.Trusted() {
			s.words = append(s.words, v.String())
		}
	}
	s.allowed = append(s.allowed, wordDamage, wordUnknown, wordNote)
	s.words = append(s.words, wordDamage)
	return s
}

// gate says what of a report makes the command fail.
type gate struct {
	failOn      wordSet
	maxSilent   natural
	minCoverage percent
	allowEmpty  bool
	baseline    *baseline // nil if there is none
}

// ruling is what a gate makes of a report.
type ruling struct {
	why   []string // why the gate fails, in short phrases; nil if it passes
	run   []string // those of them that are about no single record
	words map[string]bool
	gate  *gate
}

// passes reports whether the command succeeds.
func (r *ruling) passes() bool { return len(r.why) == 0 }

// fails reports whether f is one of those for which the gate fails.
func (r *ruling) fails(f *trace.Finding) bool { return r.words[word(f)] && !r.known(f) }

// known reports whether the baseline forgives f.
func (r *ruling) known(f *trace.Finding) bool {
	return r.gate.baseline != nil && r.gate.baseline.knows(f)
}

// word is the word of --fail-on for a finding; "ok" is never one.
func word(f *trace.Finding) string {
	switch {
	case f.Subject == trace.SubjectDamage:
		return wordDamage
	case f.Unknown:
		return wordUnknown
	default:
		return f.Verdict.String()
	}
}

// judge holds a report against the gate.
func (g *gate) judge(report *trace.Report) *ruling {
	r := &ruling{words: map[string]bool{}, gate: g}
	counts := g.tally(report)
	for _, w := range g.failOn.allowed {
		limit := 0
		if w == clipspan.VerdictSilentClip.String() {
			limit = g.maxSilent.n
		}
		watched := g.failOn.has(w) || w == clipspan.VerdictSilentClip.String() && g.maxSilent.set
		if n := counts[w]; watched && n > limit {
			r.words[w] = true
			r.why = append(r.why, phrase(w, n))
		}
	}
	r.run = g.judgeRun(&report.Summary)
	r.why = append(r.why, r.run...)
	return r
}

// judgeRun is the part of judge that is about no single record.
func (g *gate) judgeRun(s *trace.Summary) (why []string) {
	if s.Spans == 0 && !g.allowEmpty {
		why = append(why, "no tool spans")
	}
	if pct := 100 * s.Coverage(); pct < float64(g.minCoverage) {
		why = append(why, fmt.Sprintf("observed known for %s %% of results, below %s %%", coverage(s), g.minCoverage.String()))
	}
	return why
}

// tally counts findings by their word, those in the baseline left out.
func (g *gate) tally(report *trace.Report) map[string]int {
	if g.baseline == nil {
		return countSummary(&report.Summary)
	}
	counts := map[string]int{wordNote: report.Summary.Notes}
	for f := range report.Findings() {
		if !g.baseline.forgives(&f) {
			counts[word(&f)]++
		}
	}
	return counts
}

// countSummary counts everything in a summary by its word.
func countSummary(s *trace.Summary) map[string]int {
	counts := map[string]int{wordDamage: s.Damage, wordUnknown: s.Unknown, wordNote: s.Notes}
	for _, v := range clipspan.Verdicts() {
		counts[v.String()] = s.Counts.Of(v) + s.TurnCounts.Of(v)
	}
	return counts
}

var phrases = map[string][2]string{
	clipspan.VerdictSilentClip.String():   {"silent clip", "silent clips"},
	clipspan.VerdictIncomplete.String():   {"incomplete record", "incomplete records"},
	clipspan.VerdictHashMismatch.String(): {"hash mismatch", "hash mismatches"},
	clipspan.VerdictClipped.String():      {"declared clip", "declared clips"},
	wordDamage:                            {"sign of damage", "signs of damage"},
	wordUnknown:                           {"result of unknown size", "results of unknown size"},
	wordNote:                              {"note", "notes"},
}

// phrase is a number of findings in words.
func phrase(word string, n int) string {
	if n == 1 {
		return "1 " + phrases[word][0]
	}
	return strconv.Itoa(n) + " " + phrases[word][1]
}

// twoDigits is x with at most two digits after the point.
func twoDigits(x float64) string {
	text := strconv.FormatFloat(x, 'f', 2, 64)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}
