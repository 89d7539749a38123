package trace

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"slices"
)

const (
	chunkSize = 256 << 10
	// maxEmptyReads is how often a reader may return nothing before it is given up.
	maxEmptyReads = 100
)

// chunk is a piece of a file that ends where a line ends.
type chunk struct {
	text    []byte // whole lines; the last one of the file may lack its '\n'
	tooLong bool   // text is empty and stands for one line that was too long
	maxLine int
	buf     []byte
}

// cutter cuts what it reads into chunks. It hands over every line as soon as its
// end was read, so that a reader that blocks at the end of a growing file
// follows that file.
type cutter struct {
	r       io.Reader
	rest    []byte // begins the next chunk; holds no '\n'
	err     error  // of r; io.EOF at the end
	started bool
	maxLine int
}

func newCutter(r io.Reader) *cutter { return &cutter{r: r, maxLine: MaxLine} }

// next fills c, whose buffer is used again. The error is io.EOF at the end.
func (f *cutter) next(c *chunk) error {
	if cap(c.buf) > 2*chunkSize {
		c.buf = nil // a long line made it grow
	}
	c.buf = append(c.buf[:0], f.rest...)
	c.text, c.tooLong, c.maxLine = nil, false, f.maxLine
	f.rest = f.rest[:0]
	for searched := 0; ; {
		if i := bytes.LastIndexByte(c.buf[searched:], '\n'); i >= 0 {
			end := searched + i + 1
			f.rest = append(f.rest, c.buf[end:]...)
			return f.begin(c, c.buf[:end])
		}
		searched = len(c.buf)
		switch {
		case searched > f.maxLine:
			return f.skipLine(c)
		case f.err == nil:
			c.buf, f.err = f.read(c.buf)
		case errors.Is(f.err, io.EOF) && searched > 0:
			return f.begin(c, c.buf)
		default:
			return f.err
		}
	}
}

// begin makes text the text of c. It takes a leading byte order mark away, once.
func (f *cutter) begin(c *chunk, text []byte) error {
	if !f.started {
		f.started = true
		if isUTF16(text) {
			f.err = ErrUTF16
			return f.err
		}
		text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	}
	c.text = text
	return nil
}

func isUTF16(text []byte) bool {
	for _, begin := range []string{"\xff\xfe", "\xfe\xff", "{\x00\"\x00", "\x00{\x00\""} {
		if bytes.HasPrefix(text, []byte(begin)) {
			return true
		}
	}
	return false
}

// skipLine reads to the end of a line that is too long.
func (f *cutter) skipLine(c *chunk) error {
	f.started = true
	c.tooLong = true
	c.buf = c.buf[:0]
	for f.err == nil {
		c.buf, f.err = f.read(c.buf[:0])
		if i := bytes.IndexByte(c.buf, '\n'); i >= 0 {
			f.rest = append(f.rest, c.buf[i+1:]...)
			break
		}
	}
	return nil
}

// read appends what one read yields. The buffer grows by doubling, and to little
// more than the longest line.
func (f *cutter) read(b []byte) ([]byte, error) {
	if len(b) == cap(b) {
		size := max(chunkSize, 2*len(b))
		b = slices.Grow(b, min(size, f.maxLine+chunkSize)-len(b))
	}
	for range maxEmptyReads {
		n, err := f.r.Read(b[len(b):cap(b)])
		if b = b[:len(b)+n]; n > 0 || err != nil {
			return b, err
		}
	}
	return b, io.ErrNoProgress
}

// line is one line of a file.
type line struct {
	text    []byte // without '\n'
	ended   bool   // there was one
	tooLong bool   // longer than is read; there may be no text
}

// lines yields the lines of c.
func (c *chunk) lines() iter.Seq[line] {
	return func(yield func(line) bool) {
		if c.tooLong {
			yield(line{ended: true, tooLong: true})
			return
		}
		for rest := c.text; len(rest) > 0; {
			l := cutLine(rest)
			rest = rest[min(len(l.text)+1, len(rest)):]
			l.tooLong = len(l.text) > c.maxLine
			if !yield(l) {
				return
			}
		}
	}
}

// cutLine is the first line of text.
func cutLine(text []byte) line {
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		return line{text: text[:i], ended: true}
	}
	return line{text: text}
}

// blank reports whether the line holds nothing but white space.
func (l line) blank() bool {
	for _, c := range l.text {
		if c != ' ' && c != '\t' && c != '\r' {
			return false
		}
	}
	return true
}
