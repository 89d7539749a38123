package builder

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"

	"github.com/clipspan/clipspan"
)

// Redact puts a placeholder such as
//
//	[redacted:github-token]
//
// in the place of each secret that a rule finds in the whole text, before any cut
// can break one in two. It says which rule it was and nothing about the secret, and
// can't be used as a value. Where matches overlap, all that they cover is replaced.
// Without rules it is [DefaultRules]. The time it takes grows with the text's size
// only. The reason is [clipspan.ReasonRedaction]; a result without secrets declares
// none.
func Redact(rules ...Rule) Stage {
	if len(rules) == 0 {
		rules = DefaultRules()
	}
	return newRedact(rules)
}

type redact struct {
	rules    []Rule
	literals automaton // of the rules that have some
	name     string
}

func newRedact(rules []Rule) *redact {
	s := &redact{rules: slices.Clone(rules)}
	var literals []literal
	sum := sha256.New()
	for i, r := range rules {
		fmt.Fprintf(sum, "%q %q\n", r.name, r.expression)
		for _, text := range r.literals {
			literals = append(literals, literal{text, i})
		}
	}
	s.literals = newAutomaton(literals)
	s.name = fmt.Sprintf("redact(%d rules, %x)", len(rules), sum.Sum(nil)[:4])
	return s
}

// String ends with a hash over the rules, so that another rule is another chain.
func (s *redact) String() string { return s.name }

func (s *redact) phase() phase { return redacting }

func (s *redact) apply(_ context.Context, d *draft) (fired bool, err error) {
	return d.replace(s, clipspan.ReasonRedaction, s.replacements(d.text)), nil
}

// secret is a range of the text that a rule, by its number, says is one.
type secret struct {
	span
	rule int
}

// span is a range of bytes.
type span struct{ from, to int }

// replacements are the placeholders for all secrets.
func (s *redact) replacements(text string) (list []replacement) {
	for _, found := range s.merged(text) {
		list = append(list, replacement{found.from, found.to, s.rules[found.rule].placeholder()})
	}
	return list
}

// merged is what all rules find, in order. Where several overlap, the one that
// begins first, or else is the longest, or else is of the first rule, stands for
// all.
func (s *redact) merged(text string) (list []secret) {
	found := s.find(text)
	slices.SortFunc(found, func(a, b secret) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to), cmp.Compare(a.rule, b.rule))
	})
	for _, f := range found {
		if n := len(list); n > 0 && f.from < list[n-1].to {
			list[n-1].to = max(list[n-1].to, f.to)
			continue
		}
		list = append(list, f)
	}
	return list
}

// find asks each rule about the places where one of its literals stands, or about
// the whole text if it has none.
func (s *redact) find(text string) (found []secret) {
	next := make([]int, len(s.rules)) // up to where a rule has looked
	done := s.placeholders(text)
	look := func(rule, at int) {
		if at < next[rule] || within(span{at, at}, done) {
			return
		}
		var spans []span
		spans, next[rule] = s.rules[rule].find(text, at)
		for _, f := range spans {
			if f.from < f.to && !within(f, done) {
				found = append(found, secret{f, rule})
			}
		}
	}
	for i, r := range s.rules {
		if len(r.literals) == 0 {
			look(i, 0)
		}
	}
	s.literals.walk(text, look)
	return found
}

// placeholders are those that an earlier redaction has put.
func (s *redact) placeholders(text string) (list []span) {
	for _, at := range placeholder.FindAllStringIndex(text, -1) {
		if slices.ContainsFunc(s.rules, func(r Rule) bool { return r.placeholder() == text[at[0]:at[1]] }) {
			list = append(list, span{at[0], at[1]})
		}
	}
	return list
}

// within reports whether a range lies in one of others, which ascend.
func within(s span, others []span) bool {
	i, _ := slices.BinarySearchFunc(others, s.from, func(o span, from int) int {
		if o.to <= from {
			return -1
		}
		return 1
	})
	return i < len(others) && others[i].from <= s.from && s.to <= others[i].to
}
