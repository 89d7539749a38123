package clipspantest

import (
	"fmt"
	"time"

	"github.com/clipspan/clipspan"
)

// The records below have every field set, so that none can be forgotten. They are
// told apart by their position in the run.

func fullSpan(seq int64) *clipspan.Span {
	return &clipspan.Span{
		Header:                  fullHeader(seq),
		SpanID:                  fmt.Sprintf("span-%d", seq),
		ParentID:                "turn-1",
		Name:                    "read_file",
		Status:                  clipspan.StatusError,
		ObservedBytes:           clipspan.Known(96412),
		InjectedBytes:           clipspan.Known(12040),
		InjectedTokens:          clipspan.Known(8192),
		TokenSource:             clipspan.TokenizerSource("o200k_base"),
		ClipReason:              clipspan.ReasonPromptTokenCap,
		SHA256Observed:          fullHash,
		SHA256Injected:          keyedHash,
		InjectedPreview:         "app:\n  name: billing\n",
		PromptBuilderVersion:    "cap-v3",
		ModelContextLimitTokens: clipspan.Known(1<<53 + 1), // beyond what a float64 holds
		Source:                  "import:other",
		ToolCallID:              "call-1",
		SHA256Args:              fullHash,
		TraceID:                 "4bf92f3577b34da6a3ce929d0e0e4736",
		OTelSpanID:              "00f067aa0ba902b7",
		StartedAt:               startOfTime,
		EndedAt:                 startOfTime.Add(time.Nanosecond),
		KeptBytes:               clipspan.Known(12000),
		KeptRanges:              []clipspan.Range{{From: 0, To: 11000}, {From: 95412, To: 96412}},
		AddedBytes:              clipspan.Known(40),
		Notice:                  clipspan.NoticeMissing,
		RenderedBytes:           clipspan.Known(99000),
		SHA256Rendered:          keyedHash,
		Render:                  "line-numbers/1",
		RenderLossless:          true,
		Stages: []clipspan.Stage{
			{Reason: clipspan.ReasonRedaction, Policy: "keys", BytesIn: 99000, BytesOut: 98000},
			{Reason: clipspan.ReasonPromptTokenCap, Policy: "head+tail", BytesIn: 98000, BytesOut: 12040},
		},
		CapUnit:       clipspan.CapTokens,
		CapValue:      clipspan.Known(8192),
		MediaType:     "multipart/mixed",
		PartsObserved: clipspan.Known(2),
		PartsInjected: clipspan.Known(0),
		Error:         "tool",
	}
}

func fullTurn(seq int64) *clipspan.Turn {
	return &clipspan.Turn{
		Header:                  fullHeader(seq),
		TurnID:                  fmt.Sprintf("turn-%d", seq),
		Conversation:            "main",
		Extends:                 "turn-1",
		StartedAt:               startOfTime,
		EndedAt:                 startOfTime.Add(time.Second),
		Provider:                "provider",
		Model:                   "model",
		RequestBytes:            clipspan.Known(100),
		HTTPStatus:              clipspan.Known(200),
		StopReason:              "end_turn",
		Error:                   "context_window",
		InputTokens:             clipspan.Known(30),
		OutputTokens:            clipspan.Known(0),
		Reasoning:               true,
		ModelContextLimitTokens: clipspan.Known(272000),
		Truncation:              "auto",
		ProviderEdits:           &clipspan.ProviderEdits{ClearedToolUses: clipspan.Known(1), ClearedInputTokens: clipspan.Known(2)},
		Delivered:               []clipspan.Delivery{{ToolCallID: "call-1", SpanID: "span-1", Bytes: clipspan.Known(3), SHA256: fullHash, Repaired: true}},
		Evicted:                 []string{"call-2", "call-3"},
		NotVisible:              []string{"call-4"},
		Unread:                  "too_large",
	}
}

func fullGap(seq int64) *clipspan.Gap {
	return &clipspan.Gap{
		Header:  fullHeader(seq),
		FromSeq: clipspan.Known(1), ToSeq: clipspan.Known(3), Count: clipspan.Known(2),
		Error: "overdue",
	}
}

func fullRunEnd(seq int64) *clipspan.RunEnd {
	return &clipspan.RunEnd{
		Header: fullHeader(seq),
		Spans:  clipspan.Known(1), Turns: clipspan.Known(0), Gaps: clipspan.Known(1),
	}
}

func fullHeader(seq int64) clipspan.Header {
	return clipspan.Header{
		Version: clipspan.SchemaVersion,
		RunID:   "run-1",
		Seq:     seq,
		Extra: []clipspan.Field{
			{Name: "vendor.number", Raw: "9007199254740993"},
			{Name: "vendor.list", Raw: `[1,{"a":null},"\n"]`},
		},
	}
}

var (
	fullHash  = clipspan.ParseHash("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
	keyedHash = clipspan.ParseHash("hmac-sha256:k1:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
)

// hostileTexts break writers that build JSON, lines or terminal output by hand.
var hostileTexts = []string{
	"two\nlines\r\n",
	`"quoted" \ and \u0041`,
	"\x00\x07\x1b[31mred\x1b[0m\x7f",
	"line separators \u2028 and \u2029 and \u0085",
	"\u202ereversed\u202c \ufeff",
	"</script><!-- %s %d {{.}} ${x}",
	"=HYPERLINK(1)",
	"invalid \xff\xfe \xed\xa0\x80 utf-8",
	"🦊 漢字 é e\u0301",
}

// poison overwrites a record and all that it refers to.
func poison(r clipspan.Record) {
	clear(r.Envelope().Extra)
	switch r := r.(type) {
	case *clipspan.Span:
		clear(r.KeptRanges)
		clear(r.Stages)
		*r = clipspan.Span{Name: "poisoned"}
	case *clipspan.Turn:
		clear(r.Delivered)
		clear(r.Evicted)
		clear(r.NotVisible)
		if r.ProviderEdits != nil {
			*r.ProviderEdits = clipspan.ProviderEdits{}
		}
		*r = clipspan.Turn{TurnID: "poisoned"}
	case *clipspan.Gap:
		*r = clipspan.Gap{Error: "poisoned"}
	case *clipspan.RunEnd:
		*r = clipspan.RunEnd{}
	}
}
