package builder

import (
	"context"
	"fmt"
	"strings"
)

// NumberLines is the renderer "line-numbers/1": each line has its number before
// it, counted from 1, in six columns and a tab, as cat -n writes it.
func NumberLines() Stage { return numberLines{} }

type numberLines struct{}

func (numberLines) String() string { return "number_lines" }
func (numberLines) phase() phase   { return rendering }

func (numberLines) apply(_ context.Context, d *draft) (fired bool, err error) {
	return d.render("line-numbers/1", numbered), nil
}

func numbered(text string) string {
	var b strings.Builder
	b.Grow(len(text) + 8*strings.Count(text, "\n") + 8)
	n := 0
	for line := range strings.Lines(text) {
		n++
		fmt.Fprintf(&b, "%6d\t%s", n, line)
	}
	return b.String()
}
