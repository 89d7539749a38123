//go:build unix

package main

import (
	"syscall"
	"time"
)

// cpuTime is the user and system time that this process has used.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // only for a bad argument
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
