package clipspantest

import (
	"context"
	"fmt"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"unicode/utf8"

	"github.com/clipspan/clipspan"
)

// RunBuilder tests that a prompt builder says the truth about what it does, with
// every kind of tool result that there is: empty, huge, invalid UTF-8, JSON,
// errors, images, and runes at every place where a cut may fall. The results are
// up to 128 KB long; for a cap that those don't reach give observations of your
// own besides.
//
// A builder has to take every result: if it fails, the model gets none. One that
// is made for text still has to say what it does with the parts of an
// observation: inject them, or leave them out and declare that.
//
// The token counter counts what a cap in tokens counts. It may be nil: then such
// a cap is held against the builder's own count.
func RunBuilder(t *testing.T, b clipspan.Builder, tokens clipspan.TokenCounter, own ...clipspan.Observation) {
	t.Helper()
	s := newBuilderSuite(t.Context(), b, tokens, own)
	for _, c := range builderCases {
		t.Run(c.name, func(t *testing.T) { c.check(s, t) })
	}
}

var builderCases = []struct {
	name  string
	check func(s *builderSuite, t testing.TB)
}{
	{"it has a version, always the same", (*builderSuite).hasAVersion},
	{"it takes every result", (*builderSuite).takesEveryResult},
	{"it gives the same injection for the same result", (*builderSuite).isDeterministic},
	{"it may be used by many goroutines at once", (*builderSuite).isConcurrent},
	{"it leaves the result as it was", (*builderSuite).leavesTheResult},
	{"it declares a reason if and only if something is lost or replaced", (*builderSuite).declaresWhatItDoes},
	{"it makes no invalid UTF-8 of valid one", (*builderSuite).keepsRunes},
	{"the kept ranges that it hints at are true", (*builderSuite).hintsAreTrue},
	{"its text obeys the cap that it declares", (*builderSuite).obeysItsCap},
	{"it counts the tokens of the text that it injects", (*builderSuite).countsTokens},
}

// builderSuite holds what a builder has made of every observation.
type builderSuite struct {
	builder clipspan.Builder
	tokens  clipspan.TokenCounter // nil if the caller gave none
	version string                // at the beginning
	built   []built
}

// built is what a builder has made of one observation.
type built struct {
	observation
	injection clipspan.Injection
	err       error // also of a panic
	changed   bool  // the builder has changed the observation
}

func newBuilderSuite(ctx context.Context, b clipspan.Builder, tokens clipspan.TokenCounter, own []clipspan.Observation) *builderSuite {
	s := &builderSuite{builder: b, tokens: tokens, version: b.Version()}
	all := observations()
	for i, o := range own {
		all = append(all, observation{fmt.Sprintf("observation %d of the caller", i), o})
	}
	for _, o := range all {
		s.built = append(s.built, build(ctx, b, o))
	}
	return s
}

func build(ctx context.Context, b clipspan.Builder, o observation) (result built) {
	result.observation = o
	given := o.call()
	defer func() {
		if v := recover(); v != nil {
			result.err = fmt.Errorf("panic: %v\n%s", v, debug.Stack())
		}
		result.changed = !reflect.DeepEqual(given, o.call())
	}()
	result.injection, result.err = b.Build(ctx, given)
	return result
}

func (r built) equal(other built) bool {
	return (r.err == nil) == (other.err == nil) && reflect.DeepEqual(r.injection, other.injection)
}

func (s *builderSuite) hasAVersion(t testing.TB) {
	switch now := s.builder.Version(); {
	case now == "":
		t.Errorf("the version is empty: nobody could tell which policy made an injection")
	case now != s.version:
		t.Errorf("the version was %q and is %q after some results", s.version, now)
	}
}

// each judges every result: fault says what is wrong with one, or "".
func (s *builderSuite) each(t testing.TB, fault func(r built) string) {
	t.Helper()
	var wrong []string
	for _, r := range s.built {
		if f := fault(r); f != "" {
			wrong = append(wrong, r.name+": "+f)
		}
	}
	tell(t, wrong)
}

func (s *builderSuite) takesEveryResult(t testing.TB) {
	s.each(t, func(r built) string {
		if r.err != nil {
			return r.err.Error()
		}
		return ""
	})
}

func (s *builderSuite) isDeterministic(t testing.TB) {
	s.each(t, func(r built) string {
		if !r.equal(build(t.Context(), s.builder, r.observation)) {
			return "two calls gave two injections"
		}
		return ""
	})
}

func (s *builderSuite) isConcurrent(t testing.TB) {
	long := func(r built) bool { return len(r.Text) > longText/2 }
	some := slices.DeleteFunc(slices.Clone(s.built), long) // long ones would only take their time
	some = append(some, s.built[slices.IndexFunc(s.built, long)])
	mixedUp := make([]atomic.Bool, len(some))
	var wg sync.WaitGroup
	for g := range goroutines {
		wg.Go(func() {
			for i := range some {
				i = (g + i) % len(some)
				if !some[i].equal(build(t.Context(), s.builder, some[i].observation)) {
					mixedUp[i].Store(true)
				}
			}
		})
	}
	wg.Wait()
	var wrong []string
	for i := range some {
		if mixedUp[i].Load() {
			wrong = append(wrong, some[i].name+": another injection beside other calls than alone")
		}
	}
	tell(t, wrong)
}

func (s *builderSuite) leavesTheResult(t testing.TB) {
	s.each(t, func(r built) string {
		if r.changed {
			return "the observation was changed: it is the host's"
		}
		return ""
	})
}

