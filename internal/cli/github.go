package cli

import (
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/clipspan/clipspan/internal/termsafe"
	"github.com/clipspan/clipspan/trace"
)

// writeGitHub prints workflow commands that show findings beside the files of a
// change (GitHub Docs, Workflow commands). GitHub shows only the first ten of each
// level of a step, hence the worst first. What fails is an error, what is put up
// with a warning, and all the rest together one notice.
func writeGitHub(w io.Writer, v *view) error {
	var b []byte
	for _, why := range v.ruling.run {
		b = appendAnnotation(b, "error", "", 0, "clipspan", why)
	}
	if _, err := w.Write(b); err != nil {
		return err
	}
	rest := map[string]int{} // by word
	annotate := func(b []byte, f *trace.Finding) []byte {
		level, message := "error", caseName(f)+": "+string(appendMessage(nil, f))
		if !v.ruling.fails(f) {
			flag := v.ruling.sparedBy(f)
			if flag == "" {
				rest[word(f)]++
				return b
			}
			level, message = "warning", message+"; put up with by "+flag
		}
		title := word(f)
		if f.Name != "" {
			title += " in " + f.Name
		}
		return appendAnnotation(b, level, f.File, f.Line, title, message)
	}
	if err := lines(w, v.worst, annotate); err != nil {
		return err
	}
	b = b[:0]
	for _, n := range v.failingNotes() {
		b = appendAnnotation(b, "error", n.File, n.Line, "note", noteText(&n))
	}
	if harmless := phraseAll(v.ruling.gate.failOn.allowed, rest); harmless != nil {
		b = appendAnnotation(b, "notice", "", 0, "clipspan", strings.Join(harmless, ", "))
	}
	plain := *v
	plain.color = false // a colour before :: would make a command of none
	_, err := w.Write(appendSummary(b, &plain))
	return err
}

func appendAnnotation(b []byte, level, file string, line int, title, message string) []byte {
	b = append(append(append(b, "::"...), level...), ' ')
	if file != "" && file != stdinName {
		b = appendProperty(append(b, "file="...), filepath.ToSlash(file))
		b = append(b, ',')
		if line > 0 {
			b = strconv.AppendInt(append(b, "line="...), int64(line), 10)
			b = append(b, ',')
		}
	}
	b = appendProperty(append(b, "title="...), title)
	b = appendData(append(b, "::"...), message)
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
