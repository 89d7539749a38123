package trace

import (
	"context"
	"errors"
	"io"
	"runtime"
	"slices"
	"sync"
)

// readBatches reads a file on all processors: each goroutine cuts off a batch
// and reads it where its bytes are still in the cache. It calls merge for every
// batch in the order of the file.
func (c *Checker) readBatches(ctx context.Context, lines *cutter, merge func(*batch)) error {
	workers := runtime.GOMAXPROCS(0)
	for len(c.spare) < workers+1 {
		c.spare = append(c.spare, c.seeds.newBatch())
	}
	free := make(chan *batch, len(c.spare))
	for _, b := range c.spare {
		free <- b
	}
	shared := sharedCutter{lines: lines}
	read := make(chan *batch)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			r := reader{seeds: &c.seeds}
			for b := range free {
				if !shared.next(ctx, b) {
					return
				}
				r.read(b)
				read <- b
			}
		})
	}
	go func() {
		wg.Wait()
		close(read)
	}()
	inOrder(read, func(b *batch) {
		merge(b)
		free <- b
	})
	if errors.Is(shared.err, io.EOF) {
		return nil
	}
	return shared.err
}

// inOrder calls f for what comes from read, by ticket.
func inOrder(read <-chan *batch, f func(*batch)) {
	var early []*batch
	next := 0
	for b := range read {
		early = append(early, b)
		for {
			i := slices.IndexFunc(early, func(b *batch) bool { return b.ticket == next })
			if i < 0 {
				break
			}
			b, next = early[i], next+1
			early = slices.Delete(early, i, i+1)
			f(b)
		}
	}
}

// sharedCutter hands out the chunks of a file to several goroutines.
type sharedCutter struct {
	mu     sync.Mutex
	lines  *cutter
	ticket int
	err    error
}

// next gives b the next chunk, if there is one.
func (s *sharedCutter) next(ctx context.Context, b *batch) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = ctx.Err()
	}
	if s.err == nil {
		s.err = s.lines.next(&b.chunk)
	}
	b.ticket = s.ticket
	s.ticket++
	return s.err == nil
}
