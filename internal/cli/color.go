package cli

import (
	"io"
	"os"
	"runtime"

	"github.com/clipspan/clipspan"
)

// The values of --color.
const (
	colorAuto   = "auto"
	colorAlways = "always"
	colorNever  = "never"
)

// isTerminal reports whether w writes to a terminal. Of other character devices
// only the null device is common, and it takes anything.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// colored decides whether standard output gets colours: what the flag says, else
// NO_COLOR (no-color.org), CLICOLOR_FORCE (bixense.com/clicolors), and else
// whether there is a terminal that knows them.
func (a *app) colored(flag string) bool {
	force := a.getenv("CLICOLOR_FORCE")
	switch {
	case flag == colorAlways:
		return true
	case flag == colorNever || a.getenv("NO_COLOR") != "":
		return false
	case force != "" && force != "0":
		return true
	default:
		return a.outTerminal && a.lively() && a.understandsANSI()
	}
}

// lively reports whether whoever watches a terminal is a person with a screen:
// no job of a CI service, and no terminal that can only print.
func (a *app) lively() bool {
	ci := a.getenv("CI")
	return a.getenv("TERM") != "dumb" && (ci == "" || ci == "false" || ci == "0")
}

// understandsANSI is always so but for the old console of Windows, which shows
// the sequences as text.
func (a *app) understandsANSI() bool {
	return runtime.GOOS != "windows" || a.getenv("WT_SESSION") != "" || a.getenv("TERM") != ""
}

// ANSI sequences (ECMA-48, SGR).
const (
	ansiRed    = "\x1b[31m"
	ansiGreen  = "\x1b[32m"
	ansiYellow = "\x1b[33m"
	ansiReset  = "\x1b[0m"
)

// verdictColor is the colour of a row; no verdict means damage.
func verdictColor(v clipspan.Verdict, unknown bool) string {
	switch {
	case v == clipspan.VerdictOK:
		return ansiGreen
	case v == clipspan.VerdictClipped || unknown:
		return ansiYellow
	default:
		return ansiRed
	}
}
