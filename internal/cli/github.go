package cli

import (
	"io"
	"path/filepath"
	"strconv"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/internal/termsafe"
	"github.com/clipspan/clipspan/trace"
)

// writeGitHub prints workflow commands that show findings beside the files of a
// change (GitHub Docs, Workflow commands), worst first, as GitHub shows only the
// first ten of each level of a step. What fails is an error, what would be one
// without baseline or --fail-on a warning, anything else a notice.
func writeGitHub(w io.Writer, v *view) error {
	if err := lines(w, v.worst, func(b []byte, f *trace.Finding) []byte { return appendAnnotation(b, f, v.ruling) }); err != nil {
		return err
	}
	var b []byte
	for _, why := range v.ruling.run {
		b = appendData(append(b, "::error title=clipspan::"...), why)
		b = append(b, '\n')
	}
	plain := *v
	plain.color = false // a colour before :: would make a command of none
	_, err := w.Write(appendSummary(b, &plain))
	return err
}

func appendAnnotation(b []byte, f *trace.Finding, r *ruling) []byte {
	if f.Verdict == clipspan.VerdictOK {
		return b
	}
	level := "notice"
	switch {
	case r.fails(f):
		level = "error"
	case !f.Verdict.Trusted() && !f.Unknown:
		level = "warning"
	}
	b = append(append(append(b, "::"...), level...), ' ')
	if f.File != "" && f.File != stdinName {
		b = appendProperty(append(b, "file="...), filepath.ToSlash(f.File))
		b = append(b, ',')
		if f.Line > 0 {
			b = strconv.AppendInt(append(b, "line="...), int64(f.Line), 10)
			b = append(b, ',')
		}
	}
	title := word(f)
	if f.Name != "" {
		title += " in " + f.Name
	}
	b = appendProperty(append(b, "title="...), title)
	b = appendData(append(b, "::"...), caseName(f)+": "+string(appendMessage(nil, f)))
	return append(b, '\n')
}

// appendData escapes the message of a workflow command. Line ends no longer
// occur in what is fit for a terminal.
func appendData(b []byte, text string) []byte {
	for _, c := range []byte(termsafe.String(text)) {
		if c == '%' {
			b = append(b, "%25"...)
		} else {
			b = append(b, c)
		}
	}
	return b
}

// appendProperty escapes the value of a property, in which : and , end it.
func appendProperty(b []byte, text string) []byte {
	for _, c := range appendData(nil, text) {
		switch c {
		case ':':
			b = append(b, "%3A"...)
		case ',':
			b = append(b, "%2C"...)
		default:
			b = append(b, c)
		}
	}
	return b
}
