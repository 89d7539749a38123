package builder

import (
	"strings"

	"github.com/rivo/uniseg"
)

// place moves the ends of what is cut apart, to where the boundary allows them.
// Where there is no such place in what would be kept they stay.
func (b boundary) place(text string, from, to int) (int, int) {
	switch b {
	case lines:
		return lineBefore(text, from), lineAfter(text, to)
	case graphemes:
		return graphemeBefore(text, from), graphemeAfter(text, to)
	default:
		return from, to
	}
}

func lineBefore(text string, i int) int {
	if start := strings.LastIndexByte(text[:i], '\n') + 1; start > 0 {
		return start
	}
	return i
}

func lineAfter(text string, i int) int {
	if i == 0 || text[i-1] == '\n' {
		return i
	}
	if end := strings.IndexByte(text[i:], '\n'); end >= 0 && i+end+1 < len(text) {
		return i + end + 1
	}
	return i
}

// clusterContext is how far back from a cut its grapheme is looked for, in bytes.
const clusterContext = 256

func graphemeBefore(text string, i int) int {
	start := runeBefore(text, max(0, i-clusterContext))
	for at := start; at < i; {
		cluster, _, _, _ := uniseg.FirstGraphemeClusterInString(text[at:min(len(text), i+clusterContext)], -1)
		if at+len(cluster) > i {
			if at == start && start > 0 {
				return i // a cluster without end
			}
			return at
		}
		at += len(cluster)
	}
	return i
}

func graphemeAfter(text string, i int) int {
	for at := runeBefore(text, max(0, i-clusterContext)); at < i; {
		cluster, _, _, _ := uniseg.FirstGraphemeClusterInString(text[at:min(len(text), i+clusterContext)], -1)
		at += len(cluster)
		if at > i {
			return at
		}
	}
	return i
}
