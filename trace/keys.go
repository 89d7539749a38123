package trace

import "github.com/clipspan/clipspan/internal/rawjson"

// key is a member name of ours. keyNone is everybody else's.
type key uint8

const (
	keyNone key = iota

	keyKind
	keyVersion
	keyRunID
	keySeq

	keySpanID
	keyParentID
	keyName
	keyStatus
	keyObservedBytes
	keyInjectedBytes
	keyInjectedTokens
	keyClipReason
	keySHA256Observed
	keySHA256Injected
	keyInjectedPreview
	keyPromptBuilderVersion
	keyModelContextLimitTokens
	keySource
	keyToolCallID
	keySHA256Args
	keyTraceID
	keyOTelSpanID
	keyStartedAt
	keyEndedAt
	keyTokenSource
	keyKeptBytes
	keyKeptRanges
	keyAddedBytes
	keyNotice
	keyRenderedBytes
	keySHA256Rendered
	keyRender
	keyRenderLossless
	keyStages
	keyCapUnit
	keyCapValue
	keyMediaType
	keyPartsObserved
	keyPartsInjected
	keyError

	keyTurnID
	keyConversation
	keyExtends
	keyProvider
	keyModel
	keyRequestBytes
	keyHTTPStatus
	keyStopReason
	keyInputTokens
	keyOutputTokens
	keyReasoning
	keyTruncation
	keyProviderEdits
	keyDelivered
	keyEvicted
	keyNotVisible
	keyUnread

	keyFromSeq
	keyToSeq
	keyCount

	keySpans
	keyTurns
	keyGaps

	keyEnd // how many there are: they must fit into a keySet
)

// keyNames finds keys: their numbers are the keys.
var keyNames = rawjson.NewNames(keyTexts[1:]...)

var keyTexts = [keyEnd]string{
	keyKind: "kind", keyVersion: "v", keyRunID: "run_id", keySeq: "seq",

	keySpanID: "span_id", keyParentID: "parent_id", keyName: "name", keyStatus: "status",
	keyObservedBytes: "observed_bytes", keyInjectedBytes: "injected_bytes",
	keyInjectedTokens: "injected_tokens", keyClipReason: "clip_reason",
	keySHA256Observed: "sha256_observed", keySHA256Injected: "sha256_injected",
	keyInjectedPreview: "injected_preview", keyPromptBuilderVersion: "prompt_builder_version",
	keyModelContextLimitTokens: "model_context_limit_tokens", keySource: "source",
	keyToolCallID: "tool_call_id", keySHA256Args: "sha256_args", keyTraceID: "trace_id",
	keyOTelSpanID: "otel_span_id", keyStartedAt: "started_at", keyEndedAt: "ended_at",
	keyTokenSource: "token_source", keyKeptBytes: "kept_bytes", keyKeptRanges: "kept_ranges",
	keyAddedBytes: "added_bytes", keyNotice: "notice", keyRenderedBytes: "rendered_bytes",
	keySHA256Rendered: "sha256_rendered", keyRender: "render", keyRenderLossless: "render_lossless",
	keyStages: "stages", keyCapUnit: "cap_unit", keyCapValue: "cap_value", keyMediaType: "media_type",
	keyPartsObserved: "parts_observed", keyPartsInjected: "parts_injected", keyError: "error",

	keyTurnID: "turn_id", keyConversation: "conversation", keyExtends: "extends",
	keyProvider: "provider", keyModel: "model", keyRequestBytes: "request_bytes",
	keyHTTPStatus: "http_status", keyStopReason: "stop_reason", keyInputTokens: "input_tokens",
	keyOutputTokens: "output_tokens", keyReasoning: "reasoning", keyTruncation: "truncation",
	keyProviderEdits: "provider_edits", keyDelivered: "delivered", keyEvicted: "evicted",
	keyNotVisible: "not_visible", keyUnread: "unread",

	keyFromSeq: "from_seq", keyToSeq: "to_seq", keyCount: "count",

	keySpans: "spans", keyTurns: "turns", keyGaps: "gaps",
}

// keySet is a set of keys, one bit each.
type keySet uint64

func setOf(keys ...key) (s keySet) {
	for _, k := range keys {
		s |= 1 << k
	}
	return s
}

// setBetween is the set of all keys from first to last.
func setBetween(first, last key) keySet { return 1<<(last+1) - 1<<first }

func (s keySet) has(k key) bool { return s&(1<<(k&63)) != 0 }

var headerKeys = setBetween(keyKind, keySeq)

// keysOf holds, for every kind of record, the keys that are ours in it.
var keysOf = [...]keySet{
	kindOther:  0,
	kindSpan:   headerKeys | setBetween(keySpanID, keyError),
	kindTurn:   headerKeys | setBetween(keyTurnID, keyUnread) | setOf(keyStartedAt, keyEndedAt, keyError, keyModelContextLimitTokens),
	kindGap:    headerKeys | setBetween(keyFromSeq, keyCount) | setOf(keyError),
	kindRunEnd: headerKeys | setBetween(keySpans, keyGaps),
}

// tellingKeys make a tool span of a record that has neither kind nor name
// (RECORDS, Verdict of a run).
var tellingKeys = setOf(keyObservedBytes, keyInjectedBytes, keyInjectedTokens,
	keyClipReason, keySHA256Observed, keySHA256Injected)
