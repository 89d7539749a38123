package trace

// store holds records in blocks, so that it never has to copy them in order to
// grow, and they stay where they are.
type store[T any] struct {
	blocks []*[blockLen]T
	n      int
}

const (
	blockBits = 12
	blockLen  = 1 << blockBits
)

func (s *store[T]) add(record *T) {
	if s.n == len(s.blocks)<<blockBits {
		s.blocks = append(s.blocks, new([blockLen]T))
	}
	*s.at(uint32(s.n)) = *record
	s.n++
}

func (s *store[T]) at(i uint32) *T { return &s.blocks[i>>blockBits][i&(blockLen-1)] }

// index finds entries by a hash: an open table of their numbers, 4 to 8 bytes a
// span where a map would need 40.
type index struct {
	slots []uint32 // number + 1, 0 = free
	shift uint
}

func newIndex(n int) *index {
	size, shift := 8, uint(61)
	for size*3/4 < n {
		size *= 2
		shift--
	}
	return &index{slots: make([]uint32, size), shift: shift}
}

// get returns the entry with this hash that is the same.
func (x *index) get(hash uint64, same func(uint32) bool) (i uint32, found bool) {
	slot := x.slot(hash, same)
	return *slot - 1, *slot != 0
}

// slot is the one where an entry stands, or the free one where it belongs.
func (x *index) slot(hash uint64, same func(uint32) bool) *uint32 {
	for at := hash >> x.shift; ; at++ {
		slot := &x.slots[at&uint64(len(x.slots)-1)]
		if *slot == 0 || same(*slot-1) {
			return slot
		}
	}
}
