package clipspan

import (
	"context"
	"errors"
	"fmt"
)

// content is what was observed: a failed tool's error text if it has no other.
func (out Output) content() content {
	if out.Err != nil && out.Text == "" && len(out.Parts) == 0 {
		return content{text: errorText(out.Err)}
	}
	return newContent(out.Text, out.Parts)
}

// errorText is err.Error, which of a typed nil pointer may panic.
func errorText(err error) (text string) {
	defer func() {
		if recover() != nil {
			text = fmt.Sprintf("%T", err)
		}
	}()
	return err.Error()
}

// measure computes all that a span says about its two texts.
func (o *Open) measure(in Injection) {
	s := &o.span
	injected := newContent(in.Text, in.Parts)
	s.InjectedBytes = Known(injected.size())
	s.PartsInjected = partCount(injected)
	s.CapUnit = in.Cap.Unit
	if in.Cap.Unit != "" {
		s.CapValue = Known(max(in.Cap.Value, 0))
	}
	s.Notice = in.Notice
	s.Stages = in.Stages
	s.ClipReason = in.Reason
	if in.Reason == ReasonUndeclared {
		s.ClipReason = decisive(in.Stages)
	}
	switch {
	case o.stream != nil:
		o.measureStream(injected)
	case o.observed:
		o.measureTexts(o.out.content(), injected, in)
	default:
		s.SHA256Injected = o.e.hashers.content(injected)
	}
	if kept, known := s.KeptBytes.Value(); known {
		s.AddedBytes = Known(s.InjectedBytes.Or(0) - kept)
	}
	o.measureTokens(in, injected)
	s.InjectedPreview = o.e.previewOf(injected.preview())
}

// measureStream takes over what the stream's reader computed as it passed.
func (o *Open) measureStream(injected content) {
	s := &o.span
	s.SHA256Injected = o.e.hashers.content(injected)
	s.ObservedBytes, s.SHA256Observed = o.stream.result()
	if !s.ObservedBytes.Known() {
		s.Status = StatusIncomplete
		s.Error = "not_read_to_end"
	}
	if s.ClipReason == ReasonUndeclared && s.SHA256Observed.Equal(s.SHA256Injected) {
		s.ClipReason = ReasonNone
	}
}

// measureTexts compares the base text, which is the rendered one if there is
// one, with the injected text.
func (o *Open) measureTexts(observed, injected content, in Injection) {
	s := &o.span
	s.describeObserved(observed)
	base := observed
	if r := in.Rendered; r != nil {
		if rendered := newContent(r.Text, r.Parts); !rendered.equal(observed) {
			base = rendered
			s.RenderedBytes = Known(base.size())
			s.Render = r.ID
			s.RenderLossless = r.ID == losslessRender || lossless(observed, rendered)
			s.SHA256Observed = o.e.hashers.content(observed)
		}
	}
	kept, exact := o.kept(base, injected, in.Kept)
	same := exact && totalKept(kept) == base.size() && base.size() == injected.size()
	if same && s.ClipReason == ReasonUndeclared {
		s.ClipReason = ReasonNone
	}
	if exact {
		s.KeptBytes = Known(totalKept(kept))
		if len(kept) <= maxRanges {
			s.KeptRanges = kept
		}
	}
	baseHash, injectedHash := o.e.hashers.pair(base, injected, kept, same)
	s.SHA256Injected = injectedHash
	if s.RenderedBytes.Known() {
		s.SHA256Rendered = baseHash
	} else {
		s.SHA256Observed = baseHash
	}
}

func (s *Span) describeObserved(observed content) {
	s.ObservedBytes = Known(observed.size())
	s.PartsObserved = partCount(observed)
	s.MediaType = observed.mediaType()
}

// maxRanges is how many kept ranges a record holds at most (RECORDS, Tool span).
const maxRanges = 64

