package cli

import (
	"errors"
	"syscall"
)

// errNoData is what Windows says of a pipe that is being closed at its other
// end (System Error Codes, ERROR_NO_DATA).
const errNoData = syscall.Errno(232)

// brokenPipe reports whether the reader of our output has gone, which is its
// good right.
func brokenPipe(err error) bool {
	return errors.Is(err, syscall.ERROR_BROKEN_PIPE) || errors.Is(err, errNoData)
}
