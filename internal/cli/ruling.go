package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/clipspan/clipspan/trace"
)

// ruling is what a gate makes of a report.
type ruling struct {
	why    []string        // why the gate fails, in short phrases; nil if it passes
	run    []string        // those of them that are about no single record
	spared []string        // what is put up with, and by which flag
	words  map[string]bool // of findings that fail, if no baseline knows them
	gate   *gate
}

// passes reports whether the command succeeds.
func (r *ruling) passes() bool { return len(r.why) == 0 }

// outcome is the exit code and why, or "" if the verdict says as much.
func (r *ruling) outcome(trusted bool) string {
	code := exitTrusted
	if !r.passes() {
		code = exitNotTrusted
	}
	if trusted == r.passes() && r.spared == nil {
		return ""
	}
	return fmt.Sprintf("exit %d: %s", code, strings.Join(slices.Concat(r.why, r.spared), ", "))
}

// fails reports whether f is one of those for which the gate fails.
func (r *ruling) fails(f *trace.Finding) bool { return r.words[word(f)] && !r.gate.knows(f) }

// sparedBy is the flag that puts up with f, or "" if nothing is to be put up with.
func (r *ruling) sparedBy(f *trace.Finding) string {
	switch w := word(f); {
	case r.gate.watches(w) && r.gate.knows(f):
		return r.gate.baseline.flag
	case r.words[w]:
		return ""
	case r.gate.watches(w):
		return "--max-silent " + r.gate.maxSilent.String()
	case slices.Contains(r.gate.failOn.usual, w):
		return "--fail-on " + r.gate.failOn.String()
	default:
		return ""
	}
}

// countSpared counts what is put up with, by flag.
func (r *ruling) countSpared(report *trace.Report) {
	counts := map[string]int{}
	for f := range report.Findings() {
		if flag := r.sparedBy(&f); flag != "" {
			counts[flag]++
		}
	}
	for _, flag := range slices.Sorted(maps.Keys(counts)) {
		r.spared = append(r.spared, plural(counts[flag], "finding", "findings")+" put up with by "+flag)
	}
}
