package trace

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/clipspan/clipspan"
)

func TestEveryKeyIsFoundAndFitsIntoASet(t *testing.T) {
	require.LessOrEqual(t, int(keyEnd), 64)
	for k := keyNone + 1; k < keyEnd; k++ {
		require.NotEmpty(t, keyTexts[k], "key %d has a text", k)
		assert.Equal(t, int(k), keyNames.Fold([]byte(strings.ToUpper(keyTexts[k]))), keyTexts[k])
		known := 0
		for kind := kindSpan; kind <= kindRunEnd; kind++ {
			if keysOf[kind].has(k) {
				known++
			}
		}
		assert.Positive(t, known, "%s is a key of some record", keyTexts[k])
	}
}

func TestIDsComeBackAsTheyWere(t *testing.T) {
	s := newSeeds()
	for text, form := range map[string]idForm{
		"":                                     idNone,
		"a":                                    idShort,
		"tool-14":                              idShort,
		"fifteen bytes..":                      idShort,
		"sixteen bytes...":                     idHashed,
		"\x00\x00":                             idShort,
		"019ae1b2-7d3c-7abc-8def-0123456789ab": idUUID,
		"019AE1B2-7d3c-7abc-8def-0123456789ab": idHashed,
		"019ae1b2x7d3c-7abc-8def-0123456789ab": idHashed,
		"019ae1b2-7d3c-7abc-8def-0123456789ag": idHashed,
	} {
		id := s.id([]byte(text))
		assert.Equal(t, form, id.form, "%q", text)
		assert.Equal(t, id, s.id([]byte(text)), "%q", text)
		if form != idHashed {
			assert.Equal(t, text, id.text())
		}
	}
}

func TestDifferentIDsDiffer(t *testing.T) {
	s := newSeeds()
	seen := map[id]string{}
	for _, text := range []string{
		"a", "a\x00", "a\x00\x00", "b", "\x01", "\x01\x00", strings.Repeat("a", 15), strings.Repeat("a", 16), strings.Repeat("a", 17),
		"019ae1b2-7d3c-7abc-8def-0123456789ab", "019ae1b2-7d3c-7abc-8def-0123456789ac", "019AE1B2-7D3C-7ABC-8DEF-0123456789AB",
	} {
		id := s.id([]byte(text))
		assert.Empty(t, seen[id], "%q", text)
		seen[id] = text
	}
}

// Comparing digests must say what comparing hashes says.
func TestDigestsCompareLikeHashes(t *testing.T) {
	full := strings.Repeat("0123456789abcdef", 4)
	texts := []string{
		full, strings.ToUpper(full), full[:32], full[:31], full[:33], full[:17], full[:16], full[:15], full[:2], full[:16] + "0",
		"f" + full[1:], full[:31] + "0" + full[32:], "not hex at all", "NOT HEX AT ALL", "not hex at all?", full + "00",
		"hmac-sha256:k1:" + full, "hmac-sha256:k1:" + full[:20], "hmac-sha256:k2:" + full, "hmac-sha256:k1:" + strings.ToUpper(full), "",
	}
	s := newSeeds()
	for _, a := range texts {
		for _, b := range texts {
			ha, hb := clipspan.ParseHash(a), clipspan.ParseHash(b)
			if ha.IsZero() || hb.IsZero() || !ha.SameScheme(hb) {
				continue // no digests are compared then
			}
			assert.Equal(t, ha.Equal(hb), s.digest(ha).equal(s.digest(hb)), "%s\n%s", a, b)
		}
	}
	assert.Zero(t, s.digest(clipspan.Hash{}).digits)
}

func TestDetailsAreTheSameAfterPacking(t *testing.T) {
	for _, detail := range [][]string{
		nil,
		{"observed_bytes", "injected_bytes", "injected_tokens"},
		{"kept_bytes", "rendered_bytes", "sha256_rendered", "hash_scheme"},
		{"sha256_observed", "sha256_injected"},
		{"status=incomplete"},
		{"prompt_token_cap", "ratio=0.88"},
		{"ratio=0.00", "unknown_reason"},
		{"ratio=1.00"},
		{"render=line-numbers/1", "ratio=0.07"},
		{"redaction"},
		{"decorated"},
		{"length"},
		{"declared_unchanged"},
		{"clip_reason"},
	} {
		e := entry{}
		e.details, e.ratio = detailsOf(clipspan.Finding{Detail: detail})
		text := ""
		for _, d := range detail {
			e.reason = max(e.reason, reasonIndex(clipspan.ClipReason(d))%reasonOutside)
			for _, prefix := range []string{statusPrefix, renderPrefix} {
				if rest, cut := strings.CutPrefix(d, prefix); cut {
					text = rest
				}
			}
		}
		assert.Equal(t, detail, e.detailTexts(text))
	}
}

