package builder_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/clipspan/clipspan/builder"
	"github.com/clipspan/clipspan/clipspantest"
)

func TestATerminalsControlSequencesAreTakenOut(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"nothing to take out", "a\tb\n\n", "a\tb\n\n"},
		{"a colour (field case F33)", "\x1b[31mred\x1b[0m", "red"},
		{"a colour of 24 bits, in either form", "\x1b[38;2;1;2;3mred\x1b[38:2::1:2:3mred\x1b[m", "redred"},
		{"a window's title, ended by BEL", "\x1b]0;make\aall", "all"},
		{"a link, ended by ST", "\x1b]8;;https://example.com\x1b\\here\x1b]8;;\x1b\\", "here"},
		{"a device control string", "\x1bPq#0;2;0\x1b\\x", "x"},
		{"another character set", "\x1b(Bx\x1b)0y", "xy"},
		{"a keypad's mode", "\x1b=x\x1b>", "x"},
		{"an escape character alone", "a\x1b", "a"},
		{"a sequence that breaks off loses the escape character alone", "a\x1b[12;", "a[12;"},
		{"a title that does not end leaves the lines behind it", "\x1b]0;title\nline\n", "]0;title\nline\n"},
		{"two escapes at once", "\x1b\x1b[1mx", "x"},
		{"no sequence goes on behind a line's end", "\x1b[\nmore", "[\nmore"},
		{"quotation marks that were encoded twice are no sequences", "â\u0080\u009ctext", "â\u0080\u009ctext"},
		{"line ends of Windows", "a\r\n\x1b[1mb\x1b[0m\r\n", "a\r\nb\r\n"},
		{"progress on one line", "10%\r20%\r100%\n", "100%\n"},
		{"progress that ends with a carriage return", "10%\r20%\r\ndone\n", "20%\r\ndone\n"},
		{"a shorter writing leaves the end of a longer one", "downloading\rdone\n", "doneloading\n"},
		{"one wiped out with spaces", "downloading\rdone       \n", "done\n"},
		{"one erased before the new one", "downloading\r\x1b[Kdone\n", "done\n"},
		{"one erased behind the new one", "downloading\rdone\x1b[K\n", "done\n"},
		{"a whole line erased", "downloading\x1b[2K\rdone\n", "done\n"},
		{"the last writing is empty", "done\r", "done"},
		{"writings of other alphabets", "下载中\r完\n", "完载中\n"},
		{"a colour within progress", "\x1b[33m 1/9\x1b[0m\r\x1b[32m 9/9\x1b[0m\nend", " 9/9\nend"},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := build(t, c.text, builder.StripANSI())
			assert.Equal(t, c.want, in.Text)
			assert.Empty(t, in.Stages, "a renderer cuts nothing")
			if c.text == c.want {
				assert.Nil(t, in.Rendered)
				return
			}
			assert.Equal(t, "ansi/1", in.Rendered.ID)
		})
	}
}

func TestFortyTwoLinesOfProgressBecomeOne(t *testing.T) { // field case F33
	progress := ""
	for i := range 42 {
		progress += "\rreceiving objects: " + strings.Repeat("#", i)
	}
	assert.Equal(t, "receiving objects: "+strings.Repeat("#", 41)+"\n", build(t, progress+"\n", builder.StripANSI()).Text)
}

func TestStripANSITellsTheTruth(t *testing.T) {
	clipspantest.RunBuilder(t, builder.Chain("v1", builder.StripANSI(), builder.MaxBytes(1000)), nil)
}

func FuzzStripANSI(f *testing.F) {
	f.Add("\x1b[31mred\x1b[0m\r\n")
	f.Add("10%\r20%\r\x1b[K100%\n\x1b]0;t\a\x1bP\x1b\\")
	f.Add("\x1b\x1b[[m31m\x1b(")
	f.Fuzz(func(t *testing.T, text string) {
		in := build(t, text, builder.StripANSI())
		assert.LessOrEqual(t, len(in.Text), len(text))
		assert.NotContains(t, in.Text, "\x1b")
		assert.Equal(t, strings.Count(text, "\n"), strings.Count(in.Text, "\n"), "lines stay lines")
		assert.Equal(t, in.Text, build(t, in.Text, builder.StripANSI()).Text, "once is enough")
	})
}
