package builder_test

import (
	"flag"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/clipspan/clipspan"
	"github.com/clipspan/clipspan/builder"
	"github.com/clipspan/clipspan/tokens"
	"github.com/clipspan/clipspan/tokens/bpe"
)

// full asks for the numbers of executions that the figures of a release rest on.
var full = flag.Bool("clipspan.full", false, "run the property tests ten million times")

func TestWhateverAChainDoesItDeclares(t *testing.T) {
	executions := 20_000
	if *full {
		executions = 10_000_000
	}
	const workers = 4
	for worker := range uint64(workers) {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(worker, 3))
			for range executions / workers {
				checkChain(t, randomStages(rng), randomObservation(rng))
			}
		})
	}
}

// FuzzChain lets the fuzzer write the result, and choose the chain by a seed.
func FuzzChain(f *testing.F) {
	rng := rand.New(rand.NewPCG(1, 3))
	for seed := range uint64(40) {
		f.Add(seed, randomText(rng))
	}
	f.Fuzz(func(t *testing.T, seed uint64, text string) {
		checkChain(t, randomStages(rand.New(rand.NewPCG(seed, 4))), clipspan.Observation{Text: text})
	})
}

// checkChain holds a chain against all that it promises.
func checkChain(tb testing.TB, stages []builder.Stage, o clipspan.Observation) {
	chain := builder.Chain("test", stages...)
	in, err := chain.Build(tb.Context(), o)
	if err != nil {
		tb.Fatalf("%v of %q: %v", stages, o.Text, err)
	}
	base, injected := o.Text+flat(o.Parts), in.Text+flat(in.Parts)
	if in.Rendered != nil {
		base = in.Rendered.Text + flat(in.Rendered.Parts)
	}
	var fault string
	again, _ := chain.Build(tb.Context(), o)
	switch {
	case !reflect.DeepEqual(in, again):
		fault = "another injection the second time"
	case utf8.ValidString(base) && !utf8.ValidString(injected):
		fault = "a rune was cut"
	case overCap(tb, in):
		fault = "the cap does not hold"
	case len(in.Stages) == 0 && injected != base:
		fault = "a change is not declared"
	case len(in.Stages) > 0 && injected == base:
		fault = "declared, but nothing changed"
	case len(in.Stages) > 0 && !keptIn(base, injected, in.Kept):
		fault = "the kept ranges are not true"
	case len(in.Stages) > 0 && keptBytes(in.Kept) == len(base):
		fault = "declared, but nothing is lost"
	}
	if fault != "" {
		tb.Fatalf("%s\nstages   %v\nobserved %q %q\ninjected %+v", fault, stages, o.Text, o.Parts, in)
	}
}

func flat(parts []clipspan.Part) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.Text)
		b.Write(p.Data)
	}
	return b.String()
}

