package trace

import (
	"fmt"

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
	carried := map[*turn]*load{}
	for _, t := range g.turns {
		input, counted := t.input.Value()
		counted = counted && input > 0 // no request has no tokens: the provider did not count
		load := g.load(t, carried)
		switch {
		case t.declared:
			t.worsen(clipspan.VerdictClipped, detailProviderWindow)
		case !counted:
		case g.shrank(t):
			t.worsen(clipspan.VerdictSilentClip, detailProviderWindow)
		case load.tokens/4 <= input:
		case load.tokenizer:
			t.worsen(clipspan.VerdictSilentClip, detailProviderWindow)
		default:
			r.noteTurn(t, fmt.Sprintf("provider_context_window: the provider counted %d input tokens, "+
				"the results in the request were estimated at %d", input, load.tokens))
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
	return t.model != "" && t.model == before.model && !t.reasoning && !before.reasoning &&
		before.input.Known() && t.input.Or(0) < before.input.Or(0)
}

// load is what is known of the results in a request.
type load struct {
	tokens    int64
	tokenizer bool // all of them counted by a named tokenizer
}

// load adds up the results that t and the turns that it extends delivered.
func (g *group) load(t *turn, carried map[*turn]*load) *load {
	var chain []*turn
	sum := &load{tokenizer: true}
	for t != nil {
		if done := carried[t]; done != nil {
			*sum = *done
			break
		}
		carried[t] = &load{tokenizer: true} // ends a chain that bites its tail
		chain = append(chain, t)
		if t.extends == 0 {
			break
		}
		t = g.turnByRef[t.extends]
	}
	for i := len(chain) - 1; i >= 0; i-- {
		sum.tokens += chain[i].tokens
		sum.tokenizer = sum.tokenizer && !chain[i].estimated
		copied := *sum
		carried[chain[i]] = &copied
	}
	return sum
}

// countTokens adds the tokens of a result that the turn is the first to deliver.
// One that was not delivered as it was injected is no measure.
func (t *turn) countTokens(e *entry, d *delivery) {
	if bytes, known := d.bytes.Value(); known && e.is(flagInjected) && bytes != e.injected {
		return
	}
	t.tokens += int64(e.tokens)
	if !e.is(flagTokens) || !e.is(flagTokenizer) {
		t.estimated = true
	}
}
