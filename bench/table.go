package main

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"time"
)

// table is one printed comparison.
type table struct {
	title string
	rows  []row
	notes []string
}

// row compares clipspan with one peer at one job.
type row struct {
	job    string
	ours   string
	peer   string // with its name, or "" for a row that stands alone
	figure float64
	unit   string
	goal   goal
}

// goal is a target. The zero value is none: the row is for information.
type goal struct {
	sign  string
	limit float64
}

func atMost(limit float64) goal  { return goal{"≤", limit} }
func atLeast(limit float64) goal { return goal{"≥", limit} }

// met judges the figure as it is printed.
func (g goal) met(figure float64) bool {
	if g.sign == "≥" {
		return rounded(figure) >= g.limit
	}
	return rounded(figure) <= g.limit
}

// rounded is a figure to three digits.
func rounded(figure float64) float64 {
	f, _ := strconv.ParseFloat(strconv.FormatFloat(figure, 'g', 3, 64), 64)
	return f
}

func (t *table) print(w io.Writer) {
	fmt.Fprintf(w, "\n### %s\n\n", t.title)
	fmt.Fprintln(w, "| job | clipspan | against | ratio | target | met |")
	fmt.Fprintln(w, "| --- | --- | --- | --- | --- | --- |")
	for _, r := range t.rows {
		target, met := "", ""
		if r.goal != (goal{}) {
			target = fmt.Sprint(r.goal.sign, " ", r.goal.limit, r.unit)
			met = map[bool]string{true: "yes", false: "**no**"}[r.goal.met(r.figure)]
		}
		fmt.Fprintf(w, "| %s | %s | %s | %v%s | %s | %s |\n", r.job, r.ours, r.peer, rounded(r.figure), r.unit, target, met)
	}
	for _, note := range t.notes {
		fmt.Fprintf(w, "\n%s\n", note)
	}
}

// share adds a row with our part of what a peer needs.
func (t *table) share(job string, ours, theirs float64, peer string, g goal) {
	t.rows = append(t.rows, row{job, duration(ours), peer + ", " + duration(theirs), ours / theirs, "", g})
}

// speedup adds a row with how many times faster than a peer we are.
func (t *table) speedup(job string, ours, theirs float64, peer string, g goal) {
	t.rows = append(t.rows, row{job, duration(ours), peer + ", " + duration(theirs), theirs / ours, "×", g})
}

// allocs adds a row with the allocations of one job, a whole number.
func (t *table) allocs(job string, c cost, g goal) {
	n := math.Round(c.allocs)
	t.rows = append(t.rows, row{job: job + ", allocations", ours: strconv.Itoa(int(n)), figure: n, goal: g})
}

// duration is a time in nanoseconds to three digits, with a unit.
func duration(ns float64) string {
	for _, u := range []struct {
		name string
		size time.Duration
	}{{"s", time.Second}, {"ms", time.Millisecond}, {"µs", time.Microsecond}} {
		if ns >= float64(u.size) {
			return fmt.Sprint(rounded(ns/float64(u.size)), " ", u.name)
		}
	}
	return fmt.Sprint(rounded(ns), " ns")
}

// score counts targets.
type score struct{ met, missed int }

func (s *score) add(t *table) {
	for _, r := range t.rows {
		switch {
		case r.goal == (goal{}):
		case r.goal.met(r.figure):
			s.met++
		default:
			s.missed++
		}
	}
}

func (s *score) print(w io.Writer) {
	fmt.Fprintf(w, "\n%d of %d targets met.\n", s.met, s.met+s.missed)
}
