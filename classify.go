package clipspan

import (
	"fmt"
	"strconv"
)

// Finding is a verdict with the details that explain it, such as
// "prompt_token_cap" and "ratio=0.88".
type Finding struct {
	Verdict Verdict
	Detail  []string
}

// Classify judges one span by itself, as RECORDS (Verdict of one span) has it.
// It never panics, and allocates nothing for a span that is ok without details.
// Findings that need other records of the run are those of package trace.
func Classify(s *Span) Finding {
	if missing := missingLengths(s); len(missing) > 0 {
		return Finding{VerdictIncomplete, missing}
	}
	if !s.Status.Final() {
		return Finding{VerdictIncomplete, []string{"status=" + string(s.Status)}}
	}
	if wrong := contradictions(s); len(wrong) > 0 {
		return Finding{VerdictIncomplete, wrong}
	}
	f, lost := classifyLoss(s)
	if !lost {
		f = classifyUnlost(s)
	}
	if f.Verdict == VerdictOK && s.RenderedBytes.Known() {
		return classifyRender(s, f)
	}
	return f
}

// missingLengths is rule 1.
func missingLengths(s *Span) (names []string) {
	if !s.ObservedBytes.Known() {
		names = append(names, "observed_bytes")
	}
	if !s.InjectedBytes.Known() {
		names = append(names, "injected_bytes")
	}
	if !s.InjectedTokens.Known() {
		names = append(names, "injected_tokens")
	}
	return names
}

// contradictions is rule 3: facts about the cut that can't be true together.
func contradictions(s *Span) (names []string) {
	base, baseHash := s.base()
	injected := s.InjectedBytes.Or(0)
	if kept, known := s.KeptBytes.Value(); s.KeptBytes.Invalid() || known && kept > min(base, injected) {
		names = append(names, "kept_bytes")
	}
	if s.RenderedBytes.Invalid() {
		names = append(names, "rendered_bytes")
	}
	if s.RenderedBytes.Known() && !s.SHA256Rendered.set {
		names = append(names, "sha256_rendered")
	}
	if baseHash.set && s.SHA256Injected.set && !sameScheme(baseHash, &s.SHA256Injected) {
		names = append(names, "hash_scheme")
	}
	return names
}

// base is the text that was cut: the rendered one if the builder re-rendered
// the observed text first.
func (s *Span) base() (bytes int64, hash *Hash) {
	if n, rendered := s.RenderedBytes.Value(); rendered {
		return n, &s.SHA256Rendered
	}
	return s.ObservedBytes.Or(0), &s.SHA256Observed
}

// classifyLoss is rule 4: bytes of the base text are known to be lost.
func classifyLoss(s *Span) (f Finding, lost bool) {
	base, _ := s.base()
	injected := s.InjectedBytes.Or(0)
	gone := max(0, base-injected)
	if kept, known := s.KeptBytes.Value(); known {
		gone = base - kept
	}
	if gone <= 0 || base == injected {
		return Finding{}, false
	}
	switch {
	case s.ClipReason.Declared():
		return Finding{VerdictClipped, []string{string(s.ClipReason), ratio(gone, base)}}, true
	case s.ClipReason == ReasonUndeclared || s.ClipReason == ReasonNone:
		return Finding{VerdictSilentClip, []string{ratio(gone, base)}}, true
	default:
		return Finding{VerdictSilentClip, []string{ratio(gone, base), "unknown_reason"}}, true
	}
}

// ratios holds the details from "ratio=0.00" to "ratio=1.00": a checker makes
// one for every clipped span.
var ratios = func() (texts [101]string) {
	for i := range texts {
		texts[i] = fmt.Sprintf("ratio=%d.%02d", i/100, i%100)
	}
	return texts
}()

// ratio is the share of the base text that was lost, as the seed prints it.
func ratio(lost, base int64) string {
	var buf [len("0.00")]byte
	b := strconv.AppendFloat(buf[:0], float64(lost)/float64(base), 'f', 2, 64)
	return ratios[int(b[0]-'0')*100+int(b[2]-'0')*10+int(b[3]-'0')]
}

// classifyUnlost is rule 5: nothing is known to be lost, and ok must be proved.
func classifyUnlost(s *Span) Finding {
	base, baseHash := s.base()
	injected := s.InjectedBytes.Or(0)
	var missing []string
	if !baseHash.set {
		missing = append(missing, s.baseHashName())
	}
	if !s.SHA256Injected.set {
		missing = append(missing, "sha256_injected")
	}
	kept, keptKnown := s.KeptBytes.Value()
	switch {
	case len(missing) > 0:
		return Finding{VerdictIncomplete, missing}
	case equalHashes(baseHash, &s.SHA256Injected):
		return classifyEqual(s.ClipReason, base == injected)
	case s.ClipReason.Declared():
		return Finding{VerdictOK, []string{string(s.ClipReason)}}
	case base == 0 || keptKnown && kept == base:
		if s.ClipReason == ReasonNone {
			return Finding{VerdictOK, []string{"decorated"}}
		}
		return Finding{VerdictIncomplete, []string{"clip_reason"}}
	default:
		return Finding{VerdictHashMismatch, nil}
	}
}

func (s *Span) baseHashName() string {
	if s.RenderedBytes.Known() {
		return "sha256_rendered"
	}
	return "sha256_observed"
}

// classifyEqual judges a span whose base and injected hashes are equal.
func classifyEqual(reason ClipReason, sameLength bool) Finding {
	switch {
	case !sameLength:
		return Finding{VerdictHashMismatch, []string{"length"}}
	case reason == ReasonNone:
		return Finding{VerdictOK, nil}
	case reason.Declared():
		return Finding{VerdictHashMismatch, []string{"declared_unchanged"}}
	default:
		return Finding{VerdictIncomplete, []string{"clip_reason"}}
	}
}

// classifyRender is rule 6: rendering itself must not have lost anything.
func classifyRender(s *Span, f Finding) Finding {
	observed, rendered := s.ObservedBytes.Or(0), s.RenderedBytes.Or(0)
	detail := []string{"render=" + s.Render}
	switch {
	case rendered < observed:
		return Finding{VerdictClipped, append(detail, ratio(observed-rendered, observed))}
	case !s.RenderLossless:
		return Finding{VerdictClipped, detail}
	default:
		return f
	}
}
