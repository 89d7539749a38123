//go:build !windows

package cli

import (
	"errors"
	"syscall"
)

// brokenPipe reports whether the reader of our output has gone, which is its
// good right.
func brokenPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }
