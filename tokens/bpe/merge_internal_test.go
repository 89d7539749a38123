package bpe

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// merged is the definition: as long as two neighbours make a token, the two that
// make the one of the lowest rank are merged, of equal ones the first.
func merged(v *vocabulary, piece string) (ids []uint32) {
	var parts []string
	for i := range len(piece) {
		parts = append(parts, piece[i:i+1])
	}
	for {
		best, at := none, 0
		for i := 1; i < len(parts); i++ {
			if id := v.find(parts[i-1] + parts[i]); id < best {
				best, at = id, i
			}
		}
		if best == none {
			break
		}
		parts = slices.Replace(parts, at-1, at+1, parts[at-1]+parts[at])
	}
	for _, p := range parts {
		ids = append(ids, v.find(p))
	}
	return ids
}

// FuzzPiecesAreMergedByRank compares the linear merge with the definition.
func FuzzPiecesAreMergedByRank(f *testing.F) {
	for _, piece := range []string{
		"a", "internationalisierung", strings.Repeat("ab", 50), strings.Repeat(" ", 300), strings.Repeat("的", 70), "aaaaaaabaaaaaaacaaaab",
		"kubernetes-livenessProbe", "ÄÖÜäöüßéèê", "\n\n\n \n\n", "====----____....", "bananananananana", "\xff\xfe\x00",
	} {
		f.Add(piece)
	}
	f.Fuzz(func(t *testing.T, piece string) {
		piece = piece[:min(len(piece), 400)]
		if piece == "" {
			return
		}
		for _, e := range []*Encoding{O200kBase(), CL100kBase()} {
			var m merger
			m.merge(e.vocabulary, piece)
			require.Equal(t, merged(e.vocabulary, piece), m.ids, "%s: %q", e.name, piece)
		}
	})
}

func TestEveryTokenIsMadeByMerging(t *testing.T) {
	for e, want := range map[*Encoding]int{O200kBase(): 199_998, CL100kBase(): 100_256} {
		v := e.vocabulary
		require.EqualValues(t, want, v.len())
		longest := 0
		var m merger
		for id := range v.len() {
			longest = max(longest, v.size(id))
			require.Equal(t, id, v.find(v.token(id)))
			m.ids = m.ids[:0]
			m.merge(v, v.token(id))
			require.Equal(t, []uint32{id}, m.ids, "%s: %q", e.name, v.token(id))
		}
		require.Equal(t, longestToken, longest)
	}
}

// FuzzTokens holds what is promised of every text.
func FuzzTokens(f *testing.F) {
	f.Add("I'll see  what's\r\n\t in 1234 files: ÄÖ的👩🏽‍💻", int64(3))
	f.Add("\xff\xc3 a\u0301\u0085 \n \n  x", int64(1))
	f.Fuzz(func(t *testing.T, text string, n int64) {
		for _, e := range []*Encoding{O200kBase(), CL100kBase()} {
			ids := e.Encode(text)
			var back strings.Builder
			for _, id := range ids {
				back.WriteString(e.vocabulary.token(id))
			}
			require.Equal(t, string([]rune(text)), back.String())
			count, err := e.CountTokens(context.Background(), text)
			require.NoError(t, err)
			require.EqualValues(t, len(ids), count)

			n %= count + 2
			size := e.Cut(text, n)
			require.LessOrEqual(t, e.count(text[:size]), max(n, 0))
			require.Equal(t, string([]rune(text)), string([]rune(text[:size]))+string([]rune(text[size:])), "no rune is cut")
		}
	})
}
