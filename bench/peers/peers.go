// Package peers writes the record of a tool call with other people's libraries,
// so that all of them are measured at the same job.
package peers

import (
	"crypto/sha256"
	"io"
	"slices"
	"time"
)

// Record is the job: fourteen fields and both hashes.
type Record struct {
	SpanID               string
	ParentID             string
	Name                 string
	Status               string
	ObservedBytes        int64
	InjectedBytes        int64
	InjectedTokens       int64
	ClipReason           string
	SHA256Observed       [sha256.Size]byte
	SHA256Injected       [sha256.Size]byte
	InjectedPreview      string
	PromptBuilderVersion string
	Version              int64
	RunID                string
	StartedAt            time.Time
	EndedAt              time.Time
}

// Peer is a library that writes records.
type Peer struct {
	Name string
	// New returns a function that writes a record to w with one call of Write. It
	// must not be called concurrently.
	New func(w io.Writer) func(*Record) error
}

// Encoders are the peers that encode what they are given, and no more; the
// fastest first.
var Encoders = []Peer{
	{"zerolog", newZerolog},
	{"json.Encoder", newJSONEncoder},
	{"zap", newZap},
	{"slog", newSlog},
}

// OTel is the tracer of OpenTelemetry with a simple span processor and the
// exporter for standard output. It makes its own ids and keeps its own times.
var OTel = Peer{"OTel simple + stdout", newOTel}

// All are all peers.
func All() []Peer { return append(slices.Clone(Encoders), OTel) }
