package trace_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/trace"
)

// The vectors are for every implementation of the format: each span carries the
// verdict that it must be given.
func TestEverySpanVectorHasTheVerdictItWants(t *testing.T) {
	file, err := os.Open("../testdata/spans.jsonl")
	require.NoError(t, err)
	defer file.Close()
	judged := 0
	for rec, err := range trace.Read(file.Name(), file) {
		require.NoError(t, err)
		span, ok := rec.(*clipspan.Span)
		require.True(t, ok, "%T", rec)
		want := vectorOf(t, span)
		found := clipspan.Classify(span)
		assert.Equal(t, want.Want, found.Verdict.String(), "%s: %s", span.SpanID, want.Case)
		assert.Equal(t, want.WantDetail, append([]string{}, found.Detail...), "%s: %s", span.SpanID, want.Case)
		judged++
	}
	assert.GreaterOrEqual(t, judged, 78)
}

// vector is what a span of the vectors carries beside its record.
type vector struct {
	Case       string   `json:"case"`
	Want       string   `json:"want"`
	WantDetail []string `json:"want_detail"`
}

func vectorOf(t *testing.T, r clipspan.Record) (v vector) {
	fields := map[string]json.RawMessage{}
	for _, f := range r.Envelope().Extra {
		fields[f.Name] = json.RawMessage(f.Raw)
	}
	raw, err := json.Marshal(fields)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, &v))
	return v
}
