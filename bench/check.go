package main

import (
	"fmt"
	"os"

	"github.com/clipspan/clipspan/internal/tracegen"
)

// checks are the programs that judge one trace.
type checks struct {
	spans int
	bytes int64

	nothing *command // clipspan check on an empty trace
	table   *command // clipspan check
	jsonl   *command // clipspan check --format jsonl

	// The peers; nil if this machine has none.
	script *command // the article's clip_check.py
	lines  *command // wc -l
	duckdb *command
	query  float64 // DuckDB's least wall time without its start, in nanoseconds

	counts verdicts // by clipspan check
	absent []string // peers that this machine has not
}

// checkTable measures the whole command on a generated trace: shuffled keys, both
// spacings, escapes, and text that is not ASCII.
func checkTable(b *bench) (*table, error) {
	c, err := b.newChecks()
	if err != nil {
		return nil, err
	}
	for range max(6, b.reps/2) {
		for _, job := range []*command{c.nothing, c.table, c.jsonl, c.script, c.lines, c.duckdb} {
			if job == nil {
				continue
			}
			if err := job.measure(); err != nil {
				return nil, err
			}
		}
	}
	return c.report(), nil
}

func (b *bench) newChecks() (*checks, error) {
	c := &checks{spans: b.spans}
	trace, empty := b.path("trace.jsonl"), b.path("empty.jsonl")
	var err error
	if c.bytes, err = generate(trace, b.spans); err != nil {
		return nil, err
	}
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		return nil, err
	}
	launch, err := b.newLauncher()
	if err != nil {
		return nil, err
	}
	clipspan, err := b.build("..", "./cmd/clipspan")
	if err != nil {
		return nil, err
	}
	c.nothing = launch.command("nothing", empty, clipspan, "check", "--allow-empty", empty)
	c.table = launch.command("table", empty, clipspan, "check", trace)
	c.jsonl = launch.command("jsonl", empty, clipspan, "check", "--format", "jsonl", trace)
	c.jsonl.read = c.readSummary
	return c, c.addPeers(b, launch, trace)
}

// generate writes the trace and returns its size.
func generate(path string, spans int) (int64, error) {
	f, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	if err := tracegen.Write(f, spans, tracegen.Seed); err != nil {
		return 0, err
	}
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

func (c *checks) report() *table {
	t := &table{title: fmt.Sprintf("clipspan check, %d spans, %d MB", c.spans, c.bytes/1e6), notes: c.absent}
	ours, jsonl := c.table.least, c.jsonl.least
	if c.script != nil {
		const name = "clip_check.py"
		t.speedup("table, CPU", ours.CPU, c.script.least.CPU, name, atLeast(40))
		t.speedup("`--format jsonl`, CPU", jsonl.CPU, c.script.least.CPU, name, atLeast(25))
	}
	if c.lines != nil {
		t.share("table, wall", ours.Wall, c.lines.least.Wall, "`wc -l`", atMost(5))
	}
	if c.duckdb != nil {
		t.speedup("table, wall", ours.Wall, c.query, "DuckDB, the query alone", atLeast(1))
	}
	empty := c.nothing.least.Peak
	t.rows = append(t.rows, row{
		"table, peak memory a span", megabytes(ours.Peak), "an empty trace, " + megabytes(empty),
		float64(ours.Peak-empty) / float64(c.spans), " B", atMost(128),
	})
	return t
}

func megabytes(n int64) string { return fmt.Sprint(rounded(float64(n)/1e6), " MB") }
