package cli

import (
	"io"
	"strconv"
	"strings"

	"github.com/clipspan/clipspan/internal/termsafe"
	"github.com/clipspan/clipspan/trace"
)

// maxMarkdownRows keeps the page well below the 1 MiB that GitHub takes as a job
// summary. The page says how many rows it leaves out.
const maxMarkdownRows = 1000

// writeMarkdown prints a page for a job summary or a comment: the sentence, the
// worst rows, the counts.
func writeMarkdown(w io.Writer, v *view) error {
	b := []byte("### clipspan check: ")
	b = appendMarkdown(b, strings.Join(v.sentences(), "; "))
	b = append(b, "\n\n"...)
	rows := 0
	var f trace.Finding
	for f = range v.worst {
		if rows == 0 {
			b = append(b, "| status | span | tool | obs | inj | told | evidence | where | detail |\n"...)
			b = append(b, "| --- | --- | --- | ---: | ---: | --- | --- | --- | --- |\n"...)
		}
		if rows++; rows <= maxMarkdownRows {
			b = appendMarkdownRow(b, &f, v.ruling)
		}
	}
	if rows > maxMarkdownRows {
		b = append(b, "\nRows left out: "...)
		b = append(strconv.AppendInt(b, int64(rows-maxMarkdownRows), 10), ".\n"...)
	}
	if rows > 0 {
		b = append(b, '\n')
	}
	for _, n := range v.failingNotes() {
		b = appendMarkdown(append(b, "- note: "...), string(appendNote(nil, &n)))
		b = append(b, '\n')
	}
	for _, line := range summaryLines(v.summary) {
		b = append(append(append(b, "- "...), line...), '\n')
	}
	_, err := w.Write(b)
	return err
}

func appendMarkdownRow(b []byte, f *trace.Finding, r *ruling) []byte {
	t := table{ruling: r}
	for i := range columns {
		b = append(b, "| "...)
		b = appendMarkdown(b, string(t.appendCell(nil, i, f)))
		b = append(b, ' ')
	}
	return append(b, "|\n"...)
}

// appendMarkdown appends text that stands for itself in a Markdown table: no
// markup, no HTML, no link, no cell of its own (GFM, 2.4 Backslash escapes; HTML
// is escaped as such, for renderers that know no backslash).
func appendMarkdown(b []byte, text string) []byte {
	text = termsafe.String(text)
	for i, c := range []byte(text) {
		switch c {
		case ':', '.', '-':
			b = appendLinkPart(b, text, i)
		case '&':
			b = append(b, "&amp;"...)
		case '<':
			b = append(b, "&lt;"...)
		case '>':
			b = append(b, "&gt;"...)
		case '@': // or it would be a mention
			b = append(b, "&#64;"...)
		case '\\', '`', '*', '_', '[', ']', '~', '|', '!', '#', '$':
			b = append(b, '\\', c)
		default:
			b = append(b, c)
		}
	}
	return b
}

// appendLinkPart appends a character that can make a bare address or a reference
// of what stands round it: http://…, www.…, GH-1 (GFM, 6.9 Autolinks).
func appendLinkPart(b []byte, text string, i int) []byte {
	before, after := strings.ToLower(text[max(0, i-len("www")):i]), text[i+1:]
	switch {
	case text[i] == ':' && strings.HasPrefix(after, "/"):
		return append(b, "&#58;"...)
	case text[i] == '.' && before == "www":
		return append(b, "&#46;"...)
	case text[i] == '-' && strings.HasSuffix(before, "gh"):
		return append(b, "&#45;"...)
	default:
		return append(b, text[i])
	}
}
