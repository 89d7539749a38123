package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/clipspan/clipspan/trace"
)

// check is one call of the command.
type check struct {
	app   *app
	gate  gate
	paths []string

	format, color                   choice
	all, requireEnd, follow         bool
	baselineName, writeBaselineName fileName

	inputs []input // found at the paths
}

const checkHelp = `Judge traces: was every tool result given to the model whole, and if not, was
that said?

Each PATH is a trace, - is standard input. A gzip file opens by itself, up to
1 GiB of text. A directory is an error: let the shell name the files in it. All
traces given are judged together.

The table lists what is not ok, worst first: the verdict, the span, its tool, the
bytes that the tool returned (obs) and that the model was given (inj), whether the
model was told of the cut, what the verdict rests on, and where the record is.

Exit codes: 0 trustworthy, 1 not trustworthy, 2 usage or unreadable input.`

const checkExamples = `  clipspan check run.jsonl other/*.jsonl
  my-agent | clipspan check -
  clipspan check --format junit --baseline known.json runs/*.jsonl.gz > clipspan.xml
  clipspan check --follow run.jsonl`

func (a *app) checkCommand() *cobra.Command {
	c := &check{app: a, gate: gate{failOn: newFailOn()}}
	c.format = choice{what: "formats", allowed: formatNames(), value: formats[0].name}
	c.color = choice{what: "values", allowed: []string{colorAuto, colorAlways, colorNever}, value: colorAuto}
	cmd := &cobra.Command{
		Use:                   "check [flags] PATH...",
		Short:                 "Judge traces: was every result given to the model whole, or declared as cut",
		Long:                  checkHelp,
		Example:               checkExamples,
		DisableFlagsInUseLine: true,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return withHint(errors.New("no trace to check"), "name one or more files, or - for standard input")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			c.paths = args
			return c.run(cmd.Context())
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.Var(&c.format, "format", "how to print the report: table, jsonl, junit, github, markdown")
	f.BoolVar(&c.all, "all", false, "list what is ok, the notes, and what was evicted, too")
	f.Var(&c.color, "color", "colours in the table: auto, always, never")
	f.BoolVar(&c.follow, "follow", false, "print what is found in a trace while it is written,\n"+
		"until each of its runs has its run_end, or you interrupt")
	f.Var(&c.gate.failOn, "fail-on", "what makes the command exit 1: verdicts, damage, unknown,\n"+
		"note, or none")
	f.Var(&c.gate.maxSilent, "max-silent", "put up with so many silent clips")
	f.Var(&c.gate.minCoverage, "min-coverage", "fail if the observed size of fewer results is known")
	f.BoolVar(&c.gate.allowEmpty, "allow-empty", false, "put up with a trace that has no tool span")
	f.BoolVar(&c.requireEnd, "require-end", false, "take a run without run_end for damaged")
	f.Var(&c.baselineName, "baseline", "put up with the findings listed in `FILE`")
	f.Var(&c.writeBaselineName, "write-baseline", "list in `FILE` what fails now, for --baseline")
	completeCheck(cmd, c)
	return cmd
}

func completeCheck(cmd *cobra.Command, c *check) {
	fixed := func(words []string) cobra.CompletionFunc {
		return cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
	}
	// An error would mean that the flag does not exist.
	_ = cmd.RegisterFlagCompletionFunc("format", fixed(c.format.allowed))
	_ = cmd.RegisterFlagCompletionFunc("color", fixed(c.color.allowed))
	_ = cmd.RegisterFlagCompletionFunc("fail-on", c.gate.failOn.complete)
	_ = cmd.MarkFlagFilename("baseline", "json")
	_ = cmd.MarkFlagFilename("write-baseline", "json")
}

func (c *check) run(ctx context.Context) (err error) {
	format := formatNamed(c.format.value)
	if err := c.checkFollow(format); err != nil {
		return err
	}
	if c.baselineName != "" {
		if c.gate.baseline, err = readBaseline(string(c.baselineName)); err != nil {
			return err
		}
	}
	if c.inputs, err = c.app.findInputs(c.paths); err != nil {
		return err
	}
	var report *trace.Report
	var printed *live
	if c.follow {
		report, printed, err = c.watch(ctx, format)
	} else {
		report, err = c.read(ctx)
	}
	if err != nil {
		return err
	}
	return c.conclude(report, format, printed)
}

// read gives all inputs to a checker.
func (c *check) read(ctx context.Context) (*trace.Report, error) {
	checker := trace.NewChecker(c.options()...)
	bar := c.app.newProgress(c.inputs)
	defer bar.finish()
	for _, in := range c.inputs {
		if err := c.add(ctx, checker, in, bar.watch); err != nil {
			return nil, err
		}
	}
	return checker.Report(), nil
}

func (c *check) options() (opts []trace.Option) {
	if c.all || formatNamed(c.format.value).all {
		opts = append(opts, trace.WithAll())
	}
	if c.gate.allowEmpty {
		opts = append(opts, trace.WithAllowEmpty())
	}
	if c.requireEnd {
		opts = append(opts, trace.WithRequireEnd())
	}
	return opts
}

func (c *check) add(ctx context.Context, checker *trace.Checker, in input, watch func(io.Reader) io.Reader) error {
	f, err := c.app.open(ctx, in)
	if err != nil {
		return err
	}
	defer f.Close()
	r, err := c.app.unpack(in.name, watch(f))
	if err != nil {
		err = fmt.Errorf("reading %s: %w", in.name, err)
	} else {
		err = checker.Add(ctx, in.name, r)
	}
	if err != nil && ctx.Err() != nil {
		return errors.New("interrupted")
	}
	return explainRead(in.name, err)
}
