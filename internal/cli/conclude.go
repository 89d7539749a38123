package cli

import (
	"fmt"

	"github.com/clipspan/clipspan/trace"
)

// conclude judges the report, writes the baseline, and prints what follows.
// With a baseline just written, the report is held against that one.
func (c *check) conclude(report *trace.Report, format format, printed *live) (err error) {
	if c.writeBaselineName != "" {
		if c.gate.baseline, err = c.app.writeBaseline(string(c.writeBaselineName), report, &c.gate); err != nil {
			return err
		}
	}
	v := c.view(report, c.gate.judge(report))
	if printed != nil {
		v.findings, v.worst = printed.others(v.findings), printed.others(v.worst)
		v.followed = len(printed.printed) > 0
	}
	// Who closes the pipe has seen enough, and gets the exit code all the same.
	if err := format.write(c.app.stdout, v); err != nil && !brokenPipe(err) {
		return fmt.Errorf("writing the report: %w", err)
	}
	if format.findingsOnly {
		c.app.tellRuling(v)
	}
	c.tellInput(report)
	if c.gate.baseline != nil {
		for _, key := range c.gate.baseline.gone() {
			c.app.say("note", "no longer found, though in the baseline: %s", key)
		}
	}
	if !v.ruling.passes() {
		return errNotTrusted
	}
	return nil
}

// tellRuling tells what fails the gate or is put up with and is no finding.
func (a *app) tellRuling(v *view) {
	for _, n := range v.failingNotes() {
		a.say("note", "%s", appendNote(nil, &n))
	}
	if outcome := v.ruling.outcome(v.summary.Trusted); outcome != "" {
		a.say("note", "%s", outcome)
	}
}

// tellInput asks whether the input is a trace at all if it holds lines, and none
// of them is a record or the beginning of one.
func (c *check) tellInput(report *trace.Report) {
	if s := report.Summary; s.Spans+s.Turns+s.Other+s.Notes > 0 {
		return
	}
	strange := false
	for f := range report.Findings() {
		switch f.Damage {
		case trace.DamageSyntax, trace.DamageUTF8, trace.DamageNoObject:
			strange = true
		case trace.DamageTorn:
		default: // of records that are neither spans nor turns
			return
		}
	}
	switch file := c.onlyFile(); {
	case !strange:
	case file != "":
		c.app.say("hint", "no line of %s is a record: is it a trace?", file)
	default:
		c.app.say("hint", "no line of these files is a record: are they traces?")
	}
}

func (c *check) view(report *trace.Report, ruling *ruling) *view {
	v := &view{
		file: c.onlyFile(), summary: &report.Summary, notes: report.Notes, sights: report.Visibility(), ruling: ruling,
		all: c.all, color: c.app.colored(c.color.value),
		findings: report.Findings(), worst: report.WorstFirst(),
	}
	if !c.all && !c.follow {
		v.worst = folded(v.worst)
	}
	return v
}

// onlyFile is the name of the input, "" if there are several.
func (c *check) onlyFile() string {
	if len(c.inputs) == 1 {
		return c.inputs[0].name
	}
	return ""
}
