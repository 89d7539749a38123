package builder

import (
	"fmt"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/tokens"
)

func (p *policy) stages(n node) (stages []Stage) {
	if !n.present {
		return nil
	}
	items, ok := n.value.(list)
	if !ok {
		p.fail(n, "must be a list of stages, not %s", kindOf(n.value))
	}
	for _, item := range items {
		if s := p.stage(item); s != nil {
			stages = append(stages, s)
		}
	}
	return stages
}

// stageNames are the stages in the order of their documentation.
var stageNames = []string{
	"strip_ansi", "to_utf8", "join_output", "canonical_json", "number_lines", "omit_binary", "redact",
	"max_tokens", "max_bytes", "max_chars", "max_lines", "window_share", "turn_budget", "full",
}

// stage is the stage that a member of a list describes, or nil if it can't be made.
func (p *policy) stage(n node) (s Stage) {
	f := p.object(n)
	name := f.text("stage")
	switch name {
	case "strip_ansi":
		s = StripANSI()
	case "to_utf8":
		s = p.toUTF8(f)
	case "join_output":
		s = JoinOutput()
	case "canonical_json":
		s = CanonicalJSON()
	case "number_lines":
		s = NumberLines()
	case "omit_binary":
		s = p.omitBinary(f)
	case "redact":
		s = p.redact(f)
	case "turn_budget":
		s = p.turnBudget(f)
	case "full":
		s = Full()
	case "max_lines":
		s = MaxLines(f.whole("limit", "a whole number of lines"), f.whole("bytes", "a whole number of bytes"), p.cutOptions(f)...)
	default:
		c := p.cap(f, name)
		if c == nil {
			if f.n.isObject() {
				p.fail(n, "stage must be one of %s, not %q", strings.Join(stageNames, ", "), name)
			}
			return nil // what else it may hold nobody knows
		}
		s = c
	}
	f.done()
	return s
}

// cap is the cap of that name, or nil.
func (p *policy) cap(f *fields, name string) *Cap {
	switch name {
	case "max_tokens":
		return MaxTokens(f.whole("limit", "a whole number of tokens"), p.counter(f), p.cutOptions(f)...)
	case "max_bytes":
		return MaxBytes(f.whole("limit", "a whole number of bytes"), p.cutOptions(f)...)
	case "max_chars":
		return MaxChars(f.whole("limit", "a whole number of characters"), p.cutOptions(f)...)
	case "window_share":
		share := f.share(f.required("share", "a number from 0 to 1"))
		return WindowShare(share, f.whole("window", "a whole number of tokens"), p.counter(f), p.cutOptions(f)...)
	default:
		return nil
	}
}

func (p *policy) turnBudget(f *fields) Stage {
	n := f.required("cap", "the stage whose limit the calls of a turn share")
	inner := p.object(n)
	name := inner.text("stage")
	c := p.cap(inner, name)
	if c == nil {
		if inner.n.isObject() {
			p.fail(n, "stage must be one of max_tokens, max_bytes, max_chars, window_share, not %q", name)
		}
		return nil
	}
	inner.done()
	return TurnBudget(c)
}

func (p *policy) counter(f *fields) clipspan.TokenCounter {
	n := f.required("tokenizer", "say how tokens are counted, such as \"estimate\"")
	name, _ := n.value.(string)
	known := []string{string(clipspan.TokensEstimated)}
	for _, c := range p.counters {
		own := c.Source().Tokenizer()
		if own == "" {
			own = string(c.Source())
		}
		if own == name {
			return c
		}
		known = append(known, own)
	}
	if n.present && name != known[0] {
		p.fail(n, "must be one of %s, not %s", strings.Join(known, ", "), spelled(n.value))
	}
	return tokens.Estimate
}

func (p *policy) cutOptions(f *fields) (options []CutOption) {
	keep, ratio := f.optional("keep"), f.optional("ratio")
	switch keep.value {
	case nil:
		if keep.present {
			p.fail(keep, "must be head, tail or head_tail, not null")
		}
	case "head":
		options = append(options, Head())
	case "tail":
		options = append(options, Tail())
	case "head_tail":
		if !ratio.present {
			p.fail(keep, "needs a ratio beside it: the share of the head, from 0 to 1")
		}
	default:
		p.fail(keep, "must be head, tail or head_tail, not %s", spelled(keep.value))
	}
	if ratio.present {
		options = append(options, HeadTail(f.share(ratio)))
		if keep.value != "head_tail" {
			p.fail(ratio, "is only for keep head_tail")
		}
	}
	if f.flag("json_items", false) {
		options = append(options, JSONItems())
	}
	switch on := f.optional("on"); {
	case !on.present:
	case on.value == "lines":
		options = append(options, OnLines())
	case on.value == "graphemes":
		options = append(options, OnGraphemes())
	default:
		p.fail(on, "must be lines or graphemes, not %s", spelled(on.value))
	}
	if n := f.optional("marker"); n.present {
		options = append(options, p.marker(n)...)
	}
	return options
}

func (p *policy) marker(n node) []CutOption {
	template, ok := n.value.(string)
	if !ok {
		p.fail(n, "must be a string, not %s", kindOf(n.value))
		return nil
	}
	if _, err := parseMarker(template); err != nil {
		p.fail(n, "%v", err)
		return nil
	}
	return []CutOption{Marker(template)}
}

func (p *policy) omitBinary(f *fields) Stage {
	if f.flag("keep_images", false) {
		return OmitBinary(KeepImages())
	}
	return OmitBinary()
}

func (p *policy) toUTF8(f *fields) Stage {
	n := f.optional("encoding")
	if !n.present {
		return ToUTF8(nil)
	}
	label, _ := n.value.(string)
	e, err := encodingNamed(label)
	if err != nil {
		p.fail(n, "must be the name of an encoding, such as \"windows-1252\" or \"shift_jis\", not %s", spelled(n.value))
		return nil
	}
	return ToUTF8(e)
}

// redact has the default rules, unless the file says no, and those of the file.
func (p *policy) redact(f *fields) Stage {
	var rules []Rule
	if f.flag("defaults", true) {
		rules = DefaultRules()
	}
	n := f.optional("rules")
	items, ok := n.value.(list)
	if n.present && !ok {
		p.fail(n, "must be a list of rules, not %s", kindOf(n.value))
	}
	for _, item := range items {
		own := p.object(item)
		name, pattern := own.text("name"), own.text("pattern")
		own.done()
		rule, err := NewRule(name, pattern)
		if err != nil {
			p.fail(item, "%v", err)
			continue
		}
		rules = append(rules, rule)
	}
	if len(rules) == 0 && len(p.errs) == 0 {
		p.fail(f.n, "no rule is left: nothing would be redacted")
	}
	return Redact(rules...)
}

// encodingNamed is the encoding of a label, such as "latin1", as browsers know them
// (WHATWG Encoding Standard, names and labels).
func encodingNamed(label string) (encoding.Encoding, error) {
	e, err := htmlindex.Get(label)
	if err != nil {
		return nil, fmt.Errorf("no encoding is named %q", label)
	}
	return e, nil
}
