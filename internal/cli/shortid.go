package cli

import (
	"math/bits"
	"slices"
	"strconv"
)

// uuidLength is that of a UUID in text (RFC 9562, 4).
const uuidLength = 36

// tail is the number that the last twelve digits of a UUID spell.
func tail(id string) (n uint64, isUUID bool) {
	if len(id) != uuidLength || id[8] != '-' || id[13] != '-' || id[18] != '-' || id[23] != '-' {
		return 0, false
	}
	n, err := strconv.ParseUint(id[24:], 16, 48)
	return n, err == nil
}

// uuids finds out how many of their last digits tell UUIDs apart. It keeps eight
// bytes of each.
type uuids struct{ tails []uint64 }

func (u *uuids) add(id string) {
	if n, ok := tail(id); ok {
		// What eight digits tell apart differs in the upper half.
		u.tails = append(u.tails, bits.RotateLeft64(n, 32))
	}
}

// digits is 8 or 12, or 0 for all of them.
func (u *uuids) digits() int {
	slices.Sort(u.tails)
	digits := 8
	for i := 1; i < len(u.tails); i++ {
		a, b := u.tails[i-1], u.tails[i]
		switch {
		case a == b:
			return 0
		case a>>32 == b>>32:
			digits = 12
		}
	}
	return digits
}

// shortID is the end of a UUID, which finds it in the trace, and any other id as
// it is.
func (t *table) shortID(id string) string {
	if _, ok := tail(id); ok && t.digits > 0 {
		return id[uuidLength-t.digits:]
	}
	return id
}
