package builder

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"unicode"
	"unicode/utf8"
)

// Rule finds one kind of secret. It is immutable.
type Rule struct {
	name       string
	expression string   // or what stands for it in the hash over the rules
	literals   []string // in lower case, one of which is in each match; none: look everywhere
	find       finder
}

// finder looks for secrets at a place where a literal stands. next is up to where
// it has looked: literals before that are not asked about again.
type finder func(text string, at int) (found []span, next int)

// secretGroup is the group of an expression that is the secret.
const secretGroup = "secret"

var (
	ruleName    = regexp.MustCompile(`^[a-z0-9]+(?:-[a-z0-9]+)*$`)
	placeholder = regexp.MustCompile(`\[redacted:[a-z0-9-]+\]`)
)

// NewRule makes a rule of an expression in the syntax of package [regexp], which
// never takes long. What is replaced is the group named "secret", or the whole match
// if there is no such group. The name is part of the placeholder: lower-case letters
// and digits, and hyphens between them.
func NewRule(name, pattern string) (Rule, error) {
	if !ruleName.MatchString(name) {
		return Rule{}, fmt.Errorf("rule name %q: must be lower-case letters and digits, with hyphens between them", clean(name))
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return Rule{}, fmt.Errorf("rule %s: %w", name, err)
	}
	if re.MatchString("") {
		return Rule{}, fmt.Errorf("rule %s: the pattern must not match the empty text, which is everywhere", name)
	}
	everywhere := func(text string, _ int) ([]span, int) { return secretsOf(re, text, 0), len(text) }
	return Rule{name: name, expression: pattern, find: everywhere}, nil
}

func (r Rule) placeholder() string { return "[redacted:" + r.name + "]" }

// ruleWith is a rule whose matches hold one of the literals. The expression is only
// asked about the text around it that is made of the characters of a match.
func ruleWith(name, pattern string, literals ...string) Rule {
	re := regexp.MustCompile(pattern)
	letters := alphabetOf(pattern)
	around := func(text string, at int) (found []span, next int) {
		from, to := at, at
		for to < len(text) && letters.has(text[to]) {
			to++
		}
		if to == at {
			return nil, at + 1
		}
		for from > 0 && letters.has(text[from-1]) {
			from--
		}
		for _, s := range secretsOf(re, text[from:to], from) {
			if !isStandIn(text[s.from:s.to]) {
				found = append(found, s)
			}
		}
		return found, to
	}
	return Rule{name: name, expression: pattern, literals: literals, find: around}
}

// secretsOf is what an expression finds in a text that begins at offset.
func secretsOf(re *regexp.Regexp, text string, offset int) (found []span) {
	group := max(re.SubexpIndex(secretGroup), 0)
	for _, at := range re.FindAllStringSubmatchIndex(text, -1) {
		if from, to := at[2*group], at[2*group+1]; from < to {
			found = append(found, span{offset + from, offset + to})
		}
	}
	return found
}

// alphabet is the bytes that a match can be made of.
type alphabet struct {
	ascii [utf8.RuneSelf]bool
	more  bool // all others
}

func (a *alphabet) has(c byte) bool {
	if c < utf8.RuneSelf {
		return a.ascii[c]
	}
	return a.more
}

func alphabetOf(pattern string) (a alphabet) {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		panic("builder: " + err.Error())
	}
	a.add(re)
	return a
}

// add adds what an expression can match. The characters of words are told from
// others at a word's boundary, so they belong to its surroundings.
func (a *alphabet) add(re *syntax.Regexp) {
	switch re.Op {
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			a.addRange(r, r)
			if re.Flags&syntax.FoldCase != 0 {
				for folded := unicode.SimpleFold(r); folded != r; folded = unicode.SimpleFold(folded) {
					a.addRange(folded, folded)
				}
			}
		}
	case syntax.OpCharClass:
		for i := 0; i < len(re.Rune); i += 2 {
			a.addRange(re.Rune[i], re.Rune[i+1])
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		a.addRange(0, utf8.MaxRune)
	case syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		a.addRange('0', '9')
		a.addRange('A', 'Z')
		a.addRange('a', 'z')
		a.addRange('_', '_')
	}
	for _, sub := range re.Sub {
		a.add(sub)
	}
}

func (a *alphabet) addRange(from, to rune) {
	for r := from; r <= min(to, utf8.RuneSelf-1); r++ {
		a.ascii[r] = true
	}
	a.more = a.more || to >= utf8.RuneSelf
}
