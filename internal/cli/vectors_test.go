package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var vectors = filepath.Join("..", "..", "testdata")

// object is a line of --format jsonl.
type object struct {
	SpanID  string   `json:"span_id"`
	TurnID  string   `json:"turn_id"`
	Verdict string   `json:"verdict"`
	Damage  string   `json:"damage"`
	Detail  []string `json:"detail"`
	Summary *struct {
		Trusted bool `json:"trusted"`
		Unknown int  `json:"unknown"`
	} `json:"summary"`
}

func objects(t *testing.T, text string) (list []object) {
	t.Helper()
	for line := range strings.Lines(text) {
		var o object
		require.NoError(t, json.Unmarshal([]byte(line), &o), line)
		list = append(list, o)
	}
	require.NotNil(t, list[len(list)-1].Summary)
	return list
}

func TestEverySpanOfTheVectorsGetsItsVerdict(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(vectors, "spans.jsonl"))
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		var want struct {
			SpanID  string   `json:"span_id"`
			Verdict string   `json:"want"`
			Detail  []string `json:"want_detail"`
		}
		require.NoError(t, json.Unmarshal([]byte(line), &want))
		t.Run(want.SpanID, func(t *testing.T) {
			a, stdout, stderr := testApp(line)
			code := a.run(t.Context(), []string{"check", "--format", "jsonl", "-"})
			require.Empty(t, stderr)
			list := objects(t, stdout.String())
			require.Len(t, list, 2)
			assert.Equal(t, want.Verdict, list[0].Verdict)
			assert.Equal(t, append([]string{}, want.Detail...), list[0].Detail)
			trusted := want.Verdict == "ok" || want.Verdict == "clipped" || list[1].Summary.Unknown == 1
			assert.Equal(t, trusted, list[1].Summary.Trusted)
			assert.Equal(t, trusted, code == exitTrusted)
		})
	}
}

func TestEveryRunOfTheVectorsGetsItsVerdictsAndExitCode(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(vectors, "runs", "expected.json"))
	require.NoError(t, err)
	var runs map[string]struct {
		Exit     int
		Verdicts map[string]string
		Note     string
	}
	require.NoError(t, json.Unmarshal(text, &runs))
	for name, want := range runs {
		t.Run(name, func(t *testing.T) {
			for _, format := range formatNames() {
				a, stdout, stderr := testApp("")
				code := a.run(t.Context(), []string{"check", "--format", format, filepath.Join(vectors, "runs", name+".jsonl")})
				require.Empty(t, stderr)
				assert.Equal(t, want.Exit, code, want.Note)
				if format != "jsonl" {
					continue
				}
				got := map[string]string{}
				for _, o := range objects(t, stdout.String()) {
					if id := o.SpanID + o.TurnID; o.Verdict != "" && want.Verdicts[id] != "" {
						got[id] = o.Verdict
					}
				}
				assert.Equal(t, want.Verdicts, got, want.Note)
			}
		})
	}
}
