package main

import (
	"syscall"
	"time"
)

// cpuTime is the user and kernel time that this process has used.
func cpuTime() time.Duration {
	self, err := syscall.GetCurrentProcess()
	if err != nil {
		panic(err)
	}
	var created, ended, kernel, user syscall.Filetime
	if err := syscall.GetProcessTimes(self, &created, &ended, &kernel, &user); err != nil {
		panic(err)
	}
	return time.Duration(ticks(kernel)+ticks(user)) * 100
}

// ticks is a duration in steps of 100 ns.
func ticks(t syscall.Filetime) int64 { return int64(t.HighDateTime)<<32 | int64(t.LowDateTime) }