func TestEveryDetailHasAName(t *testing.T) {
	assert.Equal(t, detailProviderWindow, detailSet(1)<<(len(detailNames)-1), "the names are as many as the bits")
	for i, name := range detailNames {
		if name != "" {
			assert.Equal(t, detailSet(1)<<i, detailNamed(name))
		}
	}
}

func TestTheIndexFindsWhatWasAdded(t *testing.T) {
	const n = 5000
	hash := func(i uint32) uint64 { return uint64(i%700) << 50 } // many collide
	x := newIndex(n)
	for i := range uint32(n) {
		slot := x.slot(hash(i), func(j uint32) bool { return j == i })
		require.Zero(t, *slot)
		*slot = i + 1
	}
	for i := range uint32(n) {
		found, ok := x.get(hash(i), func(j uint32) bool { return j == i })
		assert.True(t, ok)
		assert.Equal(t, i, found)
	}
	_, ok := x.get(hash(1), func(uint32) bool { return false })
	assert.False(t, ok)
	_, ok = newIndex(0).get(1, func(uint32) bool { return true })
	assert.False(t, ok)
}

func TestPositionsMayComeInAnyOrder(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	seqs := rnd.Perm(10_000)
	var s seqSet
	for _, n := range seqs {
		if n%1000 != 7 {
			s.add(int64(n)) // 0 is none
		}
	}
	s.add(500)
	s.add(9999)
	s.settle()
	assert.ElementsMatch(t, []int64{500, 9999}, s.twice)
	var want []seqRange
	for n := int64(7); n < 10_000; n += 1000 {
		want = append(want, seqRange{n, n})
	}
	assert.Equal(t, want, holes(s.ranges))
	assert.True(t, s.covers(seqRange{8, 1006}))
	assert.False(t, s.covers(seqRange{8, 1007}))
	assert.False(t, s.covers(seqRange{7, 7}))
	assert.False(t, s.covers(seqRange{9999, 10_000}))
}

func TestPositionsAtTheEndOfTheNumbers(t *testing.T) {
	var s seqSet
	for _, n := range []int64{math.MaxInt64, 1, math.MaxInt64 - 1, math.MaxInt64, 2} {
		s.add(n)
	}
	s.settle()
	assert.Equal(t, []int64{math.MaxInt64}, s.twice)
	assert.Equal(t, []seqRange{{3, math.MaxInt64 - 2}}, holes(s.ranges))
}

// What a checker makes of a line must be what reading and judging it says.
func FuzzLeanReading(f *testing.F) {
	for _, text := range leanSeeds {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		compareReadings(t, text)
	})
}

var leanSeeds = []string{
	`{"span_id":"a","name":"t","observed_bytes":100,"injected_bytes":10,"injected_tokens":3,"clip_reason":"redaction"}`,
	`{"name":"t","status":5,"clip_reason":{"a":1},"observed_bytes":1,"injected_bytes":1,"injected_tokens":1}`,
	`{"name":"t","clip_reason":"busy","observed_bytes":2,"injected_bytes":1,"injected_tokens":1,"seq":4,"run_id":"r\u0031"}`,
	`{"observed_bytes":null,"source":"import:x","stages":[{"reason":"none","policy":"p","bytes_in":1,"bytes_out":2}]}`,
	`{"name":"t","rendered_bytes":5,"sha256_rendered":"AB","render":"json/1","v":1,"notice":true,"token_source":"tokenizer:x"}`,
	`{"kind":"turn","turn_id":"t","delivered":[{"span_id":"a","bytes":1,"sha256":"ab"}]}`,
	`{"kind":"gap","from_seq":1}`, `{"kind":"run_end","spans":1}`, `{"kind":"x"}`, `{"name":"t","name":"u"}`, `{"Name":1,"name":"t"}`, `[`, ``,
}

func TestLeanReadingSaysTheSame(t *testing.T) {
	for _, text := range leanSeeds {
		compareReadings(t, text)
	}
}

