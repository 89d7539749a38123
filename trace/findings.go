package trace

import (
	"cmp"
	"slices"

	"github.com/clipspan/clipspan"
)

// tally is how much of each kind of finding a checker has, in the order of files
// and lines.
type tally struct{ spans, turns, damage int }

func (c *Checker) tally() tally {
	return tally{c.entries.n, c.turns.n, len(c.damage)}
}

// subject is one finding in the making.
type subject struct {
	kind Subject
	i    uint32
}

// between calls f for every subject from one tally to another, in the order of
// files and lines, until f returns false.
func (c *Checker) between(from, to tally, f func(subject) bool) bool {
	for from != to {
		next, at := subject{kind: SubjectDamage}, place{file: len(c.files)}
		if from.damage < to.damage {
			next.i = uint32(from.damage)
			if c.damage[next.i].line > 0 { // what is in no line comes last
				at = c.damage[next.i].place
			}
		}
		if from.turns < to.turns && c.turns.at(uint32(from.turns)).compare(at) < 0 {
			next, at = subject{SubjectTurn, uint32(from.turns)}, c.turns.at(uint32(from.turns)).place
		}
		if from.spans < to.spans && c.placeOf(uint32(from.spans)).compare(at) < 0 {
			next = subject{SubjectSpan, uint32(from.spans)}
		}
		switch next.kind {
		case SubjectSpan:
			from.spans++
		case SubjectTurn:
			from.turns++
		default:
			from.damage++
		}
		if !f(next) {
			return false
		}
	}
	return true
}

// tellLive tells what was merged since a tally.
func (c *Checker) tellLive(since tally) {
	if c.config.live == nil {
		return
	}
	c.between(since, c.tally(), func(s subject) bool {
		c.config.live(c.finding(s))
		return true
	})
}

// counts reports whether a subject is one to tell of: not a record that another
// one replaced.
func (c *Checker) counts(s subject) bool {
	return s.kind != SubjectSpan || !c.entries.at(s.i).is(flagSuperseded)
}

// verdict is a subject's, 0 for damage.
func (c *Checker) verdict(s subject) clipspan.Verdict {
	switch s.kind {
	case SubjectSpan:
		return clipspan.Verdict(c.entries.at(s.i).verdict)
	case SubjectTurn:
		return clipspan.Verdict(c.turns.at(s.i).verdict)
	default:
		return 0
	}
}

func (c *Checker) finding(s subject) Finding {
	switch s.kind {
	case SubjectSpan:
		return c.spanFinding(s.i)
	case SubjectTurn:
		t := c.turns.at(s.i)
		return Finding{
			Subject: s.kind, File: c.files[t.file], Line: int(t.line), RunID: c.groups[t.group].runID,
			TurnID: t.id, Verdict: clipspan.Verdict(t.verdict), Detail: t.details.texts(nil),
		}
	default:
		d := &c.damage[s.i]
		return Finding{
			Subject: s.kind, File: c.files[d.file], Line: int(d.line), RunID: d.runID,
			Damage: d.damage, Detail: []string{d.detail}, Lines: max(d.lines, 1),
		}
	}
}

func (c *Checker) spanFinding(i uint32) Finding {
	e, at := c.entries.at(i), c.placeOf(i)
	class := c.classes[e.class]
	text := c.words.text(class.text)
	return Finding{
		File: c.files[at.file], Line: int(at.line), RunID: c.groups[class.group].runID,
		SpanID: c.idText(e), Name: c.words.text(class.name),
		Verdict: clipspan.Verdict(e.verdict), Detail: e.detailTexts(text), Unknown: e.unknown(),
		Evidence:      e.evidence(),
		ObservedBytes: e.countIf(flagObserved, e.observed),
		InjectedBytes: e.countIf(flagInjected, e.injected),
		Notice:        e.notice(), ClipReason: e.clipReason(text),
		PromptBuilderVersion: c.words.text(class.version),
	}
}

// compareDamage orders damage by file and line, with what is in no line last.
func compareDamage(a, b damaged) int {
	if (a.line == 0) != (b.line == 0) {
		if a.line == 0 {
			return 1
		}
		return -1
	}
	return cmp.Or(a.place.compare(b.place), cmp.Compare(a.damage, b.damage), cmp.Compare(a.runID, b.runID))
}

// report makes the report of a run that was judged.
func (r *run) report() *Report {
	slices.SortStableFunc(r.damage, compareDamage)
	slices.SortStableFunc(r.notes, func(a, b note) int { return a.compare(b.place) })
	out := &Report{checker: r.Checker, sights: r.sights}
	for _, n := range r.notes {
		out.Notes = append(out.Notes, Note{
			File: r.files[n.file], Line: int(n.line), RunID: r.groups[n.group].runID,
			SpanID: n.spanID, TurnID: n.turnID, Text: n.text,
		})
	}
	out.Summary = r.summary()
	return out
}

// summary counts what the rules left.
func (r *run) summary() Summary {
	s := Summary{Other: r.other, Damage: len(r.damage) + r.untold, Notes: len(r.notes), Turns: r.Checker.turns.n}
	for i := range uint32(r.entries.n) {
		e := r.entries.at(i)
		if e.is(flagSuperseded) {
			continue
		}
		s.Spans++
		s.Evidence[e.evidence()]++
		if e.is(flagObserved) {
			s.ObservedKnown++
		}
		if e.notice() != clipspan.NoticeUnknown && (r.config.all || e.verdict != uint8(clipspan.VerdictOK)) {
			s.NoticeKnown++
		}
		if e.unknown() {
			s.Unknown++
		} else {
			s.Counts[e.verdict]++
		}
	}
	for i := range uint32(s.Turns) {
		s.TurnCounts[r.Checker.turns.at(i).verdict]++
	}
	s.Why = r.whyNot(&s)
	s.Trusted = s.Why == nil
	return s
}

// whyNot lists why the trace is untrustworthy.
func (r *run) whyNot(s *Summary) (why []string) {
	if s.Damage > 0 {
		why = append(why, "damage")
	}
	for _, v := range clipspan.Verdicts() {
		if !v.Trusted() && s.Counts[v]+s.TurnCounts[v] > 0 {
			why = append(why, v.String())
		}
	}
	if s.Spans == 0 && !r.config.allowEmpty {
		why = append(why, "no tool spans")
	}
	return why
}