// record writes the span of a result with a real emitter, and returns what that
// complained of.
func (s *builderSuite) record(t testing.TB, r built) (span *clipspan.Span, complaint error) {
	t.Helper()
	tokens := s.tokens
	if tokens == nil {
		tokens = fourBytes{}
	}
	var rec Recorder
	em := clipspan.NewEmitter(&rec, tokens, clipspan.WithDeadline(patience),
		clipspan.WithErrorHandler(func(err error) { complaint = err }))
	out := clipspan.Output{Text: r.Text, Parts: r.Parts, Err: r.Err}
	if _, err := em.Record(t.Context(), clipspan.Call{Name: "read_file"}, out, r.injection, s.version); err != nil {
		t.Fatalf("%s: recording: %v", r.name, err)
	}
	return rec.Span(t, "read_file"), complaint
}

func (s *builderSuite) declaresWhatItDoes(t testing.TB) {
	s.each(t, func(r built) string {
		if r.err != nil {
			return "" // another case tells
		}
		span, _ := s.record(t, r)
		base := span.ObservedBytes
		if span.RenderedBytes.Known() {
			base = span.RenderedBytes
		}
		switch got := clipspan.Classify(span); {
		case !got.Verdict.Trusted():
			found := words(got.Verdict, got.Detail)
			if len(r.injection.Parts) < len(r.Parts) {
				found += " (parts ignored? inject o.Parts or declare binary_omitted)"
			}
			return fmt.Sprintf("the span is %s\n%s", found, describe(span))
		case span.ClipReason.Declared() && span.KeptBytes == base:
			return fmt.Sprintf("%s is declared, but nothing is lost or replaced\n%s", span.ClipReason, describe(span))
		default:
			return ""
		}
	})
}

func (s *builderSuite) keepsRunes(t testing.TB) {
	s.each(t, func(r built) string {
		if valid(r.Text, r.Parts) && !valid(r.injection.Text, r.injection.Parts) {
			return "invalid UTF-8 in the injected text: a rune was cut"
		}
		return ""
	})
}

func valid(text string, parts []clipspan.Part) bool {
	for _, p := range parts {
		if !utf8.ValidString(p.Text) {
			return false
		}
	}
	return utf8.ValidString(text)
}

// coincidence is how many bytes of a marker may by chance be those that it
// replaced.
const coincidence = 16

func (s *builderSuite) hintsAreTrue(t testing.TB) {
	s.each(t, func(r built) string {
		if r.injection.Kept == nil || r.err != nil {
			return ""
		}
		if _, complaint := s.record(t, r); complaint != nil {
			return complaint.Error()
		}
		base := r.Text
		if rendered := r.injection.Rendered; rendered != nil {
			base = rendered.Text
		}
		hinted := total(r.injection.Kept)
		proved, exact := clipspan.Kept(base, r.injection.Text)
		if exact && len(r.Parts) == 0 && hinted < total(proved)-coincidence {
			return fmt.Sprintf("%d bytes are kept, but only %d hinted at", total(proved), hinted)
		}
		return ""
	})
}

func total(ranges []clipspan.Range) (n int64) {
	for _, r := range ranges {
		n += r.To - r.From
	}
	return n
}

func (s *builderSuite) obeysItsCap(t testing.TB) {
	s.each(t, func(r built) string {
		limit := r.injection.Cap
		if limit.Unit == "" {
			return ""
		}
		n, err := s.measure(t.Context(), limit.Unit, r.injection)
		switch {
		case err != nil:
			return "measuring the injected text: " + err.Error()
		case n > max(limit.Value, 0):
			return fmt.Sprintf("%d %s are injected under a cap of %d", n, limit.Unit, limit.Value)
		default:
			return ""
		}
	})
}

// measure is the size of an injected text in the unit of a cap.
func (s *builderSuite) measure(ctx context.Context, unit clipspan.CapUnit, in clipspan.Injection) (int64, error) {
	injected := texts(in)
	switch unit {
	case clipspan.CapBytes:
		return int64(len(injected)), nil
	case clipspan.CapChars:
		return int64(utf8.RuneCountInString(injected)), nil
	case clipspan.CapLines:
		lines := strings.Count(injected, "\n")
		if injected != "" && !strings.HasSuffix(injected, "\n") {
			lines++
		}
		return int64(lines), nil
	case clipspan.CapTokens:
		if s.tokens == nil {
			return in.Tokens.Or(0), nil
		}
		return s.tokens.CountTokens(ctx, injected)
	default:
		return 0, fmt.Errorf("unknown unit %q", unit)
	}
}

func (s *builderSuite) countsTokens(t testing.TB) {
	s.each(t, func(r built) string {
		in := r.injection
		said, known := in.Tokens.Value()
		switch {
		case in.Tokens.Invalid():
			return "its token count is no count"
		case !known:
			return ""
		case in.TokenSource == "":
			return fmt.Sprintf("it says %d tokens, but not how they were counted", said)
		case s.tokens == nil || s.tokens.Source() != in.TokenSource:
			return ""
		}
		counted, err := s.tokens.CountTokens(t.Context(), texts(in))
		switch {
		case err != nil:
			return "counting the injected text: " + err.Error()
		case counted != said:
			return fmt.Sprintf("it says %d tokens, the counter %d", said, counted)
		default:
			return ""
		}
	})
}

// texts is all that a model reads as text.
func texts(in clipspan.Injection) string {
	if len(in.Parts) == 0 {
		return in.Text
	}
	var b strings.Builder
	for _, p := range in.Parts {
		b.WriteString(p.Text)
	}
	return b.String()
}
