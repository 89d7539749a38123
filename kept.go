package clipspan

import "strings"

// maxMarker is the longest replacement, in bytes, that still counts as one
// marker between a kept head and a kept tail.
const maxMarker = 1024

// gramSize is the length of the pieces by which a replacement is searched for
// surviving text. A run of 2*gramSize-1 bytes or more is always found.
const gramSize = 8

// Kept tells which bytes of base survive in injected, as ascending half-open
// ranges of base. It answers only where the answer is exact: a head, a tail,
// head and tail, a cut from the middle, or the whole text with something put
// round or into it; else ok is false. A replacement that itself holds text of
// base, such as one with several masked places, is not answered. The cost is
// linear in both texts.
func Kept(base, injected string) (ranges []Range, ok bool) {
	s, ok := keptIn(base, injected)
	if !ok {
		return nil, false
	}
	return append(ranges, s.list()...), true
}

// survival holds at most two kept ranges without allocating.
type survival struct {
	ranges [2]Range
	n      int
}

func (s *survival) add(from, to int) {
	if from < to {
		s.ranges[s.n] = Range{int64(from), int64(to)}
		s.n++
	}
}

func (s *survival) list() []Range { return s.ranges[:s.n] }

func keptIn(base, injected string) (s survival, ok bool) {
	if base == injected {
		s.add(0, len(base))
		return s, true
	}
	head := commonPrefix(base, injected)
	tail := commonSuffix(base[head:], injected[head:])
	lost := base[head : len(base)-tail]
	added := injected[head : len(injected)-tail]
	switch {
	case lost == "":
		s.add(0, len(base))
		return s, true
	case added == "":
		s.add(0, head)
		s.add(len(base)-tail, len(base))
		return s, true
	}
	if i := strings.Index(base, injected); i >= 0 {
		s.add(i, i+len(injected))
		return s, true
	}
	if strings.Contains(injected, base) {
		s.add(0, len(base))
		return s, true
	}
	if head+tail == 0 || len(added) > maxMarker || shareRun(lost, added) {
		return s, false
	}
	s.add(0, head)
	s.add(len(base)-tail, len(base))
	return s, true
}

// commonPrefix is the length of the longest common prefix. It compares blocks
// first, which is many times faster than bytes.
func commonPrefix(a, b string) int {
	const block = 256
	n := min(len(a), len(b))
	i := 0
	for i+block <= n && a[i:i+block] == b[i:i+block] {
		i += block
	}
	for i < n && a[i] == b[i] {
		i++
	}
	return i
}

func commonSuffix(a, b string) int {
	const block = 256
	n := min(len(a), len(b))
	i := 0
	for i+block <= n && a[len(a)-i-block:len(a)-i] == b[len(b)-i-block:len(b)-i] {
		i += block
	}
	for i < n && a[len(a)-1-i] == b[len(b)-1-i] {
		i++
	}
	return i
}

// shareRun reports whether a run of the lost text stands in the added one. Every
// gram of the short text is put into a small filter; the long text is sampled at
// each multiple of gramSize, which every run of 2*gramSize-1 bytes must contain.
func shareRun(lost, added string) bool {
	var filter [64]uint64
	for i := 0; i+gramSize <= len(added); i++ {
		word, bit := filterPlace(gram(added, i))
		filter[word] |= bit
	}
	for i := 0; i+gramSize <= len(lost); i += gramSize {
		word, bit := filterPlace(gram(lost, i))
		if filter[word]&bit != 0 && strings.Contains(added, lost[i:i+gramSize]) {
			return true
		}
	}
	return false
}

func filterPlace(gram uint64) (word, bit uint64) {
	h := gram * 0x9E3779B97F4A7C15 // Fibonacci hashing: the top bits are well mixed
	return h >> 58, 1 << (h >> 52 & 63)
}

func gram(s string, i int) uint64 {
	s = s[i : i+gramSize]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// checkKept verifies a builder's own list of kept ranges byte by byte: ascending
// and disjoint, inside base, and all found in injected in that order. Ranges that
// touch are merged.
func checkKept(base, injected string, hint []Range) (ranges []Range, ok bool) {
	rest := injected
	for _, r := range hint {
		if r.From < 0 || r.To < r.From || r.To > int64(len(base)) {
			return nil, false
		}
		if n := len(ranges); n > 0 && r.From < ranges[n-1].To {
			return nil, false
		}
		piece := base[r.From:r.To]
		i := strings.Index(rest, piece)
		if i < 0 {
			return nil, false
		}
		rest = rest[i+len(piece):]
		ranges = appendRange(ranges, r)
	}
	return ranges, true
}

func appendRange(ranges []Range, r Range) []Range {
	if r.From == r.To {
		return ranges
	}
	if n := len(ranges); n > 0 && ranges[n-1].To == r.From {
		ranges[n-1].To = r.To
		return ranges
	}
	return append(ranges, r)
}

func totalKept(ranges []Range) (n int64) {
	for _, r := range ranges {
		n += r.To - r.From
	}
	return n
}
