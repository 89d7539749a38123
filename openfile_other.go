//go:build !unix

package clipspan

import (
	"io"
	"os"
)

// Symbolic links and special files are refused by a look before opening.
const (
	openNoFollow = 0
	openNonblock = 0
)

// Nothing is known about how much a pipe takes in one piece.
func pipeBuf() int { return 0 }

func newLineWriter(f *os.File, _ bool) io.Writer { return f }

// A file that is open can't be deleted, or nobody can tell.
func unlinked(*os.File) bool { return false }

func unsyncable(error) bool { return true }

// A folder can't be synced.
func syncFolder(string) error { return nil }
