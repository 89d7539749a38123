package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// command is a program that is run and measured as a whole.
type command struct {
	name     string
	launcher []string // and what it launches
	out      string   // where its standard output goes
	read     func(out []byte) error
	least    outcome
	runs     int
}

// outcome is what a run cost, as launch prints it.
type outcome struct {
	CPU  float64 // nanoseconds, as all times are
	Wall float64
	Peak int64 // bytes of memory
	Exit int
}

// launcher starts commands (see the program launch).
type launcher struct {
	program string
	dir     string // where the commands' output goes
}

// newLauncher builds the program that starts the commands.
func (b *bench) newLauncher() (*launcher, error) {
	program, err := b.build(".", "./launch")
	return &launcher{program, b.dir}, err
}

// command prepares a command that reads the file stdin.
func (l *launcher) command(name, stdin string, args ...string) *command {
	out := filepath.Join(l.dir, name+".out")
	return &command{name: name, launcher: append([]string{l.program, stdin, out}, args...), out: out}
}

// measure runs the command once more and keeps the least of everything.
func (c *command) measure() error {
	cmd := exec.Command(c.launcher[0], c.launcher[1:]...)
	cmd.Stderr = os.Stderr
	answer, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("launching %s: %w", c.name, err)
	}
	var o outcome
	if err := json.Unmarshal(answer, &o); err != nil {
		return fmt.Errorf("launching %s: %w", c.name, err)
	}
	if o.Exit != 0 && o.Exit != 1 { // 1 is the judgement that the trace is not trustworthy
		return fmt.Errorf("%s: exit status %d", c.name, o.Exit)
	}
	if c.runs++; c.runs == 1 {
		c.least = o
	}
	c.least.CPU = min(c.least.CPU, o.CPU)
	c.least.Wall = min(c.least.Wall, o.Wall)
	c.least.Peak = min(c.least.Peak, o.Peak)
	if c.read == nil {
		return nil
	}
	out, err := os.ReadFile(c.out)
	if err != nil {
		return err
	}
	return c.read(out)
}

// build builds the program of a package in the module at dir, and returns its
// path.
func (b *bench) build(dir, pkg string) (program string, err error) {
	program = b.path("program-" + filepath.Base(pkg))
	cmd := exec.Command("go", "build", "-C", dir, "-o", program, pkg)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building %s: %w\n%s", pkg, err, out)
	}
	return program, nil
}