func overCap(tb testing.TB, in clipspan.Injection) bool {
	text := in.Text
	for _, p := range in.Parts {
		text += p.Text
	}
	var n int64
	switch in.Cap.Unit {
	case "":
		return false
	case clipspan.CapBytes:
		n = int64(len(text))
	case clipspan.CapChars:
		n = int64(utf8.RuneCountInString(text))
	case clipspan.CapLines:
		n = int64(len(strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")))
		if text == "" {
			n = 0
		}
	case clipspan.CapTokens:
		var err error
		n, err = counterOf(in.TokenSource).CountTokens(tb.Context(), text)
		require.NoError(tb, err)
		if said, known := in.Tokens.Value(); known && said != n {
			return true
		}
	}
	return n > in.Cap.Value
}

func counterOf(source clipspan.TokenSource) clipspan.TokenCounter {
	if source == bpe.O200kBase().Source() {
		return bpe.O200kBase()
	}
	return tokens.Estimate
}

func keptBytes(kept []clipspan.Range) (n int) {
	for _, r := range kept {
		n += int(r.To - r.From)
	}
	return n
}

func randomStages(rng *rand.Rand) []builder.Stage {
	stages := make([]builder.Stage, 1+rng.IntN(3))
	budget := false
	for i := range stages {
		stages[i] = randomStage(rng)
		for budget && strings.HasPrefix(stages[i].String(), "turn_budget") { // a chain has one
			stages[i] = randomStage(rng)
		}
		budget = budget || strings.HasPrefix(stages[i].String(), "turn_budget")
	}
	return stages
}

func randomStage(rng *rand.Rand) builder.Stage {
	n := rng.Int64N(300) - 5
	switch options := randomOptions(rng); rng.IntN(16) {
	case 0, 1:
		return builder.MaxBytes(n, options...)
	case 2, 3:
		return builder.MaxChars(n, options...)
	case 4:
		return builder.MaxTokens(n/3, tokens.Estimate, options...)
	case 5:
		return builder.MaxTokens(n/3, bpe.O200kBase(), options...)
	case 6:
		return builder.MaxLines(n/20, n, options...)
	case 7:
		return builder.WindowShare(rng.Float64(), n, nil, options...)
	case 8:
		return builder.TurnBudget(builder.MaxBytes(n, options...))
	default:
		others := otherStages()
		return others[rng.IntN(len(others))]
	}
}

// otherStages are those that are no caps.
func otherStages() []builder.Stage {
	return []builder.Stage{
		builder.Full(), builder.StripANSI(), builder.NumberLines(), builder.JoinOutput(), builder.CanonicalJSON(),
		builder.ToUTF8(nil), builder.OmitBinary(), builder.OmitBinary(builder.KeepImages()), builder.Redact(),
	}
}

func randomOptions(rng *rand.Rand) (options []builder.CutOption) {
	for _, o := range []builder.CutOption{
		builder.Tail(), builder.HeadTail(rng.Float64()), builder.OnLines(), builder.OnGraphemes(), builder.JSONItems(),
		builder.Marker(""), builder.Marker("…"), builder.Marker("[{lost} {unit}, line {line}, {from}-{to} of {total}]"),
	} {
		if rng.IntN(4) == 0 {
			options = append(options, o)
		}
	}
	return options
}

func randomObservation(rng *rand.Rand) clipspan.Observation {
	if rng.IntN(5) > 0 {
		return clipspan.Observation{Tool: "read_file", Text: randomText(rng)}
	}
	parts := make([]clipspan.Part, 1+rng.IntN(3))
	for i := range parts {
		parts[i] = clipspan.Part{MediaType: "text/plain", Text: randomText(rng)}
		if rng.IntN(3) == 0 {
			parts[i] = clipspan.Part{MediaType: "image/png", Data: []byte(randomText(rng))}
		}
	}
	return clipspan.Observation{Tool: "read_file", Parts: parts}
}

var pieces = []string{
	"a", "word ", "\n", "\r\n", "\n\n", "\t", "  ", "é", "€", "🦊", "的", "👨‍👩‍👧", "e\u0301", "\x00", "\xff", "\x80", "\xf0\x9f", "\u2028",
	"\x1b[31mred\x1b[0m", "10%\r20%\r", "[...]", "[... 5 of 9 bytes cut ...]", "password=hunter2\n", "DB_TOKEN: \"abcdefghijklmnop\"\n",
	"https://user:pw@example.com/", strings.Repeat("x", 40), strings.Repeat("\n", 20), `{"a":1}`, `"`, `\`, "<|endoftext|>",
}

func randomText(rng *rand.Rand) string {
	if rng.IntN(6) == 0 {
		return randomJSON(rng, 3)
	}
	var b strings.Builder
	for range rng.IntN(60) {
		b.WriteString(pieces[rng.IntN(len(pieces))])
	}
	return b.String()
}

func randomJSON(rng *rand.Rand, depth int) string {
	kind := rng.IntN(6)
	if depth == 0 {
		kind %= 4
	}
	switch kind {
	case 0:
		return `"` + strings.Repeat("é\\n", rng.IntN(20)) + `"`
	case 1:
		return "-12.50e+3"
	case 2:
		return "null"
	case 3:
		return " true "
	case 4:
		items := make([]string, rng.IntN(12))
		for i := range items {
			items[i] = randomJSON(rng, depth-1)
		}
		return "[" + strings.Join(items, ",") + "]"
	default:
		members := make([]string, rng.IntN(6))
		for i := range members {
			members[i] = ` "` + strings.Repeat("k", i+1) + `" : ` + randomJSON(rng, depth-1)
		}
		return "{" + strings.Join(members, ",") + "\n}"
	}
}
