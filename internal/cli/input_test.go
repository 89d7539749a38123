package cli

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func packed(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return b.String()
}

func TestAPackedFileMayUnpackToTheLimitAndNoFurther(t *testing.T) {
	text := okLine + strings.Repeat("\n", 1<<20)
	for name, c := range map[string]struct {
		limit  int
		exit   int
		stderr string
	}{
		"exactly the limit": {len(text), exitTrusted, ""},
		"a byte more": {len(text) - 1, exitUnusable, "clipspan: error: reading -: unpacks to more than 1048780 bytes\n" +
			"clipspan: hint: if you trust it: gunzip -c - | clipspan check -\n"},
	} {
		t.Run(name, func(t *testing.T) {
			a, stdout, stderr := testApp(packed(t, text))
			a.maxUnpacked = int64(c.limit)
			assert.Equal(t, c.exit, a.run(t.Context(), []string{"check", "-"}))
			assert.Equal(t, c.stderr, stderr.String())
			assert.Equal(t, c.exit == exitTrusted, stdout.Len() > 0, "a file that holds too much is not judged in part")
		})
	}
}

func TestADamagedGzipFileIsAnError(t *testing.T) {
	whole := packed(t, okLine)
	sum := len(whole) - 8 // CRC-32, then the length
	a, stdout, stderr := testApp(whole[:sum] + "\x00\x00\x00\x00" + whole[sum+4:])
	assert.Equal(t, exitUnusable, a.run(t.Context(), []string{"check", "-"}))
	assert.Empty(t, stdout)
	assert.Contains(t, stderr.String(), "clipspan: error: reading -: the gzip file is damaged")

	a, _, stderr = testApp(whole + "something else")
	assert.Equal(t, exitUnusable, a.run(t.Context(), []string{"check", "-"}))
	assert.Contains(t, stderr.String(), "something else follows in it")
}

func TestAReadThatFailsIsAnError(t *testing.T) {
	a, stdout, stderr := testApp("")
	a.stdin = readerFunc(func([]byte) (int, error) { return 0, errors.New("input/output error") })
	assert.Equal(t, exitUnusable, a.run(t.Context(), []string{"check", "-"}))
	assert.Empty(t, stdout)
	assert.Equal(t, "clipspan: error: reading -: input/output error\n", stderr.String())
}

func TestAFileOfSomeoneElseIsAnErrorWithAHint(t *testing.T) {
	err := explainPath("run.jsonl", nil, &fs.PathError{Op: "open", Path: "run.jsonl", Err: fs.ErrPermission})
	assert.EqualError(t, err, "run.jsonl: permission denied")
	assert.ErrorAs(t, err, &hinted{})
}

func TestNearestIsWhatFewChangesMakeOfAWord(t *testing.T) {
	words := []string{"silent_clip", "incomplete", "hash_mismatch", "clipped"}
	for typed, want := range map[string]string{
		"silent":        "silent_clip",
		"silentclip":    "silent_clip",
		"Clipped":       "clipped",
		"hashmissmatch": "hash_mismatch",
		"cliped":        "clipped",
		"ratio":         "",
		"":              "",
	} {
		assert.Equal(t, want, nearest(words, typed), typed)
	}
}

func TestALineMayBreakOffAnywhere(t *testing.T) {
	last := `{"kind":"turn","turn_id":"t","delivered":[{"tool_call_id":"a","bytes":1e2}],"x":{"a":["\u0041",null,true,-1.5e3]}}`
	for n := 1; n < len(last); n++ {
		a, stdout, stderr := testApp(okLine + last[:n])
		require.Equal(t, exitNotTrusted, a.run(t.Context(), []string{"check", "--format", "jsonl", "-"}), "%s: %s", last[:n], stderr)
		require.Contains(t, stdout.String(), `"line":2,"damage":"torn"`, last[:n])
	}
}
