package clipspan

import (
	"context"
	"errors"
)

// Wrapped is a [Tool] whose results can't reach a model without a span. It may
// be called by many goroutines at once, and for many runs (see
// [ContextWithEmitter]).
type Wrapped struct {
	emitter *Emitter
	tool    Tool
	builder Builder
}

// Wrap joins a tool with the prompt builder that makes its results fit for the
// prompt. A nil builder injects every result whole.
func (e *Emitter) Wrap(tool Tool, builder Builder) *Wrapped {
	if builder == nil {
		builder = wholeResult
	}
	return &Wrapped{e, tool, builder}
}

var wholeResult = BuilderFunc("whole", func(_ context.Context, o Observation) (Injection, error) {
	return Injection{Text: o.Text, Parts: o.Parts}, nil
})

// Name is the tool's name.
func (w *Wrapped) Name() string { return w.tool.Name() }

// Unwrap is the tool itself.
func (w *Wrapped) Unwrap() Tool { return w.tool }

// Call runs the tool and the builder and returns only the injected text, after
// its span has been handed to the sink. When the tool fails, it returns the
// injected text and the tool's own error: put the text into the prompt, which is
// the error's text as the builder cut it, and never err.Error() in its place. When
// the builder fails, it returns ""
// and the builder's error: the raw result may be what the builder was there to
// redact. Under [WithFailClosed] it returns "" and [ErrNotRecorded] if the span
// could not be written. Of Parts it returns the texts. A panic of tool or builder
// is recorded and goes on.
func (w *Wrapped) Call(ctx context.Context, input string) (string, error) {
	e := w.emitter
	if run := EmitterFromContext(ctx); run != nil {
		e = run
	}
	call := callFrom(ctx)
	call.Name, call.Args = w.tool.Name(), input
	o := e.Start(ctx, call)
	phase := "tool_did_not_return"
	defer func() {
		if phase != "" {
			_ = o.abandon("", phase) // the panic or Goexit that is under way goes on as it is
		}
	}()
	text, toolErr := w.tool.Call(&o.inner, input)
	out := Output{Text: text, Err: toolErr}
	o.Observe(out)
	phase = "builder_did_not_return"
	in, err := w.builder.Build(ctx, o.observation(out))
	version := w.builder.Version()
	phase = ""
	if err != nil {
		if lost := o.abandon(version, "builder"); lost != nil {
			err = errors.Join(err, lost)
		}
		return "", err
	}
	if err := o.Inject(in, version); err != nil {
		return "", errors.Join(err, toolErr)
	}
	return newContent(in.Text, in.Parts).texts(), toolErr
}

// observation is what the builder is given, whether or not the run has ended
// meanwhile.
func (o *Open) observation(out Output) Observation {
	c := out.content()
	return Observation{
		SpanID:     o.span.SpanID,
		ToolCallID: o.call.ID,
		Tool:       o.call.Name,
		Text:       c.text,
		Parts:      c.parts,
		Err:        out.Err,
		Partial:    out.Partial,
	}
}
