package clipspantest

import (
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/clipspan/clipspan"
)

// longText is the size in bytes of texts that are to run into a builder's cap: some
// 50,000 characters where they are of more than one byte, 30,000 tokens elsewhere.
const longText = 128_000

// observation is a tool result with a name for messages.
type observation struct {
	name string
	clipspan.Observation
}

// observations are the results that every prompt builder has to cope with. Those
// that are made of runes are shifted against each other, so that wherever a
// builder cuts, it meets every place within a rune.
func observations() []observation {
	image := clipspan.Part{MediaType: "image/png", Data: []byte("\x89PNG\r\n\x1a\n\x00\x01\x02\x03")}
	caption := clipspan.Part{MediaType: "text/plain", Text: "a chart of the last hour\n"}
	lines := yaml(longText)
	noFile := errors.New("open production.yaml: no such file or directory")
	list := []observation{
		plain("an empty text", ""),
		plain("one byte", "x"),
		plain("a short text", "port: 8443\n"),
		plain("white space only", " \n\t\n  "),
		plain("a long text in lines", lines),
		plain("a long text without a last line end", strings.TrimSuffix(lines, "\n")),
		plain("a long text with CRLF", strings.ReplaceAll(lines, "\n", "\r\n")),
		plain("one long line", strings.Repeat("0123456789abcdef", longText/16)),
		plain("one rune repeated", strings.Repeat("a", longText)),
		plain("empty lines", strings.Repeat("\n", longText)),
		plain("a short JSON object", `{"port":8443,"hosts":["a","b"],"ratio":1.50}`),
		plain("a long JSON array", jsonArray(longText)),
		plain("Chinese", strings.Repeat("生产配置的端口在文件末尾。\n", longText/40)),
		plain("emoji of several runes", strings.Repeat("👩‍👩‍👧‍👦🏳️‍🌈é", longText/45)),
		plain("terminal colours", strings.Repeat("\x1b[31mred\x1b[0m\rprogress 42%\r\n", 500)),
		plain("a base64 blob", base64.StdEncoding.EncodeToString([]byte(lines[:longText/2]))),
		plain("secrets", "SECRET_KEY=hunter2\nAuthorization: Bearer abc.def.ghi\npassword: \"correct horse\"\n"),
		plain("a text about cuts", strings.Repeat("if truncated { return \"[... truncated ...]\" } // output cut, 100 bytes omitted\n", 40)),
		plain("NUL bytes", strings.Repeat("\x00\x01", 500)),
		plain("invalid UTF-8", strings.Repeat("\xff\xfe\xed\xa0\x80ok", longText/7)),
		plain("stray continuation bytes", strings.Repeat("\x80", longText)),
		plain("a rune that breaks off", yaml(100)+"\xf0\x9f\xa6"),
		{"an error", clipspan.Observation{Text: noFile.Error(), Err: noFile}},
		{"an error with a long text", clipspan.Observation{Text: lines, Err: errors.New("exit status 1")}},
		{"a partial result", clipspan.Observation{Text: yaml(1000), Partial: true}},
		{"a text as one part", clipspan.Observation{Text: caption.Text, Parts: []clipspan.Part{caption}}},
		{"an image", clipspan.Observation{Parts: []clipspan.Part{image}}},
		{"an image and its caption", clipspan.Observation{Parts: []clipspan.Part{image, caption}}},
		{"two texts and an image", clipspan.Observation{Parts: []clipspan.Part{caption, {MediaType: "text/plain", Text: lines}, image}}},
	}
	const cycle = "aé€🦊" // runes of one to four bytes
	for shift := range len(cycle) {
		pad := strings.Repeat("x", shift)
		list = append(list, plain(fmt.Sprintf("runes of every length, shifted by %d bytes", shift), pad+strings.Repeat(cycle, longText/len(cycle))+pad))
	}
	return list
}

func plain(name, s string) observation {
	return observation{name, clipspan.Observation{Text: s}}
}

// call is the observation as a builder is given it: its own copy each time.
func (o observation) call() clipspan.Observation {
	c := o.Observation
	c.SpanID, c.ToolCallID, c.Tool = "span-1", "call-1", "read_file"
	c.Parts = slices.Clone(o.Parts)
	for i := range c.Parts {
		c.Parts[i].Data = slices.Clone(c.Parts[i].Data)
	}
	return c
}

// yaml is a text of about n bytes in which no line repeats.
func yaml(n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, "service-%d:\n  image: registry/billing:%d\n  replicas: %d\n", i, i*7, i%5)
	}
	return b.String()
}

func jsonArray(n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		b.WriteString(",{\"id\":")
		fmt.Fprintf(&b, `%d,"name":"row \"%d\" é","price":%d.50}`, i, i, i)
	}
	return "[" + b.String()[1:] + "]"
}
