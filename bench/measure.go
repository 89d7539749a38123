package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"time"
)

// side is one way of doing a job.
type side struct {
	name string
	run  func(n int) error // does the job n times
	file *os.File          // what it writes to, emptied before every repetition; or nil
}

// cost is what doing a job once costs. Times are in nanoseconds.
type cost struct {
	cpu    float64 // user and system time of the whole process
	wall   float64
	allocs float64
}

// compare does the job of every side in turn, over and over, and returns the
// least that each side needed.
func (b *bench) compare(sides ...side) ([]cost, error) {
	times := make([]int, len(sides))
	least := make([]cost, len(sides))
	for i, s := range sides {
		n, err := b.calibrate(s)
		if err != nil {
			return nil, fmt.Errorf("calibrating %s: %w", s.name, err)
		}
		times[i], least[i] = n, cost{math.Inf(1), math.Inf(1), math.Inf(1)}
	}
	for range b.reps {
		for i, s := range sides {
			c, err := s.measure(times[i])
			if err != nil {
				return nil, fmt.Errorf("measuring %s: %w", s.name, err)
			}
			least[i] = cost{min(least[i].cpu, c.cpu), min(least[i].wall, c.wall), min(least[i].allocs, c.allocs)}
		}
	}
	return least, nil
}

// calibrate finds how often a side does its job in one batch.
func (b *bench) calibrate(s side) (n int, err error) {
	for n = 64; ; n *= 4 {
		c, err := s.measure(n)
		if err != nil {
			return 0, err
		}
		if took := c.wall * float64(n); took > float64(b.batch)/8 {
			return max(int(float64(b.batch)/c.wall), 1), nil
		}
	}
}

// measure does the job n times. What it leaves as garbage is its own to collect,
// what others left is not.
func (s side) measure(n int) (c cost, err error) {
	if s.file != nil {
		if err := s.file.Truncate(0); err != nil {
			return cost{}, err
		}
	}
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	cpu, start := cpuTime(), time.Now()
	err = s.run(n)
	wall, cpu := time.Since(start), cpuTime()-cpu
	runtime.ReadMemStats(&after)
	each := float64(n)
	return cost{float64(cpu) / each, float64(wall) / each, float64(after.Mallocs-before.Mallocs) / each}, err
}

// times makes a side's run of what it does once.
func times(once func() error) func(n int) error {
	return func(n int) error {
		for range n {
			if err := once(); err != nil {
				return err
			}
		}
		return nil
	}
}

// newFile opens a new file for appending, as every side uses it.
func (b *bench) newFile(pattern string) (*os.File, error) {
	f, err := os.CreateTemp(b.dir, pattern)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return os.OpenFile(f.Name(), os.O_WRONLY|os.O_APPEND, 0)
}

// path is where a file of that name goes.
func (b *bench) path(name string) string { return filepath.Join(b.dir, name) }
