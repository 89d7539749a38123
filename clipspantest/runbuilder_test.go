package clipspantest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/clipspan/clipspan"
)

const marker = "\n[cut]"

// fit is the longest head of a text that ends between two runes and, with the
// marker, fits the limit, in what measure counts.
func fit(text string, limit int, measure func(string) int) string {
	n := sort.Search(len(text), func(n int) bool { return measure(text[:n+1]+marker) > limit })
	if !utf8.ValidString(text) {
		return text[:n]
	}
	for n < len(text) && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

func bytesOf(s string) int { return len(s) }

func linesOf(s string) int {
	if s == "" {
		return 0
	}
	return strings.Count(strings.TrimSuffix(s, "\n"), "\n") + 1
}

func tokensOf(s string) int { return (len(s) + 3) / 4 }

// capped is an honest builder: it injects at most so much of a text, and parts as
// they are.
func capped(unit clipspan.CapUnit, limit int, measure func(string) int) builderFunc {
	return func(o clipspan.Observation) (clipspan.Injection, error) {
		if len(o.Parts) > 0 {
			return clipspan.Injection{Parts: o.Parts, Reason: clipspan.ReasonNone}, nil
		}
		if measure(o.Text) <= limit {
			return clipspan.Injection{Text: o.Text, Reason: clipspan.ReasonNone}, nil
		}
		head := fit(o.Text, limit, measure)
		return clipspan.Injection{
			Text:   head + marker,
			Reason: clipspan.ReasonToolResultCharLimit,
			Notice: clipspan.NoticeGiven,
			Cap:    clipspan.Cap{Unit: unit, Value: int64(limit)},
			Kept:   []clipspan.Range{{From: 0, To: int64(len(head))}},
		}, nil
	}
}

type builderFunc func(o clipspan.Observation) (clipspan.Injection, error)

func (f builderFunc) Version() string { return "v1" }

func (f builderFunc) Build(_ context.Context, o clipspan.Observation) (clipspan.Injection, error) {
	return f(o)
}

var mask = strings.NewReplacer("hunter2", "****", "abc.def.ghi", "****")

// honestBuilders do different things, and say so.
var honestBuilders = map[string]builderFunc{
	"injects everything": func(o clipspan.Observation) (clipspan.Injection, error) {
		return clipspan.Injection{Text: o.Text, Parts: o.Parts}, nil
	},
	"injects nothing": func(o clipspan.Observation) (clipspan.Injection, error) {
		in := clipspan.Injection{Reason: clipspan.ReasonPromptTokenCap, Cap: clipspan.Cap{Unit: clipspan.CapTokens}}
		if o.Text == "" && len(o.Parts) == 0 {
			in.Reason = clipspan.ReasonNone
		}
		return in, nil
	},
	"caps bytes":  capped(clipspan.CapBytes, 12_345, bytesOf),
	"caps chars":  capped(clipspan.CapChars, 30_000, utf8.RuneCountInString),
	"caps lines":  capped(clipspan.CapLines, 256, linesOf),
	"caps tokens": capped(clipspan.CapTokens, 8192, tokensOf),
	"puts a wrapper round it": func(o clipspan.Observation) (clipspan.Injection, error) {
		if len(o.Parts) > 0 {
			return clipspan.Injection{Parts: o.Parts}, nil
		}
		return clipspan.Injection{Text: "<result>\n" + o.Text + "</result>", Reason: clipspan.ReasonNone}, nil
	},
	"masks secrets": func(o clipspan.Observation) (clipspan.Injection, error) {
		in := clipspan.Injection{Text: mask.Replace(o.Text), Parts: o.Parts}
		if in.Text != o.Text {
			in.Reason = clipspan.ReasonRedaction
		}
		return in, nil
	},
	"leaves data out": func(o clipspan.Observation) (clipspan.Injection, error) {
		in := clipspan.Injection{Text: o.Text}
		for _, p := range o.Parts {
			if len(p.Data) > 0 {
				p.Text, p.Data = fmt.Sprintf("[%s, %d bytes]", p.MediaType, len(p.Data)), nil
				in.Reason = clipspan.ReasonBinaryOmitted
			}
			in.Parts = append(in.Parts, p)
		}
		return in, nil
	},
	"numbers lines and then cuts": func(o clipspan.Observation) (clipspan.Injection, error) {
		if len(o.Parts) > 0 {
			return clipspan.Injection{Parts: o.Parts}, nil
		}
		var b strings.Builder
		for i, line := range strings.SplitAfter(o.Text, "\n") {
			fmt.Fprintf(&b, "%6d\t%s", i+1, line)
		}
		in, err := capped(clipspan.CapBytes, 20_000, bytesOf)(clipspan.Observation{Text: b.String()})
		in.Rendered = &clipspan.Rendered{Text: b.String(), ID: "line-numbers/1"}
		return in, err
	},
}

func TestRunBuilderPassesOnHonestBuilders(t *testing.T) {
	for name, b := range honestBuilders {
		t.Run(name, func(t *testing.T) { RunBuilder(t, b, fourBytes{}) })
	}
	t.Run("without a token counter", func(t *testing.T) { RunBuilder(t, honestBuilders["caps tokens"], nil) })
}

func TestRunBuilderJudgesObservationsOfTheCallerToo(t *testing.T) {
	liesBeyond := builderFunc(func(o clipspan.Observation) (clipspan.Injection, error) {
		return clipspan.Injection{Text: o.Text[:min(len(o.Text), 1_000_000)], Parts: o.Parts}, nil
	})
	declares := builderCase(t, "it declares a reason if and only if something is lost or replaced")
	judge := func(own ...clipspan.Observation) []string {
		return failuresOf(t, func(t testing.TB) { declares(newBuilderSuite(t.Context(), liesBeyond, nil, own), t) })
	}
	assert.Empty(t, judge())
	failures := judge(clipspan.Observation{}, clipspan.Observation{Text: strings.Repeat("x", 1_000_001)})
	require.Len(t, failures, 1)
	assert.Contains(t, failures[0], "observation 1 of the caller: the span is silent_clip ratio=0.00")
}

func TestManyFaultsAreToldInAFewExamples(t *testing.T) {
	assert.Empty(t, failuresOf(t, func(t testing.TB) { tell(t, nil) }))
	assert.Equal(t, []string{"a", "b"}, failuresOf(t, func(t testing.TB) { tell(t, []string{"a", "b"}) }))
	failures := failuresOf(t, func(t testing.TB) { tell(t, strings.Split("abcdefgh", "")) })
	assert.Equal(t, []string{"a", "b", "c", "d", "e", "… and 3 more"}, failures)
	failures = failuresOf(t, func(t testing.TB) { tell(t, strings.Split("aabaaa", "")) })
	assert.Equal(t, []string{"a", "b", "… and 4 more"}, failures, "the same fault is told once")
}

func TestABuilderThatIgnoresPartsIsToldWhatToDoWithThem(t *testing.T) {
	const hint = "parts ignored? inject o.Parts or declare binary_omitted"
	ignores := builderFunc(func(o clipspan.Observation) (clipspan.Injection, error) {
		return clipspan.Injection{Text: o.Text[:len(o.Text)/2]}, nil
	})
	s := newBuilderSuite(t.Context(), ignores, nil, nil)
	failures := strings.Join(failuresOf(t, func(t testing.TB) {
		s.built = slices.DeleteFunc(s.built, func(r built) bool { return r.name != "an image" && r.name != "Chinese" })
		s.declaresWhatItDoes(t)
	}), "\n")
	assert.Contains(t, failures, "an image: the span is silent_clip ratio=1.00 ("+hint+")")
	assert.Contains(t, failures, "Chinese: the span is silent_clip ratio=0.50\n")
}

// but is the honest byte cap, with its injection changed wherever it cuts.
func but(change func(o clipspan.Observation, in *clipspan.Injection)) builderFunc {
	return func(o clipspan.Observation) (clipspan.Injection, error) {
		in, err := honestBuilders["caps bytes"](o)
		if in.Reason.Declared() {
			change(o, &in)
		}
		return in, err
	}
}

func TestRunBuilderCatchesEveryBuilderThatLies(t *testing.T) {
	const (
		takes       = "it takes every result"
		same        = "it gives the same injection for the same result"
		together    = "it may be used by many goroutines at once"
		leaves      = "it leaves the result as it was"
		declares    = "it declares a reason if and only if something is lost or replaced"
		runes       = "it makes no invalid UTF-8 of valid one"
		hints       = "the kept ranges that it hints at are true"
		obeys       = "its text obeys the cap that it declares"
		countTokens = "it counts the tokens of the text that it injects"
	)
	for name, c := range map[string]struct {
		builder clipspan.Builder
		fails   string // the case that catches it
	}{
		"says none but cuts":         {but(func(_ clipspan.Observation, in *clipspan.Injection) { in.Reason = clipspan.ReasonNone }), declares},
		"says nothing and cuts":      {but(func(_ clipspan.Observation, in *clipspan.Injection) { in.Reason = "" }), declares},
		"makes up a reason":          {but(func(_ clipspan.Observation, in *clipspan.Injection) { in.Reason = "too long" }), declares},
		"declares a cut always":      {always(clipspan.ReasonPromptTokenCap, ""), declares},
		"declares what only it adds": {always(clipspan.ReasonRedaction, "<result>"), declares},
		"adds a wrapper unsaid":      {always("", "<result>"), declares},
		"swaps bytes": {builderFunc(func(o clipspan.Observation) (clipspan.Injection, error) {
			return clipspan.Injection{Text: strings.ToUpper(o.Text), Parts: o.Parts, Reason: clipspan.ReasonNone}, nil
		}), declares},
		"drops parts": {builderFunc(func(o clipspan.Observation) (clipspan.Injection, error) {
			return clipspan.Injection{Text: o.Text}, nil
		}), declares},
		"drops the text of errors": {builderFunc(func(o clipspan.Observation) (clipspan.Injection, error) {
			if o.Err != nil {
				return clipspan.Injection{}, nil
			}
			return clipspan.Injection{Text: o.Text, Parts: o.Parts}, nil
		}), declares},
		"normalizes line ends unsaid": {builderFunc(func(o clipspan.Observation) (clipspan.Injection, error) {
			return clipspan.Injection{Text: strings.ReplaceAll(o.Text, "\r\n", "\n"), Parts: o.Parts}, nil
		}), declares},
		"repairs invalid UTF-8 unsaid": {builderFunc(func(o clipspan.Observation) (clipspan.Injection, error) {
			return clipspan.Injection{Text: strings.ToValidUTF8(o.Text, "\uFFFD"), Parts: o.Parts}, nil
		}), declares},
		"cuts runes at the head": {but(func(o clipspan.Observation, in *clipspan.Injection) { in.Text = o.Text[:12_000] }), runes},
		"cuts runes at the tail": {but(func(o clipspan.Observation, in *clipspan.Injection) { in.Text = o.Text[len(o.Text)-12_000:] }), runes},
		"hints at what is gone":  {but(func(_ clipspan.Observation, in *clipspan.Injection) { in.Kept[0].To++ }), hints},
		"hints at all of it":     {but(func(o clipspan.Observation, in *clipspan.Injection) { in.Kept[0].To = int64(len(o.Text)) }), hints},
		"hints beyond the text":  {but(func(o clipspan.Observation, in *clipspan.Injection) { in.Kept[0].To = int64(len(o.Text)) + 1 }), hints},
		"hints at less than all": {but(func(_ clipspan.Observation, in *clipspan.Injection) { in.Kept = in.Kept[:0] }), hints},
		"exceeds a cap in bytes": {but(func(_ clipspan.Observation, in *clipspan.Injection) { in.Cap.Value = int64(len(in.Text)) - 1 }), obeys},
		"exceeds a cap in chars by its marker": {capped(clipspan.CapChars, 30_000, func(s string) int {
			return utf8.RuneCountInString(strings.TrimSuffix(s, marker))
		}), obeys},
		"counts chars and calls them bytes": {capped(clipspan.CapBytes, 30_000, utf8.RuneCountInString), obeys},
		"exceeds a cap in lines by its marker": {capped(clipspan.CapLines, 256, func(s string) int {
			return linesOf(strings.TrimSuffix(s, marker))
		}), obeys},
		"takes three bytes for a token":   {capped(clipspan.CapTokens, 8192, func(s string) int { return len(s) / 5 }), obeys},
		"takes a cap of 0 for none":       {unlimited, obeys},
		"caps in a unit of its own":       {but(func(_ clipspan.Observation, in *clipspan.Injection) { in.Cap.Unit = "words" }), obeys},
		"counts tokens before its marker": {counted(func(s string) int { return tokensOf(s) - tokensOf(marker) }, clipspan.TokensEstimated), countTokens},
		"does not say how it counts":      {counted(tokensOf, ""), countTokens},
		"counts fewer than none":          {counted(func(string) int { return -1 }, clipspan.TokensEstimated), countTokens},
		"panics on an empty text": {builderFunc(func(o clipspan.Observation) (clipspan.Injection, error) {
			_ = o.Text[0]
			return clipspan.Injection{Text: o.Text, Parts: o.Parts}, nil
		}), takes},
		"refuses invalid UTF-8": {builderFunc(func(o clipspan.Observation) (clipspan.Injection, error) {
			if !utf8.ValidString(o.Text) {
				return clipspan.Injection{}, errors.New("invalid UTF-8")
			}
			return clipspan.Injection{Text: o.Text, Parts: o.Parts}, nil
		}), takes},
		"numbers its injections":    {numbered(), same},
		"fails every other time":    {failsEveryOtherTime(), same},
		"mixes up concurrent calls": {mixesUp(), together},
		"writes into the data of a part": {builderFunc(func(o clipspan.Observation) (clipspan.Injection, error) {
			for _, p := range o.Parts {
				clear(p.Data)
			}
			return clipspan.Injection{Text: o.Text, Parts: o.Parts}, nil
		}), leaves},
		"writes into the parts": {builderFunc(func(o clipspan.Observation) (clipspan.Injection, error) {
			for i := range o.Parts {
				o.Parts[i].Text = ""
			}
			return clipspan.Injection{Text: o.Text, Parts: o.Parts}, nil
		}), leaves},
		"has no version":           {versioned(func() string { return "" }), "it has a version, always the same"},
		"has a version that moves": {versioned(func() string { return time.Now().String() }), "it has a version, always the same"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				failures := failuresOf(t, func(t testing.TB) {
					s := newBuilderSuite(t.Context(), c.builder, fourBytes{}, nil)
					builderCase(t, c.fails)(s, t)
				})
				assert.NotEmpty(t, failures, "the case %q did not catch it", c.fails)
			})
		})
	}
}

