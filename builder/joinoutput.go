package builder

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/clipspan/clipspan"
)

// Process is what a program left behind: a tool's result for [JoinOutput]. A tool
// returns it in parts, or as the JSON that [clipspan.TypedTool] makes of it.
type Process struct {
	Stdout   string `json:"stdout"`
	Stderr   string `json:"stderr"`
	ExitCode int    `json:"exit_code"`
}

const (
	stdout   = "text/plain; stream=stdout"
	stderr   = "text/plain; stream=stderr"
	exitCode = "text/plain; stream=exit-code"
)

// Parts are the two streams and the exit code, as a tool's output has them.
func (p Process) Parts() []clipspan.Part {
	return []clipspan.Part{
		{MediaType: stdout, Text: p.Stdout},
		{MediaType: stderr, Text: p.Stderr},
		{MediaType: exitCode, Text: strconv.Itoa(p.ExitCode)},
	}
}

// JoinOutput is the renderer "join-output/1". Of a [Process] it makes one text:
// what the program wrote, then, behind a line "stderr:", its complaints if there
// are any, then a line "exit code: 0". Any other result it leaves alone.
func JoinOutput() Stage { return joinOutput{} }

type joinOutput struct{}

func (joinOutput) String() string { return "join_output" }
func (joinOutput) phase() phase   { return rendering }

func (joinOutput) apply(_ context.Context, d *draft) (fired bool, err error) {
	p, ok := processOf(d.base)
	if ok {
		d.renderAs("join-output/1", []clipspan.Part{{MediaType: "text/plain", Text: p.text()}})
	}
	return ok, nil
}

// processOf is the Process that some content is of.
func processOf(base []clipspan.Part) (p Process, ok bool) {
	if len(base) == 1 && len(base[0].Data) == 0 {
		return processOfJSON(base[0].Text)
	}
	if len(base) != 3 || base[0].MediaType != stdout || base[1].MediaType != stderr || base[2].MediaType != exitCode ||
		slices.ContainsFunc(base, func(p clipspan.Part) bool { return len(p.Data) > 0 }) {
		return Process{}, false
	}
	code, err := strconv.Atoi(base[2].Text)
	return Process{Stdout: base[0].Text, Stderr: base[1].Text, ExitCode: code}, err == nil && strconv.Itoa(code) == base[2].Text
}

// processOfJSON takes nothing but what encoding/json makes of a Process: anything
// that is not the very same may hold more than the three fields.
func processOfJSON(text string) (p Process, ok bool) {
	if !strings.HasPrefix(text, `{"stdout":`) || json.Unmarshal([]byte(text), &p) != nil {
		return Process{}, false
	}
	same, err := json.Marshal(p)
	return p, err == nil && string(same) == text
}

func (p Process) text() string {
	var b strings.Builder
	b.WriteString(p.Stdout)
	endLine(&b)
	if p.Stderr != "" {
		b.WriteString("stderr:\n")
		b.WriteString(p.Stderr)
		endLine(&b)
	}
	b.WriteString("exit code: ")
	b.WriteString(strconv.Itoa(p.ExitCode))
	return b.String()
}

func endLine(b *strings.Builder) {
	if s := b.String(); s != "" && !strings.HasSuffix(s, "\n") {
		b.WriteByte('\n')
	}
}
