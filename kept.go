package clipspan

import "strings"

// maxMarker is the longest replacement, in bytes, that still counts as one
// marker between a kept head and a kept tail.
const maxMarker = 1024

// A replacement is searched for surviving text by pieces of longGram bytes, which
// finds every run of 2*longGram-1. One that is not much shorter than what it
// replaced is rather a text with several masked places than a marker: there runs
// of shortGram bytes count.
const (
	longGram      = 8
	shortGram     = 4
	markerAtLeast = 8 // times shorter than what it replaced
)

// Kept tells which bytes of base survive in injected, as ascending half-open
// ranges of base. It answers only where the answer is exact: a head, a tail,
// head and tail, a cut from the middle, or the whole text with something put
// round or into it; else ok is false. A replacement that itself holds text of
// base, such as one with several masked places, is not answered; the few bytes
// that any marker shares with what it replaced do not count. The cost is linear in
// both texts.
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
// gram of the added text is put into a small filter, then the lost text is looked
// up in it: at each byte, or where it is long, at each multiple of the gram's
// length, one of which lies in every run of nearly twice that length.
func shareRun(lost, added string) bool {
	size, step := longGram, longGram
	if len(lost) < markerAtLeast*len(added) {
		size, step = shortGram, 1
	}
	var filter [64]uint64
	for i := 0; i+size <= len(added); i++ {
		word, bit := filterPlace(added[i : i+size])
		filter[word] |= bit
	}
	for i := 0; i+size <= len(lost); i += step {
		gram := lost[i : i+size]
		word, bit := filterPlace(gram)
		if filter[word]&bit != 0 && strings.Contains(added, gram) {
			return true
		}
	}
	return false
}

// filterPlace is a gram's place in the filter. Fibonacci hashing mixes the top
// bits well.
func filterPlace(gram string) (word, bit uint64) {
	h := uint64(gram[0]) | uint64(gram[1])<<8 | uint64(gram[2])<<16 | uint64(gram[3])<<24
	if len(gram) == longGram {
		h |= uint64(gram[4])<<32 | uint64(gram[5])<<40 | uint64(gram[6])<<48 | uint64(gram[7])<<56
	}
	h *= 0x9E3779B97F4A7C15
	return h >> 58, 1 << (h >> 52 & 63)
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
