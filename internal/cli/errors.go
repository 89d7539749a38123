package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/clipspan/clipspan/internal/termsafe"
)

// hinted is an error with a hint at what to do about it.
type hinted struct {
	error
	hint string
}

func (h hinted) Unwrap() error { return h.error }

// withHint adds a hint to an error.
func withHint(err error, format string, args ...any) error {
	return hinted{err, fmt.Sprintf(format, args...)}
}

// complain prints an error and its hint, or each of those that were joined.
// File names and excerpts in them may be hostile.
func (a *app) complain(err error) {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range joined.Unwrap() {
			a.complain(e)
		}
		return
	}
	a.say("error", "%v", err)
	if h := (hinted{}); errors.As(err, &h) {
		a.say("hint", "%s", h.hint)
	}
}

// say prints a line of some kind, such as a note, to standard error.
func (a *app) say(kind, format string, args ...any) {
	fmt.Fprintf(a.stderr, "clipspan: %s: %s\n", kind, termsafe.String(fmt.Sprintf(format, args...)))
}

// unknown is the error of a word that is none of the commands below cmd.
func unknown(cmd *cobra.Command, what, word string) error {
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return withHint(fmt.Errorf("unknown %s %q", what, word), "%s", choices(what+"s", names, word))
}

// explainFlag adds a hint to the errors of the flag parser.
func explainFlag(cmd *cobra.Command, err error) error {
	var (
		unknown *pflag.NotExistError
		h       hinted
	)
	switch {
	case errors.As(err, &h):
		return err
	case errors.As(err, &unknown):
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
		return withHint(err, "%s", choices("flags", names, "--"+unknown.GetSpecifiedName()))
	default:
		return withHint(err, "%s --help lists the flags", cmd.CommandPath())
	}
}

// choices is a hint that lists what is allowed and names what may have been
// meant.
func choices(what string, allowed []string, word string) string {
	hint := what + " are " + strings.Join(allowed, ", ")
	if guess := nearest(allowed, word); guess != "" {
		hint = "did you mean " + guess + "? " + hint
	}
	return hint
}

// nearest is the choice that begins with word, or else the one that the fewest
// changes of letters make out of it, or "" if it would take many.
func nearest(allowed []string, word string) (guess string) {
	word = strings.ToLower(word)
	best := len(word)/3 + 2
	for _, choice := range allowed {
		if len(word) > 2 && strings.HasPrefix(choice, word) {
			return choice
		}
		if d := distance(word, choice); d < best {
			best, guess = d, choice
		}
	}
	return guess
}

// distance is the number of bytes to insert, delete or replace to get from a to
// b (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}
