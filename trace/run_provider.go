package trace

import (
	"fmt"
	"slices"

	"github.com/clipspan/clipspan"
)

// The provider dropped input (RECORDS, Verdict of a run). A turn that says so is
// clipped. On one that does not, a silent clip has to be proved: by a request
// that only grew and yet was counted lower, or by a count far below that of the
// results in it.

const (
	stopWindowExceeded = "model_context_window_exceeded"
	errorContextWindow = "context_window"
)

// declared reports whether the turn says that the provider dropped input.
func declared(t *clipspan.Turn) bool {
	if t.StopReason == stopWindowExceeded || t.Error == errorContextWindow {
		return true
	}
	edits := t.ProviderEdits
	return edits != nil && (edits.ClearedToolUses.Or(0) > 0 || edits.ClearedInputTokens.Or(0) > 0)
}

func (r *run) judgeProvider(g *group) {
	carried := map[*turn]load{}
	for _, t := range g.turns {
		load := g.load(t, carried)
		switch {
		case t.declared:
			t.worsen(clipspan.VerdictClipped, detailProviderWindow)
		case t.input == 0: // no request has no tokens: the provider did not count
		case g.shrank(t):
			t.worsen(clipspan.VerdictSilentClip, detailProviderWindow)
		case !underQuarter(t.input, load.tokens):
		case load.tokenizer:
			t.worsen(clipspan.VerdictSilentClip, detailProviderWindow)
		default:
			r.noteTurn(t, fmt.Sprintf("provider_context_window: the provider counted %d input tokens, "+
				"the results in the request were estimated at %d", t.input, load.tokens))
		}
	}
}

// shrank reports whether the turn repeats another one of the same model
// unchanged, adds to it, and was yet counted lower. Some providers stop counting
// reasoning later, so a request that carries any proves nothing.
func (g *group) shrank(t *turn) bool {
	before := g.turnByRef[t.extends]
	if t.extends == 0 || before == nil || before == t {
		return false
	}
	return t.model != 0 && t.model == before.model && !t.reasoning && !before.reasoning &&
		t.input < before.input
}

// underQuarter reports whether n is less than a quarter of tokens.
func underQuarter(n, tokens int64) bool {
	return n < tokens/4 || n == tokens/4 && tokens%4 > 0
}

// load is what is known of the results in a request.
type load struct {
	tokens    int64
	tokenizer bool // all of them counted by a named tokenizer
}

// load adds up the results that t and the turns that it extends delivered.
func (g *group) load(t *turn, carried map[*turn]load) load {
	var chain []*turn
	sum := load{tokenizer: true}
	for ; t != nil; t = g.turnByRef[t.extends] {
		if done, known := carried[t]; known {
			sum = done
			break
		}
		if t.extends == 0 {
			sum.add(t)
			break
		}
		carried[t] = sum // ends a chain that bites its tail
		chain = append(chain, t)
	}
	for _, t := range slices.Backward(chain) {
		sum.add(t)
		carried[t] = sum
	}
	return sum
}

func (l *load) add(t *turn) {
	l.tokens += t.tokens
	l.tokenizer = l.tokenizer && !t.estimated
}

// countTokens adds the tokens of a result that the turn is the first to deliver.
// One that was not delivered as it was injected is no measure.
func (t *turn) countTokens(e *entry, d *delivery) {
	if d.counted && e.is(flagInjected) && d.bytes != e.injected {
		return
	}
	t.tokens += int64(e.tokens)
	if !e.is(flagTokens) || !e.is(flagTokenizer) {
		t.estimated = true
	}
}
