package clipspan

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
)

// ErrSettled is returned for a second [Open.Inject] or [Open.Abandon] of one
// call: a span is written once.
var ErrSettled = errors.New("span is already written")

// Open is a tool call whose span is not yet written, for frameworks in which
// observing and injecting are two hooks. Each must end in [Open.Inject] or
// [Open.Abandon]; what is still open when the emitter is closed is written as
// incomplete. Its methods may be called from any goroutine.
type Open struct {
	e     *Emitter
	inner innerContext

	mu       sync.Mutex
	settled  bool // the span is written, or being written
	orphaned bool // it was written by Close

	call     Call
	observed bool
	out      Output
	stream   *observedReader
	span     Span
	survival survival // backing of the span's kept ranges, so that they cost no allocation
}

// SpanID is the id of the span that will be written.
func (o *Open) SpanID() string { return o.span.SpanID }

// Context is the context for what happens inside the call: calls made with it
// have this span as their parent.
func (o *Open) Context() context.Context { return &o.inner }

// Observe sets what the tool returned. A stream may call it again as its result
// grows; the last call counts. The text is not copied.
func (o *Open) Observe(out Output) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.settled {
		o.out, o.stream, o.observed = out, nil, true
	}
}

// ObserveReader observes a result that the host reads as a stream: read it
// through the returned reader, which hashes what passes and keeps nothing.
// Unless it is read to [io.EOF] before [Open.Inject], the observed size is
// unknown and the span incomplete.
func (o *Open) ObserveReader(r io.Reader) io.Reader {
	o.mu.Lock()
	defer o.mu.Unlock()
	stream := &observedReader{src: r, hashers: o.e.hashers, hash: o.e.hashers.get()}
	if !o.settled {
		o.out, o.stream, o.observed = Output{}, stream, true
	}
	return stream
}

// Inject writes the span: in is the exact text that goes into the prompt, version
// the id of the cap policy that made it. When it returns, the sink has the span,
// or its loss is accounted for. It returns [ErrNotRecorded] only under
// [WithFailClosed], and [ErrSettled] if the span was written before.
func (o *Open) Inject(in Injection, version string) error {
	return o.settle(func() {
		s := &o.span
		s.PromptBuilderVersion = version
		s.Status = o.finalStatus()
		if o.out.Err != nil {
			s.Error = errorClass(o.out.Err, "tool")
		}
		o.measure(in)
	})
}

// finalStatus is ok only for a call that was observed, whole and without error.
func (o *Open) finalStatus() Status {
	switch {
	case !o.observed || o.out.Partial:
		return StatusIncomplete
	case o.out.Err != nil:
		return StatusError
	default:
		return StatusOK
	}
}

// Abandon writes the span as incomplete: nothing of the call is put into the
// prompt. The error only names the kind of reason and may be nil.
func (o *Open) Abandon(err error) error { return o.abandon("", errorClass(err, "abandoned")) }

func (o *Open) abandon(version, class string) error {
	return o.settle(func() {
		s := &o.span
		s.PromptBuilderVersion = version
		switch {
		case o.stream != nil:
			s.ObservedBytes, s.SHA256Observed = o.stream.result()
		case o.observed:
			observed := o.out.content()
			s.describeObserved(observed)
			s.SHA256Observed = o.e.hashers.content(observed)
		}
		s.Status = StatusIncomplete
		s.Error = class
	})
}

// orphan writes the span of a call that is still open when its run ends.
func (o *Open) orphan() {
	o.mu.Lock()
	o.orphaned = !o.settled
	o.mu.Unlock()
	_ = o.abandon("", "unfinished") // its loss is in Err
}

// settle completes the span with fill and writes it, once.
func (o *Open) settle(fill func()) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.settled {
		return o.settledError()
	}
	o.settled = true
	defer o.e.end(o.e.begin(o))
	o.span.EndedAt = o.e.now()
	fill()
	return o.e.hostError(o.e.emit(&o.inner, &o.span))
}

// settledError is what a second write gets. After Close the call was written as
// incomplete: its late result is lost evidence, and no mistake of the host's.
func (o *Open) settledError() error {
	err := fmt.Errorf("span %s: %w", o.span.SpanID, ErrSettled)
	if !o.orphaned {
		return err
	}
	o.e.lose(0, err)
	return o.e.hostError(err)
}

// innerContext is what the host's context becomes inside a call. It is part of
// the Open, so that it costs no allocation.
type innerContext struct {
	context.Context
	call enclosed
}

// Value implements [context.Context].
func (c *innerContext) Value(key any) any {
	if key == (callKey{}) {
		return &c.call
	}
	return c.Context.Value(key)
}

type (
	callKey    struct{}
	emitterKey struct{}
)

// enclosed is the call in a context: one that the host announced, or the one
// inside which the context is used.
type enclosed struct {
	call   Call
	inside string // the span inside which further calls are made
}

// ContextWithCall announces the tool call that is about to be made with the
// context: so its id and parent reach [Wrapped.Call]. Without a ParentID, a call
// made inside another one has that one's span as its parent.
func ContextWithCall(ctx context.Context, c Call) context.Context {
	inside := enclosedIn(ctx).inside
	if c.ParentID == "" {
		c.ParentID = inside
	}
	return context.WithValue(ctx, callKey{}, &enclosed{c, inside})
}

// ContextWithEmitter makes e the run of all wrapped tools that are called with
// the context, in place of the emitter that wrapped them: tools are wrapped once,
// at start-up, and serve many runs.
func ContextWithEmitter(ctx context.Context, e *Emitter) context.Context {
	return context.WithValue(ctx, emitterKey{}, e)
}

// EmitterFromContext is the emitter set by [ContextWithEmitter], or nil.
func EmitterFromContext(ctx context.Context) *Emitter {
	e, _ := ctx.Value(emitterKey{}).(*Emitter)
	return e
}

// callFrom is the call announced in the context; inside a call, one without an
// id whose parent is that call.
func callFrom(ctx context.Context) Call { return enclosedIn(ctx).call }

func enclosedIn(ctx context.Context) enclosed {
	if c, ok := ctx.Value(callKey{}).(*enclosed); ok {
		return *c
	}
	return enclosed{}
}
