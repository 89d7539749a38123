package clipspan_test

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/clipspan/clipspan"
)

// The three tests of the article, which lock its definition of a silent clip.

func TestSilentClip(t *testing.T) {
	found := clipspan.Classify(&clipspan.Span{
		ObservedBytes: clipspan.Known(1000), InjectedBytes: clipspan.Known(120), InjectedTokens: clipspan.Known(80),
		ClipReason: clipspan.ReasonNone,
	})
	assert.Equal(t, clipspan.VerdictSilentClip, found.Verdict)
	assert.True(t, strings.HasPrefix(found.Detail[0], "ratio="))
}

func TestDeclaredClipIsVisible(t *testing.T) {
	found := clipspan.Classify(&clipspan.Span{
		ObservedBytes: clipspan.Known(1000), InjectedBytes: clipspan.Known(120), InjectedTokens: clipspan.Known(80),
		ClipReason: clipspan.ReasonPromptTokenCap,
	})
	assert.Equal(t, clipspan.VerdictClipped, found.Verdict)
}

func TestMissingLengthsFail(t *testing.T) {
	found := clipspan.Classify(&clipspan.Span{Name: "read_file"})
	assert.Equal(t, clipspan.VerdictIncomplete, found.Verdict)
	assert.Contains(t, found.Detail, "observed_bytes")
}

// The rules of one span are specified by the vectors in testdata, which package
// trace runs. Here is what they can't show.

func TestTheZeroSpanIsIncomplete(t *testing.T) {
	found := clipspan.Classify(&clipspan.Span{})
	assert.Equal(t, clipspan.Finding{
		Verdict: clipspan.VerdictIncomplete,
		Detail:  []string{"observed_bytes", "injected_bytes", "injected_tokens"},
	}, found)
}

func TestAnInvalidCountIsMissing(t *testing.T) {
	s := okSpan()
	s.InjectedBytes = clipspan.InvalidCount()
	assert.Equal(t, []string{"injected_bytes"}, clipspan.Classify(s).Detail)
	s.InjectedBytes = clipspan.Known(-1)
	assert.Equal(t, []string{"injected_bytes"}, clipspan.Classify(s).Detail)
}

func TestASoundSpanIsJudgedWithoutAllocating(t *testing.T) {
	s := okSpan()
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		if clipspan.Classify(s).Verdict != clipspan.VerdictOK {
			panic("not ok")
		}
	}))
}

func TestTheDetailBelongsToTheCaller(t *testing.T) {
	s := okSpan()
	s.ClipReason, s.InjectedBytes = clipspan.ReasonPromptTokenCap, clipspan.Known(3)
	want := clipspan.Classify(s)
	for i := range want.Detail {
		clipspan.Classify(s).Detail[i] = "spoilt"
	}
	assert.Equal(t, want, clipspan.Classify(s))
}

func okSpan() *clipspan.Span {
	hash := clipspan.ParseHash(sha("0123456789"))
	return &clipspan.Span{
		SpanID: "a", Name: "t", ClipReason: clipspan.ReasonNone,
		ObservedBytes: clipspan.Known(10), InjectedBytes: clipspan.Known(10), InjectedTokens: clipspan.Known(3),
		SHA256Observed: hash, SHA256Injected: hash,
	}
}

// slowVerdict is "Verdict of one span" again, sentence by sentence and with
// numbers that can't overflow.
func slowVerdict(s *clipspan.Span) (verdict string, detail []string) {
	num := func(c clipspan.Count) *big.Int {
		if n, known := c.Value(); known {
			return big.NewInt(n)
		}
		return nil
	}
	observed, injected := num(s.ObservedBytes), num(s.InjectedBytes)
	// 1. observed_bytes, injected_bytes or injected_tokens missing
	for _, c := range []struct {
		name string
		n    *big.Int
	}{{"observed_bytes", observed}, {"injected_bytes", injected}, {"injected_tokens", num(s.InjectedTokens)}} {
		if c.n == nil {
			detail = append(detail, c.name)
		}
	}
	if detail != nil {
		return "incomplete", detail
	}
	// 2. status present, not empty, and neither ok nor error
	if s.Status != "" && s.Status != "ok" && s.Status != "error" {
		return "incomplete", []string{"status=" + string(s.Status)}
	}
	// base is rendered_bytes if present, else observed_bytes; its hash likewise
	base, baseHash, baseHashName := observed, s.SHA256Observed.String(), "sha256_observed"
	if rendered := num(s.RenderedBytes); rendered != nil {
		base, baseHash, baseHashName = rendered, s.SHA256Rendered.String(), "sha256_rendered"
	}
	injectedHash := s.SHA256Injected.String()
	// 3. facts that can't be true
	smaller := base
	if injected.Cmp(base) < 0 {
		smaller = injected
	}
	kept := num(s.KeptBytes)
	if s.KeptBytes.Invalid() || kept != nil && kept.Cmp(smaller) > 0 {
		detail = append(detail, "kept_bytes")
	}
	if s.RenderedBytes.Invalid() {
		detail = append(detail, "rendered_bytes")
	}
	if num(s.RenderedBytes) != nil && s.SHA256Rendered.String() == "" {
		detail = append(detail, "sha256_rendered")
	}
	if baseHash != "" && injectedHash != "" && slowScheme(baseHash) != slowScheme(injectedHash) {
		detail = append(detail, "hash_scheme")
	}
	if detail != nil {
		return "incomplete", detail
	}
	// 4. lost = base - kept if kept is given, else max(0, base - injected)
	lost := new(big.Int).Sub(base, injected)
	if kept != nil {
		lost.Sub(base, kept)
	}
	inEnum := map[clipspan.ClipReason]bool{
		"none": true, "prompt_token_cap": true, "tool_result_char_limit": true,
		"provider_context_window": true, "redaction": true, "binary_omitted": true,
	}[s.ClipReason]
	declared := inEnum && s.ClipReason != "none"
	if lost.Sign() > 0 && base.Cmp(injected) != 0 {
		switch ratio := slowRatio(lost, base); {
		case declared:
			return "clipped", []string{string(s.ClipReason), ratio}
		case s.ClipReason == "" || inEnum:
			return "silent_clip", []string{ratio}
		default:
			return "silent_clip", []string{ratio, "unknown_reason"}
		}
	}
	// 5. nothing is known to be lost, and ok has to be proved
	if baseHash == "" {
		detail = append(detail, baseHashName)
	}
	if injectedHash == "" {
		detail = append(detail, "sha256_injected")
	}
	if detail != nil {
		return "incomplete", detail
	}
	none := s.ClipReason == "none"
	switch equal, sameLength := slowEqual(baseHash, injectedHash), base.Cmp(injected) == 0; {
	case equal && !sameLength:
		return "hash_mismatch", []string{"length"}
	case equal && declared:
		return "hash_mismatch", []string{"declared_unchanged"}
	case equal && !none:
		return "incomplete", []string{"clip_reason"}
	case equal:
	case declared:
		detail = []string{string(s.ClipReason)}
	case base.Sign() == 0 || kept != nil && kept.Cmp(base) == 0:
		if !none {
			return "incomplete", []string{"clip_reason"}
		}
		detail = []string{"decorated"}
	default:
		return "hash_mismatch", nil
	}
	// 6. ok so far, and rendered
	if num(s.RenderedBytes) != nil {
		shrunk := new(big.Int).Sub(observed, base)
		if shrunk.Sign() > 0 {
			return "clipped", []string{"render=" + s.Render, slowRatio(shrunk, observed)}
		}
		if !s.RenderLossless {
			return "clipped", []string{"render=" + s.Render}
		}
	}
	return "ok", detail
}

