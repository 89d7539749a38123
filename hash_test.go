package clipspan_test

import (
	"encoding"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/clipspan/clipspan"
)

var _ interface {
	encoding.TextMarshaler
	encoding.TextUnmarshaler
} = (*clipspan.Hash)(nil)

func TestAHashComesBackAsItWasWritten(t *testing.T) {
	full := sha("a")
	for _, text := range []string{
		"", full, strings.ToUpper(full), full[:16], full + "00", full[:63], "ab12", "no hash", "é", "sha256:" + full,
		"hmac-sha256:k1:" + full, "hmac-sha256:a:b:" + full, "hmac-sha256::" + full, "hmac-sha256:" + full, "hmac-sha256:k1:" + full[:20],
		":" + full, strings.Repeat(":", 65), full[:31] + "g" + full[32:],
	} {
		h := clipspan.ParseHash(text)
		assert.Equal(t, text, h.String())
		assert.Equal(t, text == "", h.IsZero())
		var again clipspan.Hash
		require.NoError(t, again.UnmarshalText([]byte(text)))
		assert.Equal(t, h, again, text)
		out, err := h.MarshalText()
		require.NoError(t, err)
		assert.Equal(t, text, string(out))
	}
}

func TestUnmarshalingDoesNotKeepTheText(t *testing.T) {
	for _, want := range []string{sha("a"), "short", "hmac-sha256:k1:" + sha("a")} {
		text := []byte(want)
		var h clipspan.Hash
		require.NoError(t, h.UnmarshalText(text))
		clear(text)
		assert.Equal(t, want, h.String())
	}
}

func TestHashesAreComparedByScheme(t *testing.T) {
	full, other := sha("a"), sha("b")
	keyed := func(key, digits string) string { return "hmac-sha256:" + key + ":" + digits }
	for _, c := range []struct {
		name, a, b string
		equal      bool
	}{
		{"the same", full, full, true},
		{"another", full, other, false},
		{"capital digits", full, strings.ToUpper(full), true},
		{"sixteen digits of it", full, full[:16], true},
		{"sixteen capital digits of it", full, strings.ToUpper(full[:16]), true},
		{"fifteen digits of it", full, full[:15], false},
		{"sixteen digits of another", full, other[:16], false},
		{"two short ones", full[:20], full[:16], true},
		{"two equal short ones", full[:4], full[:4], true},
		{"two texts that are no hex", "x", "X", true},
		{"a long text that is no hex", strings.Repeat("x", 20), strings.Repeat("x", 16), false},
		{"the same key", keyed("k1", full), keyed("k1", full), true},
		{"the same key, capital digits", keyed("k1", full), keyed("k1", strings.ToUpper(full)), true},
		{"the same key, sixteen digits", keyed("k1", full), keyed("k1", full[:16]), true},
		{"another key", keyed("k1", full), keyed("k2", full), false},
		{"keyed and plain", keyed("k1", full), full, false},
		{"keyed and plain, short", keyed("k1", full[:16]), full[:16], false},
		{"absent", full, "", false},
		{"both absent", "", "", false},
	} {
		a, b := clipspan.ParseHash(c.a), clipspan.ParseHash(c.b)
		assert.Equal(t, c.equal, a.Equal(b), c.name)
		assert.Equal(t, c.equal, b.Equal(a), c.name)
	}
}

func TestTheSchemeIsWhatStandsBeforeTheDigits(t *testing.T) {
	full := sha("a")
	for text, scheme := range map[string]string{
		full:                               "",
		"ab12":                             "",
		"hmac-sha256:k1:" + full:           "hmac-sha256:k1",
		"hmac-sha256:k1:" + full[:16]:      "hmac-sha256:k1",
		"hmac-sha256:team:prod:" + full:    "hmac-sha256:team:prod",
		"md5:d41d8cd98f00b204e9800998ecf8": "md5",
	} {
		assert.Equal(t, scheme, clipspan.ParseHash(text).Scheme(), text)
	}
}

func TestSumIsOfCanonicalHashesOnly(t *testing.T) {
	sum, ok := clipspan.ParseHash(sha("a")).Sum()
	assert.True(t, ok)
	assert.Equal(t, clipspan.ParseHash(sha("a")), clipspan.NewHash(sum))
	_, ok = clipspan.ParseHash("hmac-sha256:k1:" + sha("a")).Sum()
	assert.True(t, ok)
	for _, text := range []string{"", "ab12", strings.ToUpper(sha("a"))} {
		_, ok = clipspan.ParseHash(text).Sum()
		assert.False(t, ok, text)
	}
}