// kept is which bytes of base survive: a builder's own list if it is true, else
// what the texts themselves prove.
func (o *Open) kept(base, injected content, hint []Range) (ranges []Range, exact bool) {
	if hint != nil {
		if ranges, ok := checkKept(base.bytes(), injected.bytes(), hint); ok {
			return ranges, true
		}
		o.e.report(fmt.Errorf("span %s: kept ranges of prompt builder %q do not fit its text", o.span.SpanID, o.span.PromptBuilderVersion))
	}
	if !base.single() || !injected.single() {
		return keptParts(base, injected)
	}
	o.survival, exact = keptIn(base.text, injected.text)
	return o.survival.list(), exact
}

func partCount(c content) Count {
	if len(c.parts) == 0 {
		return Count{}
	}
	return Known(int64(len(c.parts)))
}

// content hashes all of c.
func (h *hashers) content(c content) Hash {
	x := h.get()
	defer h.put(x)
	c.writeTo(x)
	return x.sum()
}

// pair hashes both texts, in one pass where one is the other or its beginning.
func (h *hashers) pair(base, injected content, kept []Range, same bool) (baseHash, injectedHash Hash) {
	switch {
	case same:
		baseHash = h.content(base)
		return baseHash, baseHash
	case base.single() && injected.single() && len(kept) == 1 && kept[0] == (Range{0, injected.size()}):
		x := h.get()
		defer h.put(x)
		x.writeString(injected.text)
		injectedHash = x.sum()
		x.writeString(base.text[len(injected.text):])
		return x.sum(), injectedHash
	default:
		return h.content(base), h.content(injected)
	}
}

// measureTokens takes the builder's count, else asks the counter.
func (o *Open) measureTokens(in Injection, injected content) {
	s := &o.span
	if in.Tokens.Known() {
		s.InjectedTokens, s.TokenSource = in.Tokens, in.TokenSource
		return
	}
	counter := o.e.tokens
	if counter == nil {
		return
	}
	ctx, text := context.WithoutCancel(&o.inner), injected.texts()
	counted, err := guarded(o.e.hooks.tokens, func() (tokenCount, error) {
		n, err := counter.CountTokens(ctx, text)
		if err == nil && n < 0 {
			err = fmt.Errorf("negative count %d", n)
		}
		return tokenCount{n, counter.Source()}, err
	})
	if err != nil {
		o.e.report(fmt.Errorf("span %s: counting tokens: %w", s.SpanID, err))
		return
	}
	s.InjectedTokens, s.TokenSource = Known(counted.n), counted.source
}

type tokenCount struct {
	n      int64
	source TokenSource
}

// previewOf is the leading text that is recorded, redacted first if the host
// wants that.
func (e *Emitter) previewOf(text string) string {
	if e.cfg.preview <= 0 {
		return ""
	}
	if e.cfg.redact != nil {
		text = e.redacted(text)
	}
	return Preview(text, e.cfg.preview)
}

// redacted is the text without its secrets, or nothing if that can't be had.
func (e *Emitter) redacted(text string) string {
	safe, err := guarded(e.hooks.redactor, func() (string, error) { return e.cfg.redact(text), nil })
	if err != nil {
		e.report(fmt.Errorf("redacting the preview: %w", err))
		return ""
	}
	return safe
}

// errorClass is the short name of what went wrong; never its text, which may
// hold content. The methods of a typed nil pointer may panic.
func errorClass(err error, other string) (class string) {
	defer func() {
		if recover() != nil {
			class = other
		}
	}()
	var panicked *PanicError
	switch {
	case errors.Is(err, context.Canceled):
		return "cancelled"
	case errors.Is(err, context.DeadlineExceeded):
		return "timeout"
	case errors.Is(err, ErrOverdue):
		return "overdue"
	case errors.Is(err, ErrClosed):
		return "closed"
	case errors.As(err, &panicked):
		return "panic"
	default:
		return other
	}
}
