package builder

import (
	"slices"
	"strings"

	"github.com/clipspan/clipspan"
)

// draft is a result on its way into the prompt. It knows of every byte whether it
// comes from the base content or was added: all that is declared follows from that.
type draft struct {
	observation clipspan.Observation

	base      []clipspan.Part // what is cut: the observed content, or the rendered one
	renderers []string        // whose ids made base of what was observed

	text     string    // all that a model reads as text
	segments []segment // of what is injected; nil as long as that is the base content

	stages  []clipspan.Stage
	cap     clipspan.Cap
	counter clipspan.TokenCounter // of that cap, if it is one in tokens
	dropped int64                 // by the stage of that cap
	silent  bool                  // something is missing, and the text does not say so

	tokens clipspan.Count // of text
	source clipspan.TokenSource

	arrived bool           // at the turn's other calls
	share   clipspan.Count // of the turn's budget
}

func newDraft(o clipspan.Observation) *draft {
	d := &draft{observation: o, base: o.Parts}
	if len(o.Parts) == 0 {
		d.base = []clipspan.Part{{Text: o.Text}}
	}
	d.text = joined(d.base)
	return d
}

// joined is all the text of some parts.
func joined(parts []clipspan.Part) string {
	if len(parts) == 1 {
		return parts[0].Text
	}
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.Text)
	}
	return b.String()
}

// render gives every text of the base content another form. The id names the
// renderer and its version, such as "line-numbers/1".
func (d *draft) render(id string, form func(text string) string) (fired bool) {
	parts := slices.Clone(d.base)
	for i := range parts {
		parts[i].Text = form(parts[i].Text)
		fired = fired || parts[i].Text != d.base[i].Text
	}
	if fired {
		d.renderAs(id, parts)
	}
	return fired
}

// renderAs puts another form of the base content in its place.
func (d *draft) renderAs(id string, parts []clipspan.Part) {
	d.base = parts
	d.renderers = append(d.renderers, id)
	d.text = joined(parts)
}

// replacement says what is to stand in the place of text[from:to].
type replacement struct {
	from, to int
	text     string
}

// replace puts other texts in the place of some, which ascend and don't overlap,
// and declares that the stage did so. A text replaced by itself was not touched.
func (d *draft) replace(s Stage, reason clipspan.ClipReason, list []replacement) (fired bool) {
	list = slices.DeleteFunc(list, func(r replacement) bool { return d.text[r.from:r.to] == r.text })
	if len(list) == 0 {
		return false
	}
	before := d.size()
	rest := d.split()
	walk := walk{rest: rest, done: make([]segment, 0, len(rest)+2*len(list))}
	for _, r := range list {
		walk.keep(r.from)
		walk.add(r.text)
		walk.skip(r.to)
	}
	walk.keep(len(d.text))
	d.change(s, reason, before, walk.done)
	return true
}

// change makes other segments the ones that are injected, and declares it.
func (d *draft) change(s Stage, reason clipspan.ClipReason, before int64, segments []segment) {
	d.segments = segments
	d.text = textOf(segments)
	d.tokens, d.source = clipspan.Count{}, ""
	d.stages = append(d.stages, clipspan.Stage{Reason: reason, Policy: s.String(), BytesIn: before, BytesOut: d.size()})
}

// size is that of all that is injected at present, in bytes.
func (d *draft) size() (n int64) {
	for _, s := range d.split() {
		n += s.size()
	}
	return n
}

// split is the content in segments.
func (d *draft) split() []segment {
	if d.segments == nil {
		d.segments = segmentsOf(d.base)
	}
	return d.segments
}

// injection is the draft as it stands, with all that can be said of it.
func (d *draft) injection() clipspan.Injection {
	in := clipspan.Injection{Tokens: d.tokens, TokenSource: d.source}
	single := len(d.base) == 1 && len(d.base[0].Data) == 0
	if len(d.renderers) > 0 {
		in.Rendered = &clipspan.Rendered{ID: strings.Join(d.renderers, "+")}
		if single {
			in.Rendered.Text = d.base[0].Text
		} else {
			in.Rendered.Parts = d.base
		}
	}
	if len(d.stages) > 0 {
		in.Stages, in.Cap, in.Notice = d.stages, d.cap, clipspan.NoticeOf(!d.silent)
	}
	if d.segments != nil {
		in.Kept = keptRanges(d.segments)
	}
	switch {
	case !single:
		in.Parts = partsOf(d.base, d.segments)
	case len(d.observation.Parts) == 1: // a part stays one
		in.Parts = []clipspan.Part{{MediaType: d.base[0].MediaType, Text: d.text}}
	default:
		in.Text = d.text
	}
	return in
}
