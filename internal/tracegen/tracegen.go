// Package tracegen writes traces for tests and benchmarks: as varied as real
// ones are, and the same for the same seed.
package tracegen

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"

	"github.com/clipspan/clipspan/internal/rawjson"
)

// Seed is the seed of the figures in PERFORMANCE: 200,000 spans of it are 103 MB.
const Seed = 20251

// spansPerRun is the length of a run. A run_end record closes each.
const spansPerRun = 2000

// Write writes spans tool spans to w, about 515 bytes each, as runs of 2,000
// that follow one another. Keys are shuffled on every line, half of the lines
// have a space after colons and commas, a third of the previews are not ASCII,
// half of those escaped. Of one hundred spans about 60 are ok, 20 clipped, 8
// silent clips, 6 hash mismatches and 6 incomplete.
func Write(w io.Writer, spans int, seed uint64) error {
	g := generator{
		w:   bufio.NewWriterSize(w, 1<<20),
		rnd: rand.New(rand.NewPCG(seed, seed)),
	}
	for n := 0; n < spans; n += spansPerRun {
		g.run(min(spansPerRun, spans-n))
	}
	if err := g.w.Flush(); err != nil {
		return fmt.Errorf("writing a generated trace: %w", err)
	}
	return nil
}

type generator struct {
	w       *bufio.Writer
	rnd     *rand.Rand
	line    []byte
	members [][]byte // of the line being made, as JSON text
	spaced  bool
	runs    int
}

var (
	tools    = []string{"read_file", "bash", "grep", "web_fetch", "list_dir", "édition", "mcp__jira__search"}
	reasons  = []string{"prompt_token_cap", "tool_result_char_limit", "redaction"}
	versions = []string{"cap-v3", "cap-v4"}
	previews = []string{
		"app:\n  name: billing\n  port: 8443\n",
		"package main\n\nimport \"fmt\"\n",
		"total 4\n-rw-r--r-- 1 root root 1231 main.go\n",
		"C:\\Users\\build>dir /b",
		"Grüße aus Köln: Prüfung läuft.",
		"设置文件中没有端口。",
	}
)

func (g *generator) run(spans int) {
	g.runs++
	id := fmt.Sprintf("r%04d", g.runs)
	for seq := 1; seq <= spans; seq++ {
		g.span(id, fmt.Sprintf("turn-%d", 1+seq/5), seq)
	}
	g.begin()
	g.str("kind", "run_end")
	g.int("v", 1)
	g.str("run_id", id)
	g.int("seq", spans+1)
	g.int("spans", spans)
	g.int("turns", 0)
	g.int("gaps", 0)
	g.end()
}

func (g *generator) span(run, parent string, seq int) {
	observed := 200 + g.rnd.IntN(120_000)
	injected, reason := observed, "none"
	observedHash := g.hash()
	injectedHash := observedHash
	g.begin()
	switch mix := g.rnd.IntN(100); {
	case mix < 60:
	case mix < 80:
		injected, reason, injectedHash = observed/3, reasons[g.rnd.IntN(len(reasons))], g.hash()
	case mix < 88:
		injected, injectedHash = observed/2, g.hash()
	case mix < 94:
		injectedHash = g.hash()
	default:
		g.raw("error", `"cancelled"`)
		injected = -1
	}
	g.str("span_id", g.uuid())
	g.str("parent_id", parent)
	g.str("name", tools[g.rnd.IntN(len(tools))])
	g.str("status", "ok")
	g.int("observed_bytes", observed)
	if injected < 0 {
		g.raw("injected_bytes", "null")
	} else {
		g.int("injected_bytes", injected)
	}
	g.int("injected_tokens", max(0, injected)/4)
	g.str("clip_reason", reason)
	g.str("sha256_observed", observedHash)
	g.str("sha256_injected", injectedHash)
	g.preview()
	g.str("prompt_builder_version", versions[seq%len(versions)])
	g.int("v", 1)
	g.str("run_id", run)
	g.int("seq", seq)
	if g.rnd.IntN(3) == 0 {
		g.str("tool_call_id", "call_"+g.uuid()[:13])
	}
	g.end()
}

func (g *generator) preview() {
	text := previews[g.rnd.IntN(len(previews))]
	if g.rnd.IntN(2) == 0 {
		g.raw("injected_preview", strconv.QuoteToASCII(text))
		return
	}
	g.str("injected_preview", text)
}

func (g *generator) begin() {
	g.members = g.members[:0]
	g.spaced = g.rnd.IntN(2) == 0
}

func (g *generator) end() {
	g.rnd.Shuffle(len(g.members), func(i, j int) {
		g.members[i], g.members[j] = g.members[j], g.members[i]
	})
	g.line = append(g.line[:0], '{')
	for i, m := range g.members {
		if i > 0 {
			g.line = append(g.line, ',')
			g.space()
		}
		g.line = append(g.line, m...)
	}
	g.line = append(g.line, '}', '\n')
	g.w.Write(g.line) // an error sticks and is returned by Flush
}

func (g *generator) space() {
	if g.spaced {
		g.line = append(g.line, ' ')
	}
}

func (g *generator) str(name, value string) {
	g.raw(name, string(rawjson.AppendString(nil, value)))
}

func (g *generator) int(name string, n int) { g.raw(name, strconv.Itoa(n)) }

func (g *generator) raw(name, value string) {
	colon := ":"
	if g.spaced {
		colon = ": "
	}
	g.members = append(g.members, []byte(strconv.Quote(name)+colon+value))
}

func (g *generator) uuid() string {
	var b [16]byte
	g.fill(b[:])
	b[6], b[8] = 0x70|b[6]&15, 0x80|b[8]&63
	h := hex.EncodeToString(b[:])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

func (g *generator) hash() string {
	var b [8]byte
	g.fill(b[:])
	sum := sha256.Sum256(b[:])
	return hex.EncodeToString(sum[:])
}

func (g *generator) fill(b []byte) {
	for i := range b {
		b[i] = byte(g.rnd.Uint32())
	}
}
