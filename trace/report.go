package trace

import (
	"iter"
	"sync"

	"github.com/clipspan/clipspan"
)

// Report is the verdict of everything that a [Checker] was given. It is safe for
// concurrent use.
type Report struct {
	Summary Summary
	Notes   []Note // in the order of files and lines

	checker *Checker // which has ended
	sights  []*sight
	ranking sync.Once
	ranked  []subject // made when it is first asked for
}

// Summary counts what a report holds.
type Summary struct {
	Trusted bool
	Why     []string // why not, in short phrases such as "no tool spans"; nil if trusted

	Spans   int // distinct tool spans
	Turns   int
	Other   int // lines of other vendors and of unknown kinds
	Unknown int // imported spans of which only the observed size is unknown

	// Counts are of spans only, those in Unknown left out:
	// Spans is their sum plus Unknown.
	Counts     Counts
	TurnCounts Counts
	Damage     int // every damaged line is one
	Notes      int

	// Evidence counts spans by [clipspan.Evidence].
	Evidence [int(clipspan.EvidenceVerified) + 1]int
	// NoticeKnown counts the spans among [Report.Findings] of which it is known
	// whether their text has a notice.
	NoticeKnown int
	// ObservedKnown counts spans whose observed bytes are known.
	ObservedKnown int
}

// SilentPer100 is the number of silent clips per one hundred tool spans.
func (s *Summary) SilentPer100() float64 {
	if s.Spans == 0 {
		return 0
	}
	return 100 * float64(s.Counts.Of(clipspan.VerdictSilentClip)) / float64(s.Spans)
}

// Coverage is the share of spans, 0 to 1, whose observed size is known; 1 if
// there are none.
func (s *Summary) Coverage() float64 {
	if s.Spans == 0 {
		return 1
	}
	return float64(s.ObservedKnown) / float64(s.Spans)
}

// Counts is a number for each verdict.
type Counts [int(clipspan.VerdictOK) + 1]int

// Of is the number for one verdict.
func (c Counts) Of(v clipspan.Verdict) int { return c[v] }

// Untrusted is the number for the three verdicts that make a trace untrustworthy.
func (c Counts) Untrusted() (n int) {
	for _, v := range clipspan.Verdicts() {
		if !v.Trusted() {
			n += c[v]
		}
	}
	return n
}

// Subject says what a [Finding] is about.
type Subject uint8

// The subjects of findings.
const (
	SubjectSpan Subject = iota
	SubjectTurn
	SubjectDamage // a damaged line, or damage of a run
)

// Finding is what was found about one span, one turn, or one damaged line.
type Finding struct {
	Subject Subject
	File    string // the name given to [Checker.Add]
	Line    int    // from 1; 0 for damage that is in no line
	RunID   string

	SpanID string // of a span
	TurnID string // of a turn
	Name   string // the tool, of a span

	Verdict clipspan.Verdict // none for damage
	Damage  Damage           // "" for spans and turns
	Lines   int              // of damage: 1, or how many damaged lines it stands for (see [Report.Findings])
	Detail  []string         // belongs to the receiver; nil if there is none
	Unknown bool             // incomplete, yet counted as unknown: an import can't know the observed size

	// Of spans only.
	Evidence             clipspan.Evidence
	ObservedBytes        clipspan.Count
	InjectedBytes        clipspan.Count
	Notice               clipspan.Notice
	ClipReason           clipspan.ClipReason
	PromptBuilderVersion string
}

// Note is something that a reader of the report should know and that fails
// nothing. Line is 0 and the ids are empty where they don't apply.
type Note struct {
	File   string
	Line   int
	RunID  string
	SpanID string
	TurnID string
	Text   string
}

// Visibility says from which turn to which turn the model could see a result
// (RECORDS, Verdict of a run).
type Visibility struct {
	RunID        string
	Conversation string
	SpanID       string
	ToolCallID   string
	From         string // turn id of the first request that carried it
	To           string // turn id of the last one of which it is known, "" if it stayed
	Gone         string // turn id of the request that no longer carried it whole, or ""
	LateClip     bool   // Gone still carried a part or another text
}

// Findings yields spans, turns and damage in the order of files and lines;
// damage that is in no line comes last. Of the damaged lines of a file the first
// thousand are findings of their own; the others are one for each kind, with
// their number in Lines. Spans and turns that are ok are among
// them only if the checker was made with [WithAll].
func (r *Report) Findings() iter.Seq[Finding] {
	return func(yield func(Finding) bool) {
		c := r.checker
		c.between(tally{}, c.tally(), func(s subject) bool {
			return !r.tells(s) || yield(c.finding(s))
		})
	}
}

// tells reports whether a subject is among the findings.
func (r *Report) tells(s subject) bool {
	c := r.checker
	return c.counts(s) && (c.config.all || c.verdict(s) != clipspan.VerdictOK)
}

// WorstFirst yields what [Report.Findings] yields, damage first, then by verdict,
// the worst first; the unknown spans, which fail nothing, after the verdicts that
// do.
func (r *Report) WorstFirst() iter.Seq[Finding] {
	return func(yield func(Finding) bool) {
		r.ranking.Do(r.rank)
		for _, s := range r.ranked {
			if !yield(r.checker.finding(s)) {
				return
			}
		}
	}
}

// rank puts the subjects of the findings in the order of their ranks. It counts
// them first, as there may be millions.
func (r *Report) rank() {
	c := r.checker
	each := func(f func(s subject, rank int)) {
		c.between(tally{}, c.tally(), func(s subject) bool {
			if r.tells(s) {
				f(s, c.rank(s))
			}
			return true
		})
	}
	var next [ranks + 1]int // of each rank, where its next subject belongs
	each(func(_ subject, rank int) { next[rank+1]++ })
	for rank := range ranks {
		next[rank+1] += next[rank]
	}
	r.ranked = make([]subject, next[ranks])
	each(func(s subject, rank int) {
		r.ranked[next[rank]] = s
		next[rank]++
	})
}

// ranks is how many different ranks there are.
const ranks = 2 * len(Counts{})

// rank is the place of a subject among those of a report, 0 for damage.
func (c *Checker) rank(s subject) int {
	if s.kind == SubjectSpan && c.entries.at(s.i).unknown() {
		return 2*int(clipspan.VerdictHashMismatch) + 1
	}
	return 2 * int(c.verdict(s))
}

// Visibility yields one entry for each result and conversation that turns say
// they delivered, and a further one if it was delivered again after it was gone.
func (r *Report) Visibility() iter.Seq[Visibility] {
	return func(yield func(Visibility) bool) {
		for _, s := range r.sights {
			if !yield(r.checker.visibility(s)) {
				return
			}
		}
	}
}

func (c *Checker) visibility(s *sight) Visibility {
	v := Visibility{
		RunID: c.groups[s.group].runID, Conversation: c.words.text(s.conversation.name),
		SpanID: c.idText(c.entries.at(s.span)), ToolCallID: s.callText,
		From: s.from.id, LateClip: s.late,
	}
	if s.gone != nil {
		v.To, v.Gone = s.to.id, s.gone.id
	}
	return v
}
