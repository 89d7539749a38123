package builder

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzRulesFindWhatTheirExpressionsDo compares the search around literals with the
// plain one.
func FuzzRulesFindWhatTheirExpressionsDo(f *testing.F) {
	key := strings.Repeat("Ab3dE5gHi7", 7)
	for _, r := range DefaultRules() {
		for _, literal := range r.literals {
			f.Add("x " + literal + key + " " + strings.ToUpper(literal) + key + "\n" + literal + literal + key)
			f.Add(key + literal + key + "é" + literal + strings.Repeat("0a1b", 20))
		}
	}
	f.Add("AKIA" + strings.Repeat("Q3", 8) + "a AKIA" + strings.Repeat("Q3", 8) + "- _AKIA" + strings.Repeat("Q3", 8))
	f.Add("http://a:b@c http://é:ß@ftp://x:@y:z@")
	f.Add("ſk-" + key + "bearer\t\t" + key + "= BEARER \u212a" + key)
	f.Fuzz(func(t *testing.T, text string) {
		s := newRedact(DefaultRules())
		got := make(map[int][]span)
		for _, found := range s.find(text) {
			got[found.rule] = append(got[found.rule], found.span)
		}
		for i, r := range s.rules {
			if re, err := regexp.Compile(r.expression); err == nil && r.name != "named-secret" {
				require.Equal(t, plainly(s, re, text), got[i], "%s in %q", r.name, text)
			}
		}
	})
}

func plainly(s *redact, re *regexp.Regexp, text string) (found []span) {
	for _, f := range secretsOf(re, text, 0) {
		if !isStandIn(text[f.from:f.to]) && !within(f, s.placeholders(text)) {
			found = append(found, f)
		}
	}
	return found
}

func TestTheAutomatonFindsEveryLiteral(t *testing.T) {
	for _, c := range []struct {
		name, text string
		literals   []string
		want       []string
	}{
		{"in upper and lower case", "Sk-sK-", []string{"sk-"}, []string{"sk-@0", "sk-@3"}},
		{"within each other", "ashes", []string{"ashes", "she", "he", "s"}, []string{"s@1", "she@1", "he@2", "ashes@0", "s@4"}},
		{"after a false start", "aaab", []string{"aab"}, []string{"aab@1"}},
		{"at the end and at the beginning", "é.é", []string{"é"}, []string{"é@0", "é@3"}},
		{"none", "x", nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var literals []literal
			for i, text := range c.literals {
				literals = append(literals, literal{text, i})
			}
			a := newAutomaton(literals)
			var got []string
			a.walk(c.text, func(rule, at int) { got = append(got, c.literals[rule]+"@"+string(rune('0'+at))) })
			require.Equal(t, c.want, got)
		})
	}
}

// hostile are texts of a size that give a rule the most to do.
func hostile(size int) map[string]string {
	texts := map[string]string{"PEM without an end": "-----BEGIN RSA PRIVATE KEY-----\n" + strings.Repeat("not base64, ", size/12)}
	for _, piece := range []string{
		"=", "sk-", "-----BEGIN ", "-----BEGIN RSA PRIVATE KEY-----\n", "password=", "password=\"", "password='x ", "://", "a://b:c", "eyJ", ".eyJ", "eyJaaaaaaaaaa.", "key", "bearer ", "SK0", "\\\\", "secret: \\\"",
	} {
		texts[piece] = strings.Repeat(piece, size/len(piece))
	}
	return texts
}

func TestHostileTextsAreRedactedInTime(t *testing.T) {
	s := newRedact(DefaultRules())
	for name, text := range hostile(1 << 20) {
		t.Run(name, func(*testing.T) { s.replacements(text) }) // quadratic time would end the test run
	}
}

func BenchmarkRedactHostile(b *testing.B) {
	s := newRedact(DefaultRules())
	for name, text := range hostile(1 << 20) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				s.replacements(text)
			}
		})
	}
}
