package main

import (
	"sync"

	"github.com/clipspan/clipspan"
)

// durableTable measures what sharing one fdatasync gains over a mutex round
// write and fdatasync, in wall time. It needs a real disk under TMPDIR.
func durableTable(b *bench) (*table, error) {
	span := exchanges[1].span()
	t := &table{title: "Durable records (WithSync), wall time a record"}
	for _, d := range []struct {
		job     string
		callers int
		goal    goal
	}{{"one caller", 1, goal{}}, {"8 callers", 8, atLeast(3)}, {"64 callers", 64, atLeast(20)}} {
		group, err := b.groupCommit(span, d.callers)
		if err != nil {
			return nil, err
		}
		mutex, err := b.mutexSync(span, d.callers)
		if err != nil {
			return nil, err
		}
		costs, err := b.compare(group, mutex)
		if err != nil {
			return nil, err
		}
		t.speedup(d.job, costs[0].wall, costs[1].wall, mutex.name, d.goal)
	}
	return t, nil
}

func (b *bench) groupCommit(span *clipspan.Span, callers int) (side, error) {
	s, err := b.emit(span, clipspan.WithSync())
	if err != nil {
		return side{}, err
	}
	s.run = concurrently(callers, s.run)
	return s, nil
}

func (b *bench) mutexSync(span *clipspan.Span, callers int) (side, error) {
	s, err := b.write(span.AppendJSON(nil))
	if err != nil {
		return side{}, err
	}
	var mu sync.Mutex
	write := s.run
	s.name = "mutex and fdatasync"
	s.run = concurrently(callers, times(func() error {
		mu.Lock()
		defer mu.Unlock()
		if err := write(1); err != nil {
			return err
		}
		return dataSync(s.file)
	}))
	return s, nil
}

// concurrently shares the n times of a job among so many callers.
func concurrently(callers int, run func(n int) error) func(n int) error {
	return func(n int) error {
		errs := make(chan error, callers)
		for i := range callers {
			go func() { errs <- run((n + i) / callers) }()
		}
		var first error
		for range callers {
			if err := <-errs; first == nil {
				first = err
			}
		}
		return first
	}
}
