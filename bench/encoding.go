package main

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/bench/peers"
)

// encodingTable measures encoding alone: fourteen fields and both hashes, into
// nothing.
func encodingTable(b *bench) (*table, error) {
	x := exchanges[1]
	span, record := x.span(), x.hashed()
	var line []byte
	sides := []side{{name: "AppendJSON", run: times(func() error {
		line = append(span.AppendJSON(line[:0]), '\n')
		return nil
	})}}
	for _, p := range peers.Encoders {
		write := p.New(nowhere{})
		sides = append(sides, side{name: p.Name, run: times(func() error { return write(&record) })})
	}
	costs, err := b.compare(sides...)
	if err != nil {
		return nil, err
	}
	t := &table{title: "Encoding alone: fourteen fields and both hashes, CPU a record"}
	goals := map[string]goal{"zerolog": atMost(0.6), "json.Encoder": atMost(0.25)}
	for i, s := range sides[1:] {
		t.share("Span.AppendJSON", costs[0].cpu, costs[1+i].cpu, s.name, goals[s.name])
	}
	t.allocs("Span.AppendJSON", costs[0], atMost(0))
	return t, nil
}

// nowhere is a writer that no peer knows and treats differently.
type nowhere struct{}

func (nowhere) Write(p []byte) (int, error) { return len(p), nil }

// hashed is the exchange for a peer.
func (x exchange) hashed() peers.Record {
	r := x.record()
	observed, injected := x.bytes()
	r.SHA256Observed, r.SHA256Injected = sha256.Sum256(observed), sha256.Sum256(injected)
	return r
}

// span is the same as a span.
func (x exchange) span() *clipspan.Span { return spanOf(x.hashed()) }

// spanOf is a peer's record as a span.
func spanOf(r peers.Record) *clipspan.Span {
	return &clipspan.Span{
		Header:               clipspan.Header{Version: r.Version, RunID: r.RunID},
		SpanID:               r.SpanID,
		ParentID:             r.ParentID,
		Name:                 r.Name,
		Status:               clipspan.Status(r.Status),
		ObservedBytes:        clipspan.Known(r.ObservedBytes),
		InjectedBytes:        clipspan.Known(r.InjectedBytes),
		InjectedTokens:       clipspan.Known(r.InjectedTokens),
		ClipReason:           clipspan.ClipReason(r.ClipReason),
		SHA256Observed:       hashOf(r.SHA256Observed),
		SHA256Injected:       hashOf(r.SHA256Injected),
		InjectedPreview:      r.InjectedPreview,
		PromptBuilderVersion: r.PromptBuilderVersion,
		StartedAt:            r.StartedAt,
		EndedAt:              r.EndedAt,
	}
}

func hashOf(sum [sha256.Size]byte) clipspan.Hash {
	return clipspan.ParseHash(hex.EncodeToString(sum[:]))
}
