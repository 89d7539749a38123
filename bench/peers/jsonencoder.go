package peers

import (
	"encoding/hex"
	"encoding/json"
	"io"
	"time"
)

type jsonRecord struct {
	SpanID               string    `json:"span_id"`
	ParentID             string    `json:"parent_id"`
	Name                 string    `json:"name"`
	Status               string    `json:"status"`
	ObservedBytes        int64     `json:"observed_bytes"`
	InjectedBytes        int64     `json:"injected_bytes"`
	InjectedTokens       int64     `json:"injected_tokens"`
	ClipReason           string    `json:"clip_reason"`
	SHA256Observed       string    `json:"sha256_observed"`
	SHA256Injected       string    `json:"sha256_injected"`
	InjectedPreview      string    `json:"injected_preview"`
	PromptBuilderVersion string    `json:"prompt_builder_version"`
	Version              int64     `json:"v"`
	RunID                string    `json:"run_id"`
	StartedAt            time.Time `json:"started_at"`
	EndedAt              time.Time `json:"ended_at"`
}

func newJSONEncoder(w io.Writer) func(*Record) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	var out jsonRecord
	return func(r *Record) error {
		out = jsonRecord{
			SpanID:               r.SpanID,
			ParentID:             r.ParentID,
			Name:                 r.Name,
			Status:               r.Status,
			ObservedBytes:        r.ObservedBytes,
			InjectedBytes:        r.InjectedBytes,
			InjectedTokens:       r.InjectedTokens,
			ClipReason:           r.ClipReason,
			SHA256Observed:       hex.EncodeToString(r.SHA256Observed[:]),
			SHA256Injected:       hex.EncodeToString(r.SHA256Injected[:]),
			InjectedPreview:      r.InjectedPreview,
			PromptBuilderVersion: r.PromptBuilderVersion,
			Version:              r.Version,
			RunID:                r.RunID,
			StartedAt:            r.StartedAt,
			EndedAt:              r.EndedAt,
		}
		return encoder.Encode(&out)
	}
}
