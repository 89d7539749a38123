// Command clipspan judges traces of what an agent's tools returned and what of
// it the model was given.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/clipspan/clipspan/internal/cli"
)

func main() { os.Exit(run()) }

func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// The first interrupt ends the work in an orderly way, the second at once.
	context.AfterFunc(ctx, stop)
	// Without this a closed pipe, as that of head, would kill the process and
	// replace the verdict in its exit code.
	signal.Ignore(syscall.SIGPIPE)
	if os.Getenv("GOGC") == "" {
		// A check keeps most of what it allocates, so that collecting more often
		// takes a quarter off its memory and costs no time worth measuring.
		debug.SetGCPercent(10)
	}
	return cli.Run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
}
