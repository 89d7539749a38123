package clipspantest

import (
	"fmt"
	"runtime"
	"sync"
	"testing"
)

// fakeT is a test that may fail without failing the real one.
type fakeT struct {
	testing.TB // the real one, for all that can't fail

	mu       sync.Mutex
	failures []string
	logs     []string
	cleanups []func()
}

// failuresOf runs a test and returns what it fails with.
func failuresOf(t testing.TB, test func(t testing.TB)) []string {
	t.Helper()
	fake := &fakeT{TB: t}
	fake.run(test)
	return fake.failures
}

func (f *fakeT) run(test func(t testing.TB)) {
	done := make(chan struct{})
	go func() { // FailNow ends a goroutine
		defer close(done)
		defer func() {
			for i := len(f.cleanups) - 1; i >= 0; i-- {
				f.cleanups[i]()
			}
		}()
		test(f)
	}()
	<-done
}

func (f *fakeT) Helper() {}

func (f *fakeT) Cleanup(cleanup func()) { f.cleanups = append(f.cleanups, cleanup) }

func (f *fakeT) Failed() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.failures) > 0
}

func (f *fakeT) Logf(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.logs = append(f.logs, fmt.Sprintf(format, args...))
}

func (f *fakeT) Errorf(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.failures = append(f.failures, fmt.Sprintf(format, args...))
}

func (f *fakeT) Fatalf(format string, args ...any) {
	f.Errorf(format, args...)
	runtime.Goexit()
}
