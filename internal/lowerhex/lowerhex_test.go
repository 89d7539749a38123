package lowerhex_test

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/clipspan/clipspan/internal/lowerhex"
)

func TestOnlyLowerCaseDigitsAreRead(t *testing.T) {
	for c := range 256 {
		for place := range 8 {
			digits := []byte("0123abcd")
			digits[place] = byte(c)
			dst := make([]byte, 4)
			ok := lowerhex.Decode(dst, digits)
			want, err := hex.DecodeString(string(digits))
			isDigit := err == nil && !strings.ContainsAny(string(digits), "ABCDEF")
			assert.Equal(t, isDigit, ok, "%q", digits)
			assert.Equal(t, isDigit, lowerhex.Decode(make([]byte, 4), string(digits)), "%q", digits)
			if isDigit {
				assert.Equal(t, want, dst, "%q", digits)
			}
		}
	}
}

func TestTheNumberOfDigitsMustFit(t *testing.T) {
	dst := make([]byte, 8)
	assert.True(t, lowerhex.Decode(dst, "0011223344556677"))
	assert.Equal(t, []byte{0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77}, dst)
	assert.False(t, lowerhex.Decode(dst, "001122334455667"))
	assert.False(t, lowerhex.Decode(dst, "001122334455667788"))
}

func TestDigitsAreWrittenAsOthersWriteThem(t *testing.T) {
	for c := range 256 {
		for place := range 4 {
			src := []byte{0x01, 0x9a, 0xf0, 0xaf, 1, 2, 3, 4}
			src[place] = byte(c)
			out := lowerhex.Append([]byte("x"), src)
			assert.Equal(t, "x"+hex.EncodeToString(src), string(out))
			back := make([]byte, len(src))
			assert.True(t, lowerhex.Decode(back, out[1:]))
			assert.Equal(t, src, back)
		}
	}
	assert.Empty(t, lowerhex.Append(nil, nil))
}
