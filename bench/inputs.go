package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/bench/peers"
)

// exchange is what a tool returned and what of it goes into the prompt.
type exchange struct {
	job      string
	observed string
	injected string
	reason   clipspan.ClipReason
}

// exchanges are those that have targets. The injected text is a
// copy, as of a builder that puts its text together: no comparison is spared
// because both texts stand at one place.
var exchanges = []exchange{
	whole("64 B", 64),
	whole("12 KB identical", 12<<10),
	prefix("96 KB with a 12 KB prefix", 96<<10, 12<<10),
}

func whole(job string, size int) exchange {
	text := result(size)
	return exchange{job, text, strings.Clone(text), clipspan.ReasonNone}
}

func prefix(job string, size, injected int) exchange {
	text := result(size)
	return exchange{job, text, strings.Clone(clipspan.Preview(text, injected)), clipspan.ReasonPromptTokenCap}
}

// result is a text of so many bytes as configuration files have it: line ends,
// quotes, letters of several scripts, and nothing that repeats in each line.
func result(size int) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, "- id: %d\n  title: \"Größenprüfung der Abteilung %d\"\n  path: /srv/reports/%d.csv # 设置\n", i, i*7, i*i)
	}
	text := clipspan.Preview(b.String(), size)
	return text + strings.Repeat("\n", size-len(text))
}

// bytes are both texts as the peers want them.
func (x exchange) bytes() (observed, injected []byte) { return []byte(x.observed), []byte(x.injected) }

// record is the exchange for a peer, but for the hashes.
func (x exchange) record() peers.Record {
	started := time.Date(2026, 3, 1, 12, 0, 0, 123456789, time.UTC)
	return peers.Record{
		SpanID:               "0198f2a4-7c1e-7d0a-9b5e-2f3a4b5c6d7f",
		ParentID:             "turn-3",
		Name:                 "read_file",
		Status:               "ok",
		ObservedBytes:        int64(len(x.observed)),
		InjectedBytes:        int64(len(x.injected)),
		InjectedTokens:       x.tokens(),
		ClipReason:           string(x.reason),
		InjectedPreview:      clipspan.Preview(x.injected, 128),
		PromptBuilderVersion: "cap-v3",
		Version:              clipspan.SchemaVersion,
		RunID:                "0198f2a4-7c1e-7d0a-9b5e-2f3a4b5c6d7e",
		StartedAt:            started,
		EndedAt:              started.Add(1234567 * time.Nanosecond),
	}
}

// tokens is what the builder says.
func (x exchange) tokens() int64 { return int64(len(x.injected) / 4) }
