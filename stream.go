package clipspan

import (
	"io"
	"sync"
)

// observedReader hashes what a host reads from a tool's result. Only the running
// hash and the length are kept.
type observedReader struct {
	src     io.Reader
	hashers *hashers

	mu   sync.Mutex
	hash *hasher
	n    int64
	sum  Hash // set once the end was seen
}

// Read implements [io.Reader].
func (r *observedReader) Read(p []byte) (int, error) {
	n, err := r.src.Read(p)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.hash == nil {
		return n, err
	}
	if n > 0 {
		r.hash.write(p[:n])
		r.n += int64(n)
	}
	if err == io.EOF {
		r.sum = r.hash.sum()
		r.release()
	}
	return n, err
}

func (r *observedReader) release() {
	r.hashers.put(r.hash)
	r.hash = nil
}

// result is the whole stream's length and hash. Both are unknown unless the
// stream was read to its end: what the host did not read is just what a clip is.
// Nothing is hashed after it.
func (r *observedReader) result() (Count, Hash) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.hash != nil {
		r.release()
	}
	if r.sum.IsZero() {
		return Count{}, Hash{}
	}
	return Known(r.n), r.sum
}