// builderCase is the check of the case with this name.
func builderCase(t testing.TB, name string) func(*builderSuite, testing.TB) {
	t.Helper()
	for _, c := range builderCases {
		if c.name == name {
			return c.check
		}
	}
	require.FailNow(t, "no such case", name)
	return nil
}

func always(reason clipspan.ClipReason, prefix string) builderFunc {
	return func(o clipspan.Observation) (clipspan.Injection, error) {
		if len(o.Parts) > 0 {
			return clipspan.Injection{Parts: o.Parts}, nil
		}
		return clipspan.Injection{Text: prefix + o.Text, Reason: reason}, nil
	}
}

var unlimited = builderFunc(func(o clipspan.Observation) (clipspan.Injection, error) {
	return clipspan.Injection{Text: o.Text, Parts: o.Parts, Cap: clipspan.Cap{Unit: clipspan.CapBytes, Value: 0}}, nil
})

func counted(count func(string) int, source clipspan.TokenSource) builderFunc {
	return but(func(_ clipspan.Observation, in *clipspan.Injection) {
		in.Tokens, in.TokenSource = clipspan.Known(int64(count(in.Text))), source
	})
}

func numbered() builderFunc {
	var n atomic.Int64
	return func(o clipspan.Observation) (clipspan.Injection, error) {
		return clipspan.Injection{Text: fmt.Sprintf("result %d:\n%s", n.Add(1), o.Text), Parts: o.Parts, Reason: clipspan.ReasonNone}, nil
	}
}

func failsEveryOtherTime() builderFunc {
	var n atomic.Int64
	return func(clipspan.Observation) (clipspan.Injection, error) {
		if n.Add(1)%2 == 0 {
			return clipspan.Injection{}, errors.New("busy")
		}
		return clipspan.Injection{}, nil
	}
}

// mixesUp keeps the text in a field while it works. In the bubble of a synctest
// all others get as far while it sleeps.
func mixesUp() builderFunc {
	var current atomic.Value
	return func(o clipspan.Observation) (clipspan.Injection, error) {
		current.Store(o)
		time.Sleep(time.Nanosecond)
		o = current.Load().(clipspan.Observation)
		return clipspan.Injection{Text: o.Text, Parts: o.Parts}, nil
	}
}

type versioned func() string

func (v versioned) Version() string { return v() }

func (versioned) Build(ctx context.Context, o clipspan.Observation) (clipspan.Injection, error) {
	time.Sleep(time.Nanosecond)
	return clipspan.Injection{Text: o.Text, Parts: o.Parts}, nil
}
