//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peakMemory is counted in KiB, on macOS in bytes (getrusage(2)).
func peakMemory(state *os.ProcessState) int64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return int64(usage.Maxrss)
	}
	return int64(usage.Maxrss) * 1024
}
