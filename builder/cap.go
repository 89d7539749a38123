package builder

import (
	"context"
	"fmt"
	"strconv"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/tokens"
)

// Cap is a stage that cuts a text which is larger than a limit. Marker and all,
// what it injects never measures more than the limit in the limit's unit, and
// never has more bytes than before. A limit of 0 or less means that nothing fits;
// for no limit there is [Full].
type Cap struct {
	name   string
	limit  limit
	ruler  ruler
	reason clipspan.ClipReason
	cut    cut
}

// limit is how much fits, and how that is written among the settings.
type limit interface {
	fmt.Stringer
	value(ctx context.Context) int64
}

type fixed int64

func (n fixed) value(context.Context) int64 { return max(int64(n), 0) }
func (n fixed) String() string              { return strconv.FormatInt(int64(n), 10) }

// MaxBytes caps the text in bytes. The reason that it declares is
// [clipspan.ReasonToolResultCharLimit].
func MaxBytes(n int64, options ...CutOption) *Cap {
	return newCap("max_bytes", fixed(n), byteRuler{}, clipspan.ReasonToolResultCharLimit, options)
}

// MaxChars caps the text in characters, which are code points. The reason is
// [clipspan.ReasonToolResultCharLimit].
func MaxChars(n int64, options ...CutOption) *Cap {
	return newCap("max_chars", fixed(n), charRuler{}, clipspan.ReasonToolResultCharLimit, options)
}

// MaxTokens caps the text in tokens as the counter counts them; nil is
// [tokens.Estimate]. The count stands in the span, with its source. A counter that
// is a [Cutter] makes the cost grow with the cap alone. An error of the counter
// ends the chain. The reason is [clipspan.ReasonPromptTokenCap].
func MaxTokens(n int64, counter clipspan.TokenCounter, options ...CutOption) *Cap {
	return newCap("max_tokens", fixed(n), newTokenRuler(counter), clipspan.ReasonPromptTokenCap, options)
}

func newTokenRuler(counter clipspan.TokenCounter) tokenRuler {
	if counter == nil {
		counter = tokens.Estimate
	}
	return tokenRuler{counter}
}

func newCap(name string, l limit, r ruler, reason clipspan.ClipReason, options []CutOption) *Cap {
	c := &Cap{name: name, limit: l, ruler: r, reason: reason, cut: newCut(options)}
	return c
}

// String is the cap with its settings.
func (c *Cap) String() string {
	settings := c.limit.String()
	if t, ok := c.ruler.(tokenRuler); ok {
		settings += ", " + string(t.counter.Source())
	}
	return c.name + "(" + settings + ", " + c.cut.String() + ")"
}

func (c *Cap) phase() phase { return cutting }

func (c *Cap) apply(ctx context.Context, d *draft) (fired bool, err error) {
	return c.hold(ctx, d, c, c.limit.value(ctx))
}

// hold cuts the draft's text to a limit, on behalf of a stage.
func (c *Cap) hold(ctx context.Context, d *draft, s Stage, limit int64) (fired bool, err error) {
	fits, err := c.ruler.head(ctx, d.text, limit)
	if err != nil {
		return false, err
	}
	if fits < len(d.text) {
		if fired, err = c.shorten(ctx, d, s, limit); err != nil {
			return fired, err
		}
	}
	return fired, c.count(ctx, d)
}

func (c *Cap) shorten(ctx context.Context, d *draft, s Stage, limit int64) (fired bool, err error) {
	before := d.size()
	list, told, err := c.cut.find(ctx, d, c.ruler, limit)
	if err != nil {
		return false, err
	}
	fired = d.replace(s, c.reason, list)
	d.silent = d.silent || fired && !told
	if dropped := before - d.size(); fired && dropped >= d.dropped {
		d.dropped, d.cap, d.counter = dropped, clipspan.Cap{Unit: c.ruler.unit(), Value: limit}, c.counter()
	}
	return fired, nil
}

// counter is who counts the tokens of a cap in tokens, or nil.
func (c *Cap) counter() clipspan.TokenCounter {
	if t, ok := c.ruler.(tokenRuler); ok {
		return t.counter
	}
	return nil
}

// count takes over the number of tokens from who has just measured it anyway, or,
// if the cap that is declared is one in tokens, from its counter: otherwise the text
// could seem to have more than the cap allows.
func (c *Cap) count(ctx context.Context, d *draft) error {
	counter := d.counter
	if counter == nil {
		counter = c.counter()
	}
	if counter == nil || d.tokens.Known() && d.source == counter.Source() {
		return nil
	}
	n, err := counter.CountTokens(ctx, d.text)
	if err != nil {
		return err
	}
	d.tokens, d.source = clipspan.Known(n), counter.Source()
	return nil
}
