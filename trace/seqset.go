package trace

import (
	"cmp"
	"slices"
)

// seqSet holds the positions of a run's records. Written in their order they are
// one range, whatever their number.
type seqSet struct {
	ranges []seqRange // ascending, neither overlapping nor adjoining
	loose  []int64    // not yet in ranges
	twice  []int64    // positions that were added more than once
}

// seqRange is a range of positions, both ends included.
type seqRange struct{ from, to int64 }

// add adds a position; 0 is none.
func (s *seqSet) add(seq int64) {
	switch last := len(s.ranges) - 1; {
	case seq == 0:
	case last >= 0 && s.ranges[last].to+1 == seq:
		s.ranges[last].to = seq
	default:
		s.loose = append(s.loose, seq)
		if len(s.loose) > 1000+len(s.ranges) {
			s.settle()
		}
	}
}

// settle brings the loose positions into the ranges.
func (s *seqSet) settle() {
	slices.Sort(s.loose)
	all := s.ranges
	for _, seq := range s.loose {
		all = append(all, seqRange{seq, seq})
	}
	slices.SortStableFunc(all, func(a, b seqRange) int { return cmp.Compare(a.from, b.from) })
	s.ranges = nil
	for _, r := range all {
		s.append(r)
	}
	s.loose = s.loose[:0]
}

// append adds a range that begins no earlier than those before it.
func (s *seqSet) append(r seqRange) {
	last := len(s.ranges) - 1
	switch {
	case last < 0 || r.from-1 > s.ranges[last].to:
		s.ranges = append(s.ranges, r)
	case r.from > s.ranges[last].to:
		s.ranges[last].to = r.to
	default: // a loose one: ranges don't overlap
		s.twice = append(s.twice, r.from)
	}
}

// covers reports whether all positions of r are there. The set must be settled.
func (s *seqSet) covers(r seqRange) bool {
	i, _ := slices.BinarySearchFunc(s.ranges, r.from, func(have seqRange, from int64) int {
		return cmp.Compare(have.to, from)
	})
	return i < len(s.ranges) && s.ranges[i].from <= r.from && r.to <= s.ranges[i].to
}

// holes are the ranges between 1 and the last position of ranges that none of
// them covers.
func holes(ranges []seqRange) (missing []seqRange) {
	slices.SortFunc(ranges, func(a, b seqRange) int { return cmp.Compare(a.from, b.from) })
	last := int64(0)
	for _, r := range ranges {
		if r.from-1 > last {
			missing = append(missing, seqRange{last + 1, r.from - 1})
		}
		last = max(last, r.to)
	}
	return missing
}
