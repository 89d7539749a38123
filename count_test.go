package clipspan_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/clipspan/clipspan"
)

func TestTheZeroCountIsUnknown(t *testing.T) {
	var c clipspan.Count
	_, known := c.Value()
	assert.False(t, known)
	assert.False(t, c.Known())
	assert.False(t, c.Invalid())
	assert.Equal(t, int64(7), c.Or(7))
	assert.Equal(t, "unknown", c.String())
}

func TestAKnownCount(t *testing.T) {
	for _, n := range []int64{0, 1, 96412, 1<<63 - 1} {
		c := clipspan.Known(n)
		got, known := c.Value()
		assert.True(t, known)
		assert.Equal(t, n, got)
		assert.Equal(t, n, c.Or(7))
		assert.False(t, c.Invalid())
	}
	assert.Equal(t, "96412", clipspan.Known(96412).String())
}

func TestANegativeNumberIsNoCount(t *testing.T) {
	c := clipspan.Known(-1)
	assert.Equal(t, clipspan.InvalidCount(), c)
	assert.True(t, c.Invalid())
	assert.False(t, c.Known())
	assert.Equal(t, int64(0), c.Or(0))
	assert.Equal(t, "unknown", c.String())
}

func TestCountsInJSON(t *testing.T) {
	out, err := json.Marshal([]clipspan.Count{clipspan.Known(5), {}, clipspan.InvalidCount()})
	require.NoError(t, err)
	assert.Equal(t, `[5,null,null]`, string(out))
}
