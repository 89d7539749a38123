package builder

import (
	"errors"
	"fmt"

	"github.com/clipspan/clipspan"
)

// PolicyError is what is wrong at one place of a policy file.
type PolicyError struct {
	File  string
	Line  int    // from 1
	Field string // such as "stages[2].limit"; "" is the file as a whole
	Msg   string
}

// Error names the file, the line and the field.
func (e *PolicyError) Error() string {
	if e.Field == "" {
		return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Msg)
	}
	return fmt.Sprintf("%s:%d: %s: %s", e.File, e.Line, e.Field, e.Msg)
}

// ParsePolicy makes the prompt builder that a policy file describes (docs/builders.md
// has the format). The name stands in errors. The counters are those that a file may
// ask for by the names of their sources: "o200k_base" for a tokenizer of that name;
// "estimate" is always there. An unknown key is an error, as everything is that
// would otherwise be passed over: the errors joined are of type [*PolicyError],
// one for each mistake.
func ParsePolicy(name string, data []byte, counters ...clipspan.TokenCounter) (clipspan.Builder, error) {
	p := &policy{file: name, counters: counters}
	root, err := parseNode(data)
	if err != nil {
		return nil, &PolicyError{File: name, Line: root.line, Msg: err.Error()}
	}
	b := p.builder(root)
	if len(p.errs) > 0 {
		return nil, errors.Join(p.errs...)
	}
	return b, nil
}

// policy reads one file and collects what is wrong with it.
type policy struct {
	file     string
	counters []clipspan.TokenCounter
	errs     []error
}

func (p *policy) fail(n node, format string, args ...any) {
	p.errs = append(p.errs, &PolicyError{p.file, n.line, n.path, fmt.Sprintf(format, args...)})
}

func (p *policy) builder(root node) clipspan.Builder {
	o := p.object(root)
	version := o.text("version")
	if version == "" && o.n.isObject() {
		p.fail(root, "version is missing: give the policy a name of its own, such as \"cap-v4\"")
	}
	stages := p.stages(o.required("stages", "a list, [] for a policy that changes nothing"))
	tools := map[string]clipspan.Builder{}
	for _, m := range p.object(o.optional("tools")).all() {
		own := p.object(m.node)
		if list := p.stages(own.required("stages", "a list")); len(p.errs) == 0 {
			tools[m.key] = p.chain(m.node, version, list)
		}
		own.done()
	}
	o.done()
	if len(p.errs) > 0 {
		return nil
	}
	fallback := p.chain(root, version, stages)
	if len(tools) == 0 || len(p.errs) > 0 {
		return fallback
	}
	return ByTool(tools, fallback)
}

func (p *policy) chain(n node, version string, stages []Stage) clipspan.Builder {
	budgets := 0
	for _, s := range stages {
		if _, ok := s.(*turnBudget); ok {
			budgets++
		}
	}
	if budgets > 1 {
		p.fail(n, "stages has %d turn budgets, and can have one", budgets)
		return nil
	}
	return Chain(version, stages...)
}
