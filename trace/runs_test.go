package trace_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/clipspan/clipspan/trace"
)

// expectation is what expected.json says of a run.
type expectation struct {
	Exit     int               `json:"exit"`
	Verdicts map[string]string `json:"verdicts"` // by span or turn id
	Damage   []string          `json:"damage"`   // kinds, in the order of the report; absent = not compared
	Details  map[string][]string
	Note     string `json:"note"`
}

func TestEveryRunVectorIsJudgedAsExpected(t *testing.T) {
	raw, err := os.ReadFile("../testdata/runs/expected.json")
	require.NoError(t, err)
	var expected map[string]expectation
	require.NoError(t, json.Unmarshal(raw, &expected))
	files, err := filepath.Glob("../testdata/runs/*.jsonl")
	require.NoError(t, err)
	require.Len(t, expected, len(files), "each run has an expectation")
	for name, want := range expected {
		t.Run(name, func(t *testing.T) {
			file, err := os.Open(filepath.Join("../testdata/runs", name+".jsonl"))
			require.NoError(t, err)
			defer file.Close()
			c := trace.NewChecker(trace.WithAll())
			require.NoError(t, c.Add(t.Context(), name, file))
			report := c.Report()
			assert.Equal(t, want.Exit == 0, report.Summary.Trusted, "%s: %v", want.Note, report.Summary.Why)
			verdicts := map[string]string{}
			for f := range report.Findings() {
				if f.Subject != trace.SubjectDamage {
					verdicts[f.SpanID+f.TurnID] = f.Verdict.String()
				}
			}
			for id, verdict := range want.Verdicts {
				assert.Equal(t, verdict, verdicts[id], "%s: %s", id, want.Note)
			}
		})
	}
}
