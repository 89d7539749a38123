package builder_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/builder"
	"github.com/clipspan/clipspan/clipspantest"
)

func TestAProgramsOutputBecomesOneText(t *testing.T) {
	for _, c := range []struct {
		name    string
		process builder.Process
		want    string
	}{
		{"nothing written", builder.Process{}, "exit code: 0"},
		{"all went well", builder.Process{Stdout: "a\nb\n"}, "a\nb\nexit code: 0"},
		{"a last line without an end", builder.Process{Stdout: "a"}, "a\nexit code: 0"},
		{"complaints alone", builder.Process{Stderr: "no such file\n", ExitCode: 2}, "stderr:\nno such file\nexit code: 2"},
		{"both", builder.Process{Stdout: "a", Stderr: "b", ExitCode: -1}, "a\nstderr:\nb\nexit code: -1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			observation := clipspan.Observation{Parts: c.process.Parts()}
			in := buildOf(t, observation, builder.JoinOutput())
			assert.Empty(t, in.Parts)
			assert.Equal(t, c.want, in.Text)

			s := span(t, observation, builder.JoinOutput())
			assert.Equal(t, "join-output/1", s.Render)
			assert.True(t, s.RenderLossless)
			got := clipspan.Classify(s)
			assert.Equal(t, clipspan.VerdictOK, got.Verdict, got.Detail)

			asJSON, err := json.Marshal(c.process)
			require.NoError(t, err)
			assert.Equal(t, c.want, build(t, string(asJSON), builder.JoinOutput()).Text)
		})
	}
}

func TestAResultThatIsNoProcessIsLeftAlone(t *testing.T) {
	for _, c := range []struct{ name, text string }{
		{"a text", "exit_code: 0"},
		{"another field", `{"stdout":"a","stderr":"","exit_code":0,"signal":9}`},
		{"a field too few", `{"stdout":"a","stderr":""}`},
		{"another order, of a tool of its own form", `{"stderr":"","stdout":"a","exit_code":0}`},
		{"a field twice, of which one would vanish", `{"stdout":"a","stdout":"b","stderr":"","exit_code":0}`},
		{"other names", `{"Stdout":"a","stderr":"","exit_code":0}`},
		{"something behind it", `{"stdout":"a","stderr":"","exit_code":0} and more`},
		{"a code that is none", `{"stdout":"a","stderr":"","exit_code":"0"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, clipspan.Injection{Text: c.text}, build(t, c.text, builder.JoinOutput()))
		})
	}
	parts := builder.Process{Stdout: "a"}.Parts()
	for _, changed := range [][]clipspan.Part{
		parts[:2],
		{parts[0], parts[1], {MediaType: parts[2].MediaType, Text: "+0"}},
		{parts[0], parts[1], {MediaType: parts[2].MediaType, Text: "0", Data: []byte("x")}},
		{parts[1], parts[0], parts[2]},
	} {
		assert.Equal(t, changed, buildOf(t, clipspan.Observation{Parts: changed}, builder.JoinOutput()).Parts)
	}
}

func TestATypedToolMayReturnAProcess(t *testing.T) {
	em, rec := clipspantest.New(t)
	tool := clipspan.TypedTool("shell", func(context.Context, struct{}) (builder.Process, error) {
		return builder.Process{Stdout: "<ok> & done\n", Stderr: "a\u2028b"}, nil
	}, nil)
	text, err := em.Wrap(tool, builder.Chain("v1", builder.JoinOutput())).Call(t.Context(), "{}")
	require.NoError(t, err)
	assert.Equal(t, "<ok> & done\nstderr:\na\u2028b\nexit code: 0", text)
	assert.Equal(t, "join-output/1", rec.Span(t, "shell").Render)
}

func TestJoinOutputTellsTheTruth(t *testing.T) {
	clipspantest.RunBuilder(t, builder.Chain("v1", builder.JoinOutput(), builder.MaxBytes(30)), nil,
		clipspan.Observation{Parts: builder.Process{Stdout: lined(100), Stderr: "\xff"}.Parts()},
		clipspan.Observation{Text: `{"stdout":"` + lined(0) + `a","stderr":"b","exit_code":1}`})
}

func FuzzJoinOutput(f *testing.F) {
	f.Add(`{"stdout":"a","stderr":"b","exit_code":1}`)
	f.Add(`{"stdout":"\ud800","stderr":"","exit_code":-0}`)
	f.Fuzz(func(t *testing.T, text string) {
		in := build(t, text, builder.JoinOutput())
		if in.Rendered == nil {
			assert.Equal(t, text, in.Text)
			return
		}
		var p builder.Process
		require.NoError(t, json.Unmarshal([]byte(text), &p))
		assert.Contains(t, in.Text, p.Stdout)
		assert.Contains(t, in.Text, p.Stderr)
	})
}
