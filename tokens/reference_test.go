package tokens_test

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// reference is a text and how many tokens o200k_base's own tokenizer makes of it.
type reference struct {
	name      string // its file, and the line for one of short.txt
	text      string
	tokens    int64
	estimated int64
}

// off is how far the estimate is from the tokenizer's count, as a share of it.
func (r reference) off() float64 { return float64(r.estimated)/float64(r.tokens) - 1 }

// kind is what a file's name says first: prose, code, data, ...
func (r reference) kind() string {
	kind, _, _ := strings.Cut(filepath.Base(r.name), "-")
	return kind
}

func (r reference) String() string {
	return fmt.Sprintf("%+5.1f%%, %d instead of %d: %s", 100*r.off(), r.estimated, r.tokens, r.name)
}

func TestEstimateIsWithinAQuarterOfTheTokenizer(t *testing.T) {
	for _, set := range []string{"fit/", "heldout/"} {
		t.Run(set, func(t *testing.T) {
			refs := references(t, set)
			t.Log(errorTable(refs))
			for _, r := range refs {
				if r.tokens >= 200 {
					assert.LessOrEqual(t, math.Abs(r.off()), 0.25, "%s", r)
				}
			}
		})
	}
}

// A few tokens leave no room for errors to cancel out: here only the order of
// magnitude is promised.
func TestEstimateOfALineIsWithinFourTokensAndAFactorOfTwo(t *testing.T) {
	for _, r := range references(t, "short.txt:") {
		assert.InDelta(t, r.tokens, r.estimated, 4, "%s", r)
		assert.LessOrEqual(t, r.estimated, 2*r.tokens, "%s", r)
		assert.GreaterOrEqual(t, 2*r.estimated, r.tokens, "%s", r)
	}
}

// references reads the texts whose name begins with prefix, the worst estimate first.
func references(t *testing.T, prefix string) (refs []reference) {
	t.Helper()
	short := strings.Split(readReference(t, "short.txt"), "\n")
	for row := range strings.Lines(readReference(t, "counts.tsv")) {
		name, number, _ := strings.Cut(strings.TrimSuffix(row, "\n"), "\t")
		if !strings.HasPrefix(name, prefix) {
			continue
		}
		r := reference{name: name}
		_, err := fmt.Sscan(number, &r.tokens)
		require.NoError(t, err, row)
		if line, ok := strings.CutPrefix(name, "short.txt:"); ok {
			i, err := strconv.Atoi(line)
			require.NoError(t, err, row)
			r.text = short[i-1]
		} else {
			r.text = readReference(t, name)
		}
		r.estimated = count(t, r.text)
		refs = append(refs, r)
	}
	require.NotEmpty(t, refs, "no text in counts.tsv begins with %s", prefix)
	slices.SortFunc(refs, func(a, b reference) int { return cmp.Compare(math.Abs(b.off()), math.Abs(a.off())) })
	return refs
}

func readReference(tb testing.TB, name string) string {
	tb.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", "reference", filepath.FromSlash(name)))
	require.NoError(tb, err)
	return string(b)
}

// errorTable shows the errors of refs by kind, with the worst of each. The
// references come worst first.
func errorTable(refs []reference) string {
	byKind := map[string][]reference{}
	for _, r := range refs {
		byKind[r.kind()] = append(byKind[r.kind()], r)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n%-8s %5s %6s %6s  %s\n", "kind", "texts", "mean", "|mean|", "worst")
	for _, kind := range slices.Sorted(maps.Keys(byKind)) {
		sum, abs := 0.0, 0.0
		for _, r := range byKind[kind] {
			sum += r.off()
			abs += math.Abs(r.off())
		}
		n := float64(len(byKind[kind]))
		fmt.Fprintf(&b, "%-8s %5.0f %+5.1f%% %5.1f%%  %s\n", kind, n, 100*sum/n, 100*abs/n, byKind[kind][0])
	}
	return b.String()
}
