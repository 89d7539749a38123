package builder

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"
)

// StripANSI is the renderer "ansi/1" for the output of commands. It takes out
// terminal control sequences, such as colours, and shows of a line that was
// written over, such as a progress bar, what a terminal shows in the end: the
// last writing, and what of longer ones before stands out behind it.
//
// A file whose lines end with carriage returns alone looks just like that: let its
// tool go another way.
func StripANSI() Stage { return stripANSI{} }

type stripANSI struct{}

func (stripANSI) String() string { return "strip_ansi" }
func (stripANSI) phase() phase   { return rendering }

func (stripANSI) apply(_ context.Context, d *draft) (fired bool, err error) {
	return d.render("ansi/1", withoutANSI), nil
}

const escape = '\x1b'

func withoutANSI(text string) string {
	if !controls(text) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	var t terminalLine
	for line := range strings.Lines(text) {
		content, end := cutLineEnd(line)
		if !controls(content) {
			b.WriteString(line)
			continue
		}
		t.write(content)
		b.Write(t.shown())
		b.WriteString(end)
	}
	return b.String()
}

// controls reports whether a terminal would do something else than to print the
// text.
func controls(text string) bool {
	return strings.IndexByte(text, escape) >= 0 || strings.Count(text, "\r") > strings.Count(text, "\r\n")
}

// cutLineEnd tells a line's content from its end.
func cutLineEnd(line string) (content, end string) {
	content = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
	if !strings.HasSuffix(line, "\n") {
		content = line
	}
	return content, line[len(content):]
}

// terminalLine is a line as a terminal keeps it. A character is taken to fill one
// column.
type terminalLine struct {
	text     []byte // all writings, one behind the other
	writings []int  // where each begins that was not erased: all from the line's beginning
}

func (t *terminalLine) write(content string) {
	t.text, t.writings = t.text[:0], append(t.writings[:0], 0)
	for content != "" {
		i := strings.IndexAny(content, "\r\x1b")
		if i < 0 {
			t.text = append(t.text, content...)
			return
		}
		t.text = append(t.text, content[:i]...)
		content = content[i:]
		if content[0] == '\r' {
			t.writings = append(t.writings, len(t.text))
			content = content[1:]
			continue
		}
		sequence := sequenceAt(content)
		t.erase(sequence)
		content = content[len(sequence):]
	}
}

// erase does what a sequence does that erases in a line: what other writings left
// there, or all of it.
func (t *terminalLine) erase(sequence string) {
	switch sequence {
	case "\x1b[K", "\x1b[0K":
		t.writings = append(t.writings[:0], t.writings[len(t.writings)-1])
	case "\x1b[2K":
		t.writings = append(t.writings[:0], len(t.text))
	}
}

// shown is what can be read in the end: the last writing, behind it what of the
// one before stands out, and so on.
func (t *terminalLine) shown() (line []byte) {
	columns, end := 0, len(t.text)
	for _, begin := range slices.Backward(t.writings) {
		writing := t.text[begin:end]
		end = begin
		if n := utf8.RuneCount(writing); n > columns {
			line = append(line, behind(writing, columns)...)
			columns = n
		}
	}
	if len(t.writings) > 1 { // spaces that wiped a longer writing out
		for len(line) > 0 && line[len(line)-1] == ' ' {
			line = line[:len(line)-1]
		}
	}
	return line
}

// behind is a text without its first runes.
func behind(text []byte, runes int) []byte {
	for range runes {
		_, n := utf8.DecodeRune(text)
		text = text[n:]
	}
	return text
}

// sequenceAt is the control sequence that a text begins with, as ECMA-48 and xterm
// know them. One that is broken is the escape character alone, so that no text
// behind it gets lost. The forms that begin with a C1 control are not looked for:
// no program writes them, and quotation marks that were encoded twice look so.
func sequenceAt(text string) string {
	if len(text) < 2 {
		return text
	}
	end := -1
	switch text[1] {
	case '[':
		end = controlEnd(text, 2)
	case ']', 'P', 'X', '^', '_':
		end = commandEnd(text, 2)
	default:
		end = shortEnd(text, 1)
	}
	if end < 0 {
		return text[:1]
	}
	return text[:end]
}

// controlEnd is the end of a CSI sequence: parameters, intermediates, a final byte.
func controlEnd(text string, i int) int {
	for i < len(text) && text[i] >= '0' && text[i] <= '?' {
		i++
	}
	for i < len(text) && text[i] >= ' ' && text[i] <= '/' {
		i++
	}
	if i < len(text) && text[i] >= '@' && text[i] <= '~' {
		return i + 1
	}
	return -1
}

// commandEnd is the end of a sequence that holds a string, such as a window's
// title: BEL or ST, on the same line.
func commandEnd(text string, i int) int {
	n := strings.IndexAny(text[i:], "\a\x1b\r\n")
	if n < 0 {
		return -1
	}
	switch i += n; {
	case text[i] == '\a':
		return i + 1
	case strings.HasPrefix(text[i:], "\x1b\\"):
		return i + 2
	default:
		return -1
	}
}

// shortEnd is the end of any other sequence: intermediates and a final byte.
func shortEnd(text string, i int) int {
	for i < len(text) && text[i] >= ' ' && text[i] <= '/' {
		i++
	}
	if i < len(text) && text[i] >= '0' && text[i] <= '~' {
		return i + 1
	}
	return -1
}
