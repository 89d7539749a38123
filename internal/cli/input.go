package cli

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/clipspan/clipspan/trace"
)

// maxUnpacked is how many bytes one compressed file may hold. A few megabytes of
// a hostile one hold terabytes.
const maxUnpacked = 1 << 30

// stdinName stands for standard input among the paths.
const stdinName = "-"

// input is a file that was found to be there.
type input struct {
	name string      // as the user wrote it
	info fs.FileInfo // nil for standard input
}

// findInputs looks at every path before any is read, so that one error message
// tells of all that are wrong. A file that is named twice is left out with a note.
func (a *app) findInputs(paths []string) (inputs []input, err error) {
	var problems []error
	for _, path := range paths {
		in := input{name: path}
		if path != stdinName {
			in.info, err = os.Stat(path)
			if err = explainPath(path, in.info, err); err != nil {
				problems = append(problems, err)
				continue
			}
		}
		if twin := in.twin(inputs); twin != "" {
			a.say("note", "%s is the same file as %s and is read once", path, twin)
			continue
		}
		inputs = append(inputs, in)
	}
	return inputs, errors.Join(problems...)
}

// twin is the name under which the same file is among others, or "".
func (in input) twin(others []input) string {
	for _, other := range others {
		if in.info == nil && other.info == nil ||
			in.info != nil && other.info != nil && os.SameFile(in.info, other.info) {
			return other.name
		}
	}
	return ""
}

// explainPath says in the user's words why a path can't be read.
func explainPath(path string, info fs.FileInfo, err error) error {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return withHint(fmt.Errorf("%s: permission denied", path), "traces are written for their owner alone")
	case err != nil && strings.ContainsAny(path, "*?["): // which on Windows no file's name can hold
		return withHint(fmt.Errorf("%s: no such file", path), "your shell expands patterns, and it found no file for this one")
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: no such file", path)
	case err != nil:
		return fmt.Errorf("%s: %w", path, err)
	case info.IsDir():
		return withHint(fmt.Errorf("%s: is a directory", path), "name the files in it, such as %s*.jsonl", withSlash(path))
	default:
		return nil
	}
}

func withSlash(dir string) string { return strings.TrimRight(dir, `/\`) + "/" }

// open opens an input; what it reads may be packed.
func (a *app) open(ctx context.Context, in input) (io.ReadCloser, error) {
	if in.info == nil {
		return interruptible(ctx, a.stdin), nil
	}
	f, err := os.Open(in.name)
	if err != nil {
		return nil, explainPath(in.name, nil, err)
	}
	return f, nil
}

// interruptible ends reading with the error of ctx, even while r, which may be a
// terminal, keeps its reader waiting. The goroutine that waits for r ends with it.
func interruptible(ctx context.Context, r io.Reader) io.ReadCloser {
	pr, pw := io.Pipe()
	context.AfterFunc(ctx, func() { pw.CloseWithError(ctx.Err()) })
	go func() {
		_, err := io.Copy(pw, r)
		pw.CloseWithError(err) // nil is io.EOF
	}()
	return pr
}

// unpack recognises a gzip file (RFC 1952) by its first two bytes. One that
// calls itself .gz and is none is an error, not an empty or broken trace.
func (a *app) unpack(name string, r io.Reader) (io.Reader, error) {
	// Large reads pass by a buffer this small.
	b := bufio.NewReaderSize(r, 16)
	magic, err := b.Peek(2)
	if err != nil && err != io.EOF {
		return nil, err
	}
	packed := string(magic) == "\x1f\x8b"
	if !packed && !strings.HasSuffix(name, ".gz") {
		return b, nil
	}
	z, err := gzip.NewReader(b)
	if err != nil {
		return nil, explainGzip(err)
	}
	return &gzipReader{name: name, z: z, left: a.maxUnpacked, limit: a.maxUnpacked}, nil
}

// gzipReader unpacks up to a limit and says what is wrong with the file.
type gzipReader struct {
	name        string
	z           *gzip.Reader
	left, limit int64
}

// Read implements io.Reader.
func (g *gzipReader) Read(p []byte) (int, error) {
	n, err := g.z.Read(p)
	g.left -= int64(n)
	if g.left < 0 {
		return 0, withHint(fmt.Errorf("unpacks to more than %d bytes", g.limit),
			"if you trust it: gunzip -c %s | clipspan check -", g.name)
	}
	if err != nil && err != io.EOF {
		err = explainGzip(err)
	}
	return n, err
}

func explainGzip(err error) error {
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return withHint(errors.New("the gzip file is cut off"), "its writer was interrupted or is still at work")
	case errors.Is(err, gzip.ErrHeader):
		return withHint(errors.New("not a gzip file, or something else follows in it"), "gzip -t tells more")
	case errors.Is(err, gzip.ErrChecksum):
		return fmt.Errorf("the gzip file is damaged: %w", err)
	default:
		return err
	}
}

// explainRead adds to an error of a checker what can be done about it.
func explainRead(name string, err error) error {
	if errors.Is(err, trace.ErrUTF16) {
		return withHint(err, "iconv -f UTF-16 -t UTF-8 %s | clipspan check -", name)
	}
	return err
}
