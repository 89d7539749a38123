// Package cli is the clipspan command. It runs within the process, so that its
// tests do, too.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"
)

// The exit codes of every command (RECORDS, Exit codes).
const (
	exitTrusted = iota
	exitNotTrusted
	exitUnusable // usage, or input that can't be read at all
)

// errNotTrusted is what a command returns that has said all there is to say:
// the trace is not trustworthy.
var errNotTrusted = errors.New("not trustworthy")

// Run runs the command with args, the program's name left out, and returns its
// exit code. It reads the environment for colour and progress. A cancelled ctx
// interrupts it; with --follow that is the usual end.
func Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return newApp(stdin, stdout, stderr).run(ctx, args)
}

// app is what a command may touch of the world around it.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	// outTerminal and errTerminal tell whether someone may be watching.
	outTerminal, errTerminal bool

	getenv      func(string) string
	now         func() time.Time
	wait        func(context.Context) error // until a followed file may have grown
	maxUnpacked int64                       // bytes that one .gz file may unpack to
}

func newApp(stdin io.Reader, stdout, stderr io.Writer) *app {
	return &app{
		stdin: stdin, stdout: stdout, stderr: stderr,
		outTerminal: isTerminal(stdout), errTerminal: isTerminal(stderr),
		getenv:      os.Getenv,
		now:         time.Now,
		wait:        waitForGrowth,
		maxUnpacked: maxUnpacked,
	}
}

func (a *app) run(ctx context.Context, args []string) int {
	root := a.rootCommand()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	switch {
	case err == nil || brokenPipe(err):
		return exitTrusted
	case errors.Is(err, errNotTrusted):
		return exitNotTrusted
	default:
		a.complain(err)
		return exitUnusable
	}
}

func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "clipspan",
		Short: "Find out what of a tool's result the model was given",
		Long: `clipspan judges traces: JSONL files that say for every tool call of an agent how
many bytes the tool returned, how many the model was given, and why they differ.

Exit codes: 0 trustworthy, 1 not trustworthy, 2 usage or unreadable input.`,
		Version:               version(),
		SilenceErrors:         true,
		SilenceUsage:          true,
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			if info, err := os.Stat(args[0]); err == nil && !info.IsDir() {
				return withHint(fmt.Errorf("unknown command %q", args[0]), "clipspan check %s", args[0])
			}
			return unknown(cmd, "command", args[0])
		},
		// Words that are no command get here too, and none of them is a file.
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetFlagErrorFunc(explainFlag)
	root.AddCommand(a.checkCommand(), a.versionCommand())
	refuseUnknown(root)
	return root
}

// refuseUnknown makes errors of words that cobra's own commands let pass.
func refuseUnknown(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "help":
			help := cmd.Run
			cmd.Run, cmd.RunE = nil, func(cmd *cobra.Command, args []string) error {
				topic, rest, err := root.Find(args)
				if err != nil {
					return err
				}
				if len(rest) > 0 {
					return unknown(topic, "command", rest[0])
				}
				help(cmd, args)
				return nil
			}
		case "completion":
			cmd.Args, cmd.DisableFlagsInUseLine = cobra.ArbitraryArgs, true
			cmd.RunE = func(cmd *cobra.Command, args []string) error {
				if len(args) > 0 {
					return unknown(cmd, "shell", args[0])
				}
				return cmd.Help()
			}
		}
	}
}