func slowScheme(hash string) string { return hash[:strings.LastIndexByte(hash, ':')+1] }

// slowEqual: without regard to case; one of 16 hex digits or more equals a longer
// one that begins with it.
func slowEqual(a, b string) bool {
	a, b = strings.ToLower(a[len(slowScheme(a)):]), strings.ToLower(b[len(slowScheme(b)):])
	if len(a) > len(b) {
		a, b = b, a
	}
	return a == b || len(a) >= 16 && strings.Trim(a, "0123456789abcdef") == "" && strings.HasPrefix(b, a)
}

func slowRatio(lost, base *big.Int) string {
	a, _ := new(big.Float).SetInt(lost).Float64()
	b, _ := new(big.Float).SetInt(base).Float64()
	return fmt.Sprintf("ratio=%.2f", a/b)
}

func FuzzClassify(f *testing.F) {
	hashes := []string{
		"", sha("a"), sha("b"), strings.ToUpper(sha("a")), sha("a")[:16], sha("a")[:15], sha("a")[:20], "no hex",
		"hmac-sha256:k1:" + sha("a"), "hmac-sha256:k2:" + sha("a"), "hmac-sha256:k1:" + sha("b"), "hmac-sha256:k1:" + strings.ToUpper(sha("a")),
	}
	statuses := []string{"", "ok", "error", "incomplete", "OK"}
	reasons := []string{"none", "", "prompt_token_cap", "tool_result_char_limit", "provider_context_window", "redaction", "binary_omitted", "busy"}
	counts := []int64{-2, -1, 0, 1, 8, 9, 10, 1<<53 + 1, 1<<63 - 1}
	f.Add([]byte{6, 6, 3, 1, 0, 1, 1, 0, 0, 0, 0}, int64(10), int64(10))
	f.Add([]byte{6, 4, 3, 1, 2, 1, 2, 0, 0, 0, 0}, int64(1000), int64(120))
	f.Add([]byte{7, 8, 3, 0, 1, 3, 4, 5, 6, 7, 8}, int64(9007199254740993), int64(9007199254740992))
	f.Fuzz(func(t *testing.T, choice []byte, n, m int64) {
		pick := func(i, of int) int {
			if i >= len(choice) {
				return 0
			}
			return int(choice[i]) % of
		}
		all := append(counts, n, m, max(0, n-m))
		count := func(i int) clipspan.Count {
			if v := all[pick(i, len(all))]; v != -2 {
				return clipspan.Known(v) // negative: present, but no count
			}
			return clipspan.Count{}
		}
		hash := func(i int) clipspan.Hash { return clipspan.ParseHash(hashes[pick(i, len(hashes))]) }
		s := &clipspan.Span{
			ObservedBytes: count(0), InjectedBytes: count(1), InjectedTokens: count(2),
			Status: clipspan.Status(statuses[pick(3, len(statuses))]), ClipReason: clipspan.ClipReason(reasons[pick(4, len(reasons))]),
			SHA256Observed: hash(5), SHA256Injected: hash(6), KeptBytes: count(7),
			RenderedBytes: count(8), SHA256Rendered: hash(9), Render: "r/1", RenderLossless: pick(10, 2) == 1,
		}
		verdict, detail := slowVerdict(s)
		found := clipspan.Classify(s)
		require.Equal(t, verdict, found.Verdict.String(), "%+v", s)
		require.Equal(t, detail, found.Detail, "%+v", s)
	})
}
