package clipspan

import (
	"crypto/hmac"
	"crypto/sha256"
	"hash"
	"sync"
)

// hashers makes the hashes of one run: plain SHA-256, or HMAC when there is a
// key. It may be used by many goroutines at once.
type hashers struct {
	keyID string
	pool  sync.Pool
}

func newHashers(keyID string, key []byte) *hashers {
	h := &hashers{keyID: keyID}
	h.pool.New = func() any {
		if keyID == "" {
			return &hasher{state: sha256.New()}
		}
		return &hasher{state: hmac.New(sha256.New, key)}
	}
	return h
}

// get returns a hasher in its initial state; put gives it back.
func (h *hashers) get() *hasher {
	s := h.pool.Get().(*hasher)
	s.keyID = h.keyID
	s.state.Reset()
	return s
}

func (h *hashers) put(s *hasher) { h.pool.Put(s) }

func (h *hashers) text(s string) Hash {
	x := h.get()
	defer h.put(x)
	x.writeString(s)
	return x.sum()
}

// hasher is one hash computation.
type hasher struct {
	state hash.Hash
	keyID string
	out   [sha256.Size]byte
	buf   [4096]byte
}

// writeString hashes s through a small buffer: converting a string to bytes
// would copy all of it to the heap.
func (h *hasher) writeString(s string) {
	for len(s) > 0 {
		n := copy(h.buf[:], s)
		h.state.Write(h.buf[:n])
		s = s[n:]
	}
}

func (h *hasher) write(b []byte) { h.state.Write(b) }

// sum is the hash of what was written so far; more may follow.
func (h *hasher) sum() Hash {
	h.state.Sum(h.out[:0])
	return Hash{sum: h.out, keyID: h.keyID, set: true}
}
