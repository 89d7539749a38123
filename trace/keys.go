package trace

import "strings"

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
)

// keyOf is a switch because the compiler makes of it what a table of perfect
// hashes would be: this runs for every member of every line.
func keyOf(name []byte) key {
	switch string(name) {
	case "kind":
		return keyKind
	case "v":
		return keyVersion
	case "run_id":
		return keyRunID
	case "seq":
		return keySeq
	case "span_id":
		return keySpanID
	case "parent_id":
		return keyParentID
	case "name":
		return keyName
	case "status":
		return keyStatus
	case "observed_bytes":
		return keyObservedBytes
	case "injected_bytes":
		return keyInjectedBytes
	case "injected_tokens":
		return keyInjectedTokens
	case "clip_reason":
		return keyClipReason
	case "sha256_observed":
		return keySHA256Observed
	case "sha256_injected":
		return keySHA256Injected
	case "injected_preview":
		return keyInjectedPreview
	case "prompt_builder_version":
		return keyPromptBuilderVersion
	case "model_context_limit_tokens":
		return keyModelContextLimitTokens
	case "source":
		return keySource
	case "tool_call_id":
		return keyToolCallID
	case "sha256_args":
		return keySHA256Args
	case "trace_id":
		return keyTraceID
	case "otel_span_id":
		return keyOTelSpanID
	case "started_at":
		return keyStartedAt
	case "ended_at":
		return keyEndedAt
	case "token_source":
		return keyTokenSource
	case "kept_bytes":
		return keyKeptBytes
	case "kept_ranges":
		return keyKeptRanges
	case "added_bytes":
		return keyAddedBytes
	case "notice":
		return keyNotice
	case "rendered_bytes":
		return keyRenderedBytes
	case "sha256_rendered":
		return keySHA256Rendered
	case "render":
		return keyRender
	case "render_lossless":
		return keyRenderLossless
	case "stages":
		return keyStages
	case "cap_unit":
		return keyCapUnit
	case "cap_value":
		return keyCapValue
	case "media_type":
		return keyMediaType
	case "parts_observed":
		return keyPartsObserved
	case "parts_injected":
		return keyPartsInjected
	case "error":
		return keyError
	case "turn_id":
		return keyTurnID
	case "conversation":
		return keyConversation
	case "extends":
		return keyExtends
	case "provider":
		return keyProvider
	case "model":
		return keyModel
	case "request_bytes":
		return keyRequestBytes
	case "http_status":
		return keyHTTPStatus
	case "stop_reason":
		return keyStopReason
	case "input_tokens":
		return keyInputTokens
	case "output_tokens":
		return keyOutputTokens
	case "reasoning":
		return keyReasoning
	case "truncation":
		return keyTruncation
	case "provider_edits":
		return keyProviderEdits
	case "delivered":
		return keyDelivered
	case "evicted":
		return keyEvicted
	case "not_visible":
		return keyNotVisible
	case "unread":
		return keyUnread
	case "from_seq":
		return keyFromSeq
	case "to_seq":
		return keyToSeq
	case "count":
		return keyCount
	case "spans":
		return keySpans
	case "turns":
		return keyTurns
	case "gaps":
		return keyGaps
	default:
		return keyNone
	}
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

func (s keySet) has(k key) bool { return s&(1<<k) != 0 }

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

// foldKey is name in lower case, as encoding/json compares keys: two letters
// beyond ASCII fold to ASCII ones.
func foldKey(name string) string {
	return strings.NewReplacer("ſ", "s", "\u212a", "k").Replace(strings.ToLower(name))
}
