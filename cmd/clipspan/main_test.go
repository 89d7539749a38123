package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const silentClip = `{"span_id":"cut","name":"bash","status":"ok","observed_bytes":100,"injected_bytes":20,"injected_tokens":5,"clip_reason":"none"}` + "\n"

// TestMain lets the test binary be the command.
func TestMain(m *testing.M) {
	if os.Getenv("CLIPSPAN_TEST_MAIN") != "" {
		os.Exit(run())
	}
	os.Exit(m.Run())
}

func command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), self, args...)
	cmd.Env = append(os.Environ(), "CLIPSPAN_TEST_MAIN=1")
	return cmd
}

func exitCode(err error) int {
	if exit, ok := err.(*exec.ExitError); ok {
		return exit.ExitCode()
	}
	return 0
}

func trace(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "run.jsonl")
	require.NoError(t, os.WriteFile(name, []byte(silentClip), 0o600))
	return name
}

func TestTheVerdictIsTheExitCode(t *testing.T) {
	assert.Equal(t, 0, exitCode(command(t, "version").Run()))
	assert.Equal(t, 1, exitCode(command(t, "check", trace(t)).Run()))
	assert.Equal(t, 2, exitCode(command(t, "check").Run()))
}

func TestAClosedPipeKillsNothing(t *testing.T) {
	r, w, err := os.Pipe()
	require.NoError(t, err)
	require.NoError(t, r.Close())
	defer w.Close()
	var stderr bytes.Buffer
	cmd := command(t, "check", trace(t))
	cmd.Stdout, cmd.Stderr = w, &stderr
	assert.Equal(t, 1, exitCode(cmd.Run()), "as the signal of the pipe did not end the process")
	assert.Empty(t, stderr.String())
}

func TestAnInterruptEndsFollowing(t *testing.T) {
	if interrupt == nil {
		t.Skip("no process can interrupt another one here")
	}
	cmd := command(t, "check", "--follow", "--format", "jsonl", trace(t))
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	first := make([]byte, 1) // it has read the file, and waits
	_, err = io.ReadFull(stdout, first)
	require.NoError(t, err)
	require.NoError(t, cmd.Process.Signal(interrupt))
	rest, err := io.ReadAll(stdout)
	require.NoError(t, err)
	assert.Contains(t, string(rest), `{"summary":{"trusted":false,`)
	assert.Equal(t, 1, exitCode(cmd.Wait()))
}
