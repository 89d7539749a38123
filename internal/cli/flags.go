package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
)

// choice is the value of a flag that takes one of a few words.
type choice struct {
	what    string // in the plural, for hints
	allowed []string
	value   string
}

// String implements pflag.Value.
func (c *choice) String() string { return c.value }

// Type implements pflag.Value: the placeholder in the help text.
func (c *choice) Type() string { return "WORD" }

// Set implements pflag.Value.
func (c *choice) Set(word string) error {
	if !slices.Contains(c.allowed, word) {
		return withHint(errors.New("no such value"), "%s", choices(c.what, c.allowed, word))
	}
	c.value = word
	return nil
}

// wordSet is the value of a flag that takes a list of words.
type wordSet struct {
	what    string // in the plural, for hints
	allowed []string
	usual   []string // what counts without the flag
	words   []string
	none    string // the word that stands for the empty list
}

// String implements pflag.Value.
func (s *wordSet) String() string {
	if len(s.words) == 0 {
		return s.none
	}
	return strings.Join(s.words, ",")
}

// Type implements pflag.Value: the placeholder in the help text.
func (s *wordSet) Type() string { return "LIST" }

// Set implements pflag.Value. The last of several flags counts.
func (s *wordSet) Set(list string) error {
	s.words = nil
	for word := range strings.SplitSeq(list, ",") {
		switch word = strings.TrimSpace(word); {
		case word == s.none:
		case !slices.Contains(s.allowed, word):
			all := append(slices.Clone(s.allowed), s.none)
			return withHint(fmt.Errorf("no such word: %q", word), "%s", choices(s.what, all, word))
		default:
			s.words = append(s.words, word)
		}
	}
	return nil
}

func (s *wordSet) has(word string) bool { return slices.Contains(s.words, word) }

// complete proposes the words that may follow those of the list typed so far.
func (s *wordSet) complete(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	list := typed[:strings.LastIndexByte(typed, ',')+1]
	var proposals []string
	for _, word := range s.allowed {
		if !slices.Contains(strings.Split(list, ","), word) {
			proposals = append(proposals, list+word)
		}
	}
	return proposals, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// percent is the value of a flag that takes a percentage, with or without sign.
type percent float64

// String implements pflag.Value.
func (p *percent) String() string { return strconv.FormatFloat(float64(*p), 'g', -1, 64) }

// Type implements pflag.Value: the placeholder in the help text.
func (p *percent) Type() string { return "PCT" }

// Set implements pflag.Value.
func (p *percent) Set(text string) error {
	n, err := strconv.ParseFloat(strings.TrimSuffix(text, "%"), 64)
	if err != nil || !(n >= 0 && n <= 100) { // in this form, NaN fails
		return withHint(errors.New("not a percentage"), "give a number from 0 to 100")
	}
	*p = percent(n)
	return nil
}

// natural is the value of a flag that takes a number from 0.
type natural struct {
	n   int
	set bool
}

// String implements pflag.Value.
func (n *natural) String() string { return strconv.Itoa(n.n) }

// Type implements pflag.Value: the placeholder in the help text.
func (n *natural) Type() string { return "N" }

// Set implements pflag.Value.
func (n *natural) Set(text string) error {
	v, err := strconv.Atoi(text)
	if err != nil || v < 0 {
		return withHint(errors.New("not a number of records"), "give a whole number from 0")
	}
	n.n, n.set = v, true
	return nil
}

// fileName is a flag that names a file. An empty name is an error: it comes from
// a variable that is not set, and must not pass for a flag that was not given.
type fileName string

// Set implements pflag.Value.
func (n *fileName) Set(text string) error {
	if text == "" {
		return errors.New("it names no file")
	}
	*n = fileName(text)
	return nil
}

// String implements pflag.Value.
func (n *fileName) String() string { return string(*n) }

// Type implements pflag.Value.
func (*fileName) Type() string { return "file" }
