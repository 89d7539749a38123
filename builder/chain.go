package builder

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/clipspan/clipspan"
)

// Stage is one step of a [Chain]. Its String is the step with all its settings,
// such as "max_bytes(4096, head)": spans name by it the policies that fired.
type Stage interface {
	fmt.Stringer
	phase() phase
	// apply does to the draft what the stage is there for, and reports whether
	// that changed anything.
	apply(ctx context.Context, d *draft) (fired bool, err error)
}

// phase is when a stage has its turn.
type phase int

const (
	rendering phase = iota // before that which is rendered is measured
	omitting
	redacting // over the whole text, and before a cut could split a secret
	cutting
)

// Chain makes a prompt builder of stages. With no stages it injects every result
// as it is. Two turn budgets in one chain are a mistake of the program: Chain
// panics.
//
// The version is the user's own name for the policy, such as "cap-v4". A
// fingerprint of all settings is added to it ("cap-v4+1f3a"), so that a changed
// cap can't go by an old version.
func Chain(version string, stages ...Stage) clipspan.Builder {
	c := &chain{}
	settings := make([]string, len(stages))
	budgets := 0
	stages = slices.Clone(stages)
	slices.SortStableFunc(stages, func(a, b Stage) int { return int(a.phase() - b.phase()) })
	for i, s := range stages {
		settings[i] = s.String()
		if s.phase() == cutting {
			c.caps = append(c.caps, s)
		} else {
			c.stages = append(c.stages, s)
		}
		if _, ok := s.(*turnBudget); ok {
			budgets++
		}
	}
	if budgets > 1 {
		panic("builder: a chain can have only one turn budget")
	}
	c.version = version + "+" + fingerprint(settings)
	return c
}

// fingerprint tells settings apart: 16 bits are enough for somebody who forgot to
// give a changed policy a new version.
func fingerprint(settings []string) string {
	sum := sha256.Sum256([]byte(strings.Join(settings, "\n")))
	return hex.EncodeToString(sum[:2])
}

type chain struct {
	version string
	stages  []Stage // by phase
	caps    []Stage
}

func (c *chain) Version() string { return c.version }

func (c *chain) Build(ctx context.Context, o clipspan.Observation) (clipspan.Injection, error) {
	d := newDraft(o)
	if t := turnOf(ctx); t != nil {
		defer t.leave(d) // whatever happens here, the turn's other calls don't wait for it
	}
	for _, s := range c.stages {
		if _, err := s.apply(ctx, d); err != nil {
			return clipspan.Injection{}, fmt.Errorf("prompt builder %s: %s: %w", c.version, s, err)
		}
	}
	if _, err := settle(ctx, d, c.caps); err != nil {
		return clipspan.Injection{}, fmt.Errorf("prompt builder %s: %w", c.version, err)
	}
	return d.injection(), nil
}

// settle applies caps until all of them hold at once: a marker that is short in
// the unit of a later one may put the text above an earlier one again. Each that
// fires makes the text shorter, so that this ends.
func settle(ctx context.Context, d *draft, caps []Stage) (fired bool, err error) {
	for i, held := 0, 0; held < len(caps); i = (i + 1) % len(caps) {
		cut, err := caps[i].apply(ctx, d)
		if err != nil {
			return fired, fmt.Errorf("%s: %w", caps[i], err)
		}
		held++
		if cut {
			fired, held = true, 1
		}
	}
	return fired, nil
}

// Full is the stage that cuts nothing: for a tool whose result has to reach the
// model whole.
func Full() Stage { return full{} }

type full struct{}

func (full) String() string                              { return "full" }
func (full) phase() phase                                { return cutting }
func (full) apply(context.Context, *draft) (bool, error) { return false, nil }