func compareReadings(t *testing.T, text string) {
	if strings.Contains(text, "\n") {
		return
	}
	l := line{text: []byte(text), ended: true}
	var whole decoder
	rec, err := whole.decode(l)

	seeds := newSeeds()
	b := seeds.newBatch()
	r := reader{seeds: &seeds}
	b.text, b.maxLine = []byte(text+"\n"), MaxLine
	r.read(b)

	if err != nil {
		require.Len(t, b.damage, 1, text)
		assert.Equal(t, *err, LineError{Damage: b.damage[0].damage, Msg: b.damage[0].detail}, text)
		return
	}
	require.Empty(t, b.damage, text)
	span, isSpan := rec.(*clipspan.Span)
	if !isSpan {
		assert.Empty(t, b.entries, text)
		return
	}
	require.Len(t, b.entries, 1, text)
	e, c := b.entries[0], b.classes[b.entries[0].class]
	found := clipspan.Classify(span)
	if span.Name == "" {
		found.Detail = append(found.Detail, "name")
		if !found.Verdict.Worse(clipspan.VerdictIncomplete) {
			found.Verdict = clipspan.VerdictIncomplete
		}
	}
	assert.Equal(t, found.Verdict.String(), clipspan.Verdict(e.verdict).String(), text)
	assert.Equal(t, found.Detail, e.detailTexts(b.words.text(c.text)), text)
	assert.Equal(t, span.Name, b.words.text(c.name), text)
	assert.Equal(t, span.RunID, b.words.text(word(c.group)), text)
	assert.Equal(t, span.PromptBuilderVersion, b.words.text(c.version), text)
	assert.Equal(t, span.SHA256Injected.Scheme(), b.words.text(c.scheme), text)
	assert.Equal(t, seeds.id([]byte(span.SpanID)), e.id(), text)
	assert.Equal(t, seeds.ref([]byte(span.ParentID)), e.parent, text)
	assert.Equal(t, seeds.ref([]byte(span.ToolCallID)), e.call, text)
	assert.Equal(t, span.Seq, e.seq, text)
	assert.Equal(t, span.ObservedBytes.Or(-1), e.countIf(flagObserved, e.observed).Or(-1), text)
	assert.Equal(t, span.InjectedBytes.Or(-1), e.countIf(flagInjected, e.injected).Or(-1), text)
	assert.Equal(t, span.Notice, e.notice(), text)
	assert.Equal(t, span.Source != "", e.is(flagSource), text)
	assert.Equal(t, span.Status.Final(), e.is(flagFinal), text)
}

func TestTheSameContentInAnotherForm(t *testing.T) {
	seeds := newSeeds()
	content := func(text string) uint64 {
		b := seeds.newBatch()
		r := reader{seeds: &seeds}
		b.text, b.maxLine = []byte(text), MaxLine
		r.read(b)
		switch {
		case len(b.turns) == 1:
			return b.turns[0].content
		case len(b.entries) == 1:
			return b.entries[0].content
		}
		t.Fatalf("no record: %s", text)
		return 0
	}
	hash := strings.Repeat("ab", 32)
	span := fmt.Sprintf(`{"span_id":"a","name":"t","observed_bytes":10,"sha256_observed":%q,"injected_preview":"a/b","x":{"k":[1,2]},"seq":1}`, hash)
	for _, same := range []string{
		fmt.Sprintf(`{ "seq" : 2, "x": { "k": [ 1, 2 ] }, "name": "\u0074", "span_id": "a", "injected_preview": "a\/b", "sha256_observed": %q, "observed_bytes": 10 }`, hash),
		strings.Replace(span, `,"seq":1`, "", 1),
		strings.Replace(span, `"seq":1`, `"error":null`, 1),
		strings.Replace(span, `"seq":1`, `"y":null`, 1),
	} {
		assert.Equal(t, content(span), content(same), same)
	}
	for _, other := range []string{
		strings.Replace(span, `"observed_bytes":10`, `"observed_bytes":11`, 1),
		strings.Replace(span, `"observed_bytes":10`, `"injected_bytes":10`, 1),
		strings.Replace(span, `"a/b"`, `"a/c"`, 1),
		strings.Replace(span, `[1,2]`, `[2,1]`, 1),
		strings.Replace(span, `"x"`, `"y"`, 1),
		strings.Replace(span, hash, strings.Repeat("ac", 32), 1),
		strings.Replace(span, `,"seq":1`, `,"ended_at":"2026-01-01T00:00:00Z"`, 1),
		strings.NewReplacer(`"span_id":"a"`, `"span_id":"t"`, `"name":"t"`, `"name":"a"`).Replace(span),
	} {
		assert.NotEqual(t, content(span), content(other), other)
	}
	turn := `{"kind":"turn","turn_id":"t","delivered":[{"span_id":"a","bytes":1}]}`
	assert.Equal(t, content(turn), content(`{"turn_id": "t", "kind": "turn", "delivered": [ {"span_id": "a", "bytes": 1} ]}`))
	assert.NotEqual(t, content(turn), content(strings.Replace(turn, `"bytes":1`, `"bytes":2`, 1)))
}
