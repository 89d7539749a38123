package main

import (
	"crypto/sha256"

	"github.com/clipspan/clipspan/bench/peers"
)

// peersTable measures the whole job, from the two texts to the record in a file.
// The peers do less than Wrap: their ids and times are ready, they keep no run
// together, and they write fewer fields.
func peersTable(b *bench) (*table, error) {
	t := &table{title: "The whole job, from two texts to a record in a file, CPU a span"}
	otel := []goal{atMost(0.20), {}, atMost(0.75)}
	for i, x := range exchanges {
		wrapped, _, err := b.wrap(x)
		if err != nil {
			return nil, err
		}
		sides := []side{wrapped}
		for _, p := range peers.All() {
			s, err := b.peer(p, x)
			if err != nil {
				return nil, err
			}
			sides = append(sides, s)
		}
		costs, err := b.compare(sides...)
		if err != nil {
			return nil, err
		}
		for j, p := range peers.All() {
			g := goal{}
			if p.Name == peers.OTel.Name {
				g = otel[i]
			}
			t.share(x.job, costs[0].cpu, costs[1+j].cpu, p.Name, g)
		}
	}
	return t, nil
}

// peer hashes both texts and writes the record with a peer.
func (b *bench) peer(p peers.Peer, x exchange) (side, error) {
	f, err := b.newFile("peer-*.jsonl")
	if err != nil {
		return side{}, err
	}
	write, record := p.New(f), x.record()
	observed, injected := x.bytes()
	return side{p.Name, times(func() error {
		record.SHA256Observed, record.SHA256Injected = sha256.Sum256(observed), sha256.Sum256(injected)
		return write(&record)
	}), f}, nil
}
