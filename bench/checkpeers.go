package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"strings"
)

// addPeers prepares those peers that this machine has, and names the others.
func (c *checks) addPeers(b *bench, launch *launcher, trace string) error {
	script, err := filepath.Abs(filepath.Join("peers", "clip_check.py"))
	if err != nil {
		return err
	}
	if python, err := findPython(); err != nil {
		c.lacks("python3", err)
	} else {
		c.script = launch.command("clip_check", trace, python, script)
		c.script.read = c.readScript
	}
	if wc, err := exec.LookPath("wc"); err != nil {
		c.lacks("wc", err)
	} else {
		c.lines = launch.command("wc", trace, wc, "-l")
	}
	if b.quick {
		c.lacks("duckdb", errors.New("left out by -quick"))
	} else if duckdb, err := b.build("duckdb", "."); err != nil {
		c.lacks("duckdb", err)
	} else {
		c.duckdb = launch.command("duckdb", trace, duckdb, trace)
		c.duckdb.read = c.readDuckDB
	}
	return nil
}

func (c *checks) lacks(peer string, err error) {
	reason, _, _ := strings.Cut(err.Error(), "\n")
	c.absent = append(c.absent, fmt.Sprintf("%s: not present (%s)", peer, reason))
}

// findPython is the interpreter itself: what stands on the path may be a script
// that looks for one.
func findPython() (string, error) {
	out, err := exec.Command("python3", "-c", "import sys; print(sys.executable)").Output()
	return strings.TrimSpace(string(out)), err
}

// verdicts are how many spans have each verdict.
type verdicts map[string]int

// The functions below read what a job printed, and make sure that all found the
// same: else they did not do the same job. Clipspan comes first.

func (c *checks) readSummary(out []byte) error {
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	var last struct {
		Summary struct{ Counts verdicts }
	}
	if err := json.Unmarshal(lines[len(lines)-1], &last); err != nil {
		return fmt.Errorf("reading the summary of clipspan check: %w", err)
	}
	c.counts = last.Summary.Counts
	if total := c.counts.total(); total != c.spans {
		return fmt.Errorf("clipspan check counts %d spans of %d", total, c.spans)
	}
	return nil
}

func (c *checks) readScript(out []byte) error {
	want := fmt.Sprintf("# silent_clip=%d incomplete=%d total=%d\n",
		c.counts["silent_clip"], c.counts["incomplete"], c.spans)
	if !bytes.HasSuffix(out, []byte(want)) {
		return fmt.Errorf("clip_check.py does not end with %q", want)
	}
	return nil
}

func (c *checks) readDuckDB(out []byte) error {
	var answer struct {
		Wall   float64
		Counts verdicts
	}
	if err := json.Unmarshal(out, &answer); err != nil {
		return fmt.Errorf("reading the answer of DuckDB: %w", err)
	}
	if !maps.Equal(answer.Counts, c.counts) {
		return fmt.Errorf("DuckDB counts %v, clipspan check %v", answer.Counts, c.counts)
	}
	if c.query == 0 || answer.Wall < c.query {
		c.query = answer.Wall
	}
	return nil
}

func (v verdicts) total() (n int) {
	for _, count := range v {
		n += count
	}
	return n
}
