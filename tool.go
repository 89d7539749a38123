package clipspan

import (
	"context"
	"encoding/json"
	"fmt"
)

// Tool is something that an agent can call. The input is the model's arguments,
// usually JSON.
type Tool interface {
	Name() string
	Call(ctx context.Context, input string) (string, error)
}

// ToolFunc makes a [Tool] of a function.
func ToolFunc(name string, f func(ctx context.Context, input string) (string, error)) Tool {
	return &toolFunc{name, f}
}

type toolFunc struct {
	name string
	call func(context.Context, string) (string, error)
}

func (t *toolFunc) Name() string { return t.name }

func (t *toolFunc) Call(ctx context.Context, input string) (string, error) {
	return t.call(ctx, input)
}

// TypedTool makes a [Tool] of a function with typed arguments and result. The
// input is decoded from JSON. The result is turned into text by render; if that
// is nil, a string is taken as it is and anything else is written as JSON.
func TypedTool[In, Out any](name string, f func(context.Context, In) (Out, error), render func(Out) (string, error)) Tool {
	if render == nil {
		render = renderJSON[Out]
	}
	return ToolFunc(name, func(ctx context.Context, input string) (string, error) {
		var in In
		if err := json.Unmarshal([]byte(input), &in); err != nil {
			return "", fmt.Errorf("reading arguments of %s: %w", name, err)
		}
		out, err := f(ctx, in)
		if err != nil {
			return "", err
		}
		text, err := render(out)
		if err != nil {
			return "", fmt.Errorf("rendering result of %s: %w", name, err)
		}
		return text, nil
	})
}

func renderJSON[Out any](v Out) (string, error) {
	if text, ok := any(v).(string); ok {
		return text, nil
	}
	b, err := json.Marshal(v)
	return string(b), err
}

// Call says which tool call of the model a span belongs to.
type Call struct {
	ID       string // the model's tool call id, "" if it gave none
	Name     string // the tool
	ParentID string // the turn, or the span of the agent that makes the call
	Args     string // the arguments; only their hash is recorded
}

// Output is what a tool returned.
type Output struct {
	Text    string
	Parts   []Part // content that is not one text; if set, Text is not looked at
	Err     error  // the tool's failure; its text is observed if there is no other
	Partial bool   // more was to come: the span will be incomplete
}

// Part is one part of content that is not one text. Data is not copied: it must
// not change until the span is written.
type Part struct {
	MediaType string
	Text      string
	Data      []byte // raw bytes of a part that is not text
}

func (p Part) size() int64 { return int64(len(p.Text) + len(p.Data)) }

func (p Part) equal(other Part) bool {
	return p.Text == other.Text && string(p.Data) == string(other.Data)
}

// TokenCounter counts the tokens of an injected text. It is asked only when the
// builder gave no count, on a goroutine of its own, by many at once.
type TokenCounter interface {
	CountTokens(ctx context.Context, text string) (int64, error)
	Source() TokenSource
}
