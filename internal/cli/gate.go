package cli

import (
	"fmt"
	"slices"

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

// wordSilent is the one of which --max-silent allows some.
var wordSilent = clipspan.VerdictSilentClip.String()

// newFailOn is the value of --fail-on. Its default is what RECORDS calls
// untrustworthy.
func newFailOn() wordSet {
	s := wordSet{what: "words", none: wordNone}
	for _, v := range clipspan.Verdicts() {
		if v != clipspan.VerdictOK {
			s.allowed = append(s.allowed, v.String())
		}
		if !v.Trusted() {
			s.usual = append(s.usual, v.String())
		}
	}
	s.allowed = append(s.allowed, wordDamage, wordUnknown, wordNote)
	s.usual = append(s.usual, wordDamage)
	s.words = s.usual
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

// watches reports whether findings with this word count.
func (g *gate) watches(word string) bool {
	return g.failOn.has(word) || word == wordSilent && g.maxSilent.set
}

// knows reports whether the baseline forgives f.
func (g *gate) knows(f *trace.Finding) bool { return g.baseline != nil && g.baseline.knows(f) }

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
		if w == wordSilent {
			limit = g.maxSilent.n
		}
		if n := counts[w]; g.watches(w) && n > limit {
			r.words[w] = true
			r.why = append(r.why, phrase(w, n))
		}
	}
	r.run = g.judgeRun(&report.Summary)
	r.why = append(r.why, r.run...)
	if g.spares() {
		r.countSpared(report)
	}
	return r
}

// spares reports whether a flag may put up with anything.
func (g *gate) spares() bool {
	return g.baseline != nil || g.maxSilent.set || !slices.Equal(g.failOn.words, g.failOn.usual)
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
