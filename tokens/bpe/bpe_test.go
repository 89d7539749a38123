package bpe_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/clipspan/clipspan/tokens/bpe"
)

// reference is a text and the ids that OpenAI's own tokenizer makes of it.
type reference struct {
	Name   string   `json:"name"`
	Text   string   `json:"text"`
	O200k  []uint32 `json:"o200k_base"`
	CL100k []uint32 `json:"cl100k_base"`
}

func references(tb testing.TB) (list []reference) {
	file, err := os.Open("testdata/reference.jsonl.gz")
	require.NoError(tb, err)
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	require.NoError(tb, err)
	lines := bufio.NewScanner(unzipped)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r reference
		require.NoError(tb, json.Unmarshal(lines.Bytes(), &r))
		list = append(list, r)
	}
	require.NoError(tb, lines.Err())
	return list
}

func count(tb testing.TB, e *bpe.Encoding, text string) int64 {
	n, err := e.CountTokens(tb.Context(), text)
	require.NoError(tb, err)
	return n
}

func TestEveryTextHasTheTokensOfTheReference(t *testing.T) {
	list := references(t)
	require.GreaterOrEqual(t, len(list), 500)
	for _, r := range list {
		for e, want := range map[*bpe.Encoding][]uint32{bpe.O200kBase(): r.O200k, bpe.CL100kBase(): r.CL100k} {
			assert.Equal(t, append([]uint32(nil), want...), e.Encode(r.Text), "%s: %s: %q", e.Source(), r.Name, r.Text)
			assert.EqualValues(t, len(want), count(t, e, r.Text))
		}
	}
}

func TestACutHasAtMostSoManyTokensAndHardlyFewer(t *testing.T) {
	for _, r := range references(t) {
		for _, e := range []*bpe.Encoding{bpe.O200kBase(), bpe.CL100kBase()} {
			all := count(t, e, r.Text)
			for _, n := range []int64{-1, 0, 1, 2, 3, all / 2, all - 1, all, all + 1} {
				size := e.Cut(r.Text, n)
				require.LessOrEqual(t, count(t, e, r.Text[:size]), max(n, 0), r.Name)
				require.True(t, utf8.ValidString(r.Text[:size]), r.Name)
				if n >= all {
					require.Equal(t, len(r.Text), size, r.Name)
				}
			}
		}
	}
	text := strings.Repeat("the port is 8080, ", 1000)
	assert.Equal(t, len("the port is 8080,"), bpe.O200kBase().Cut(text, 7))
	assert.EqualValues(t, 500, count(t, bpe.O200kBase(), text[:bpe.O200kBase().Cut(text, 500)]))
}

func TestAByteThatIsNoUTF8CountsAsItsReplacement(t *testing.T) {
	for _, e := range []*bpe.Encoding{bpe.O200kBase(), bpe.CL100kBase()} {
		for _, text := range []string{"\xff", "a\xf0\x9fb", "\x80\x80\x80 x", "é\xc3", "\xe2\x82 \xe2\x82\xac"} {
			assert.Equal(t, e.Encode(string([]rune(text))), e.Encode(text), "%q", text)
		}
	}
}
