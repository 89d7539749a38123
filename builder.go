package clipspan

import "context"

// Builder is a prompt builder: it decides what of a tool result is put into the
// prompt, and declares what it did. Build runs on the caller's goroutine, by many
// at once; for the same observation it should give the same injection.
type Builder interface {
	// Version is the id of the cap policy, such as "cap-v3".
	Version() string
	Build(ctx context.Context, o Observation) (Injection, error)
}

// BuilderFunc makes a [Builder] of a function.
func BuilderFunc(version string, build func(ctx context.Context, o Observation) (Injection, error)) Builder {
	return &builderFunc{version, build}
}

type builderFunc struct {
	version string
	build   func(context.Context, Observation) (Injection, error)
}

func (b *builderFunc) Version() string { return b.version }

func (b *builderFunc) Build(ctx context.Context, o Observation) (Injection, error) {
	return b.build(ctx, o)
}

// Observation is a tool result on its way into the prompt.
type Observation struct {
	SpanID     string // the span that will be written
	ToolCallID string // the model's, "" if it gave none
	Tool       string // the tool's name
	Text       string // the result; of a failed tool without one, its error's text
	Parts      []Part // the result if it is not one text: then Text is empty
	Err        error  // the tool's failure
	Partial    bool   // more was to come
}

// Injection is what a [Builder] puts into the prompt, and what it says about it.
// Sizes, hashes and kept ranges are computed from the texts; only Tokens is
// believed. The zero value of every field but Text means that nothing is said.
type Injection struct {
	Text  string
	Parts []Part // content that is not one text; if set, Text is not looked at

	// Reason declares why Text is not the observed text. A builder that only adds
	// something round it says [ReasonNone]. Empty means undeclared, or that the
	// decisive of the Stages speaks; of an unchanged text it is written as none.
	Reason      ClipReason
	Tokens      Count       // tokens of Text, if the builder counted them …
	TokenSource TokenSource // … and how; empty is not recorded
	Notice      Notice      // whether Text tells the model that something is missing

	Rendered *Rendered // the text between rendering and cutting, if there are two steps
	Stages   []Stage   // the policies that fired, in order
	Cap      Cap       // the limit that fired
	Kept     []Range   // which bytes survive: a hint, checked byte by byte
}

// Rendered is what was observed in another form, before anything was cut from it.
type Rendered struct {
	Text  string
	Parts []Part // if the form is not one text; if set, Text is not looked at
	ID    string // the renderer and its version, such as "line-numbers/1"
}

// Cap is a limit and its unit.
type Cap struct {
	Unit  CapUnit
	Value int64
}

// decisive is the reason of the stage that dropped the most bytes; ties go to
// the later one (RECORDS, Tool span).
func decisive(stages []Stage) ClipReason {
	var reason ClipReason
	most := int64(-1 << 63)
	for _, s := range stages {
		if dropped := s.BytesIn - s.BytesOut; dropped >= most {
			most, reason = dropped, s.Reason
		}
	}
	return reason
}
