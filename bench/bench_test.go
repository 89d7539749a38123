package main

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/clipspan/clipspan/bench/peers"
)

// wanted are the fields of an exchange's record as JSON decodes them.
func wanted(r peers.Record) map[string]any {
	return map[string]any{
		"span_id":                r.SpanID,
		"parent_id":              r.ParentID,
		"name":                   r.Name,
		"status":                 r.Status,
		"observed_bytes":         float64(r.ObservedBytes),
		"injected_bytes":         float64(r.InjectedBytes),
		"injected_tokens":        float64(r.InjectedTokens),
		"clip_reason":            r.ClipReason,
		"sha256_observed":        hashOf(r.SHA256Observed).String(),
		"sha256_injected":        hashOf(r.SHA256Injected).String(),
		"injected_preview":       r.InjectedPreview,
		"prompt_builder_version": r.PromptBuilderVersion,
		"v":                      float64(r.Version),
		"run_id":                 r.RunID,
		"started_at":             r.StartedAt.Format(time.RFC3339Nano),
		"ended_at":               r.EndedAt.Format(time.RFC3339Nano),
	}
}

func decode(t *testing.T, line []byte) (fields map[string]any) {
	t.Helper()
	require.NoError(t, json.Unmarshal(line, &fields))
	return fields
}

// oneLine is what a peer writes, with a single call of Write.
func oneLine(t *testing.T, p peers.Peer, r peers.Record) []byte {
	t.Helper()
	var out lines
	require.NoError(t, p.New(&out)(&r))
	require.Len(t, out, 1)
	return out[0]
}

// lines keeps every call of Write.
type lines [][]byte

func (l *lines) Write(p []byte) (int, error) {
	*l = append(*l, bytes.Clone(p))
	return len(p), nil
}

func TestEveryPeerWritesTheSameFields(t *testing.T) {
	for _, x := range exchanges {
		want := wanted(x.hashed())
		require.Len(t, want, 16, "fourteen fields and both hashes")
		assert.Equal(t, want, decode(t, x.span().AppendJSON(nil)), "clipspan, %s", x.job)
		for _, p := range peers.All() {
			got := decode(t, oneLine(t, p, x.hashed()))
			if p.Name == peers.OTel.Name {
				got = fromOTel(t, got, want)
			}
			delete(got, "level") // slog's own
			delete(got, "msg")
			assert.Equal(t, want, got, "%s, %s", p.Name, x.job)
		}
	}
}

// fromOTel flattens an exported span. Its ids are its own, so only their presence
// can be asked for.
func fromOTel(t *testing.T, span, want map[string]any) map[string]any {
	t.Helper()
	got := map[string]any{
		"name":       span["Name"],
		"status":     strings.ToLower(span["Status"].(map[string]any)["Code"].(string)),
		"started_at": span["StartTime"],
		"ended_at":   span["EndTime"],
		"span_id":    want["span_id"],
		"parent_id":  want["parent_id"],
	}
	for _, context := range []string{"SpanContext", "Parent"} {
		assert.Regexp(t, "[1-9a-f]", span[context].(map[string]any)["SpanID"], context)
	}
	for _, a := range span["Attributes"].([]any) {
		attribute := a.(map[string]any)
		got[attribute["Key"].(string)] = attribute["Value"].(map[string]any)["Value"]
	}
	return got
}

func TestWrapWritesAllThatThePeersWriteAndMore(t *testing.T) {
	b := &bench{dir: t.TempDir()}
	for _, x := range exchanges {
		_, line, err := b.wrap(x)
		require.NoError(t, err)
		got, want := decode(t, line), wanted(x.hashed())
		for _, own := range []string{"span_id", "run_id", "started_at", "ended_at"} {
			assert.NotEmpty(t, got[own], own)
			delete(want, own)
		}
		assert.Subset(t, got, want, x.job)
		for _, more := range []string{"seq", "tool_call_id", "sha256_args", "token_source", "kept_bytes", "kept_ranges"} {
			assert.Contains(t, got, more, x.job)
		}
	}
}

func TestInputsHoldWhatMakesEncodingHard(t *testing.T) {
	for _, x := range exchanges {
		preview := x.record().InjectedPreview
		assert.True(t, strings.ContainsAny(preview, "\n") && strings.Contains(preview, `"`), "escapes in %q", preview)
		assert.True(t, slices.ContainsFunc([]byte(preview), func(c byte) bool { return c >= 0x80 }), "no ASCII in %q", preview)
	}
	assert.Len(t, exchanges[2].observed, 96<<10)
	assert.InDelta(t, 12<<10, len(exchanges[2].injected), 3, "cut on a rune boundary")
}

func TestEveryJobIsDoneThoughCallersShareThem(t *testing.T) {
	for _, n := range []int{1, 7, 64, 1000} {
		var done atomic.Int64
		err := concurrently(8, times(func() error {
			if done.Add(1) == int64(n) {
				return io.ErrShortWrite
			}
			return nil
		}))(n)
		assert.EqualValues(t, n, done.Load())
		assert.Equal(t, io.ErrShortWrite, err)
	}
}

func TestATargetIsJudgedByTheFigureThatIsPrinted(t *testing.T) {
	assert.True(t, atMost(2).met(2.004))
	assert.False(t, atMost(2).met(2.006))
	assert.True(t, atLeast(40).met(39.96))
	assert.False(t, atLeast(40).met(39.9))
}
