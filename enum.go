package clipspan

// ClipReason says which policy made the injected text differ from the observed
// one (RECORDS, Tool span). It is a closed enum. The empty value means that
// nobody declared anything, which is not the same as [ReasonNone].
type ClipReason string

// The closed values of ClipReason.
const (
	ReasonUndeclared            ClipReason = ""
	ReasonNone                  ClipReason = "none"
	ReasonPromptTokenCap        ClipReason = "prompt_token_cap"
	ReasonToolResultCharLimit   ClipReason = "tool_result_char_limit"
	ReasonProviderContextWindow ClipReason = "provider_context_window"
	ReasonRedaction             ClipReason = "redaction"
	ReasonBinaryOmitted         ClipReason = "binary_omitted"
)

// Known reports whether r is a value of the enum, [ReasonNone] included.
func (r ClipReason) Known() bool { return r == ReasonNone || r.Declared() }

// Declared reports whether r admits a change: it is a value of the enum other
// than [ReasonNone].
func (r ClipReason) Declared() bool {
	switch r {
	case ReasonPromptTokenCap, ReasonToolResultCharLimit, ReasonProviderContextWindow,
		ReasonRedaction, ReasonBinaryOmitted:
		return true
	default:
		return false
	}
}

// Status says how a tool call ended.
type Status string

// The values of Status. The empty value is read as [StatusOK].
const (
	StatusOK         Status = "ok"
	StatusError      Status = "error"      // the tool failed; its error text is what was observed
	StatusIncomplete Status = "incomplete" // partial, cancelled, panicked or never injected
)

// Final reports whether s ends a call: ok, error or absent.
func (s Status) Final() bool { return s == "" || s == StatusOK || s == StatusError }

// TokenSource says how a token count was made.
type TokenSource string

// The values of TokenSource besides those that [TokenizerSource] makes.
const (
	TokensFromProvider TokenSource = "provider"
	TokensEstimated    TokenSource = "estimate"
)

const tokenizerPrefix = "tokenizer:"

// TokenizerSource is the source of counts made by the named tokenizer, such as
// "o200k_base".
func TokenizerSource(name string) TokenSource { return TokenSource(tokenizerPrefix + name) }

// Exact reports whether counts of this source come from the provider or from a
// named tokenizer. No verdict rests on counts that are not exact.
func (s TokenSource) Exact() bool { return s == TokensFromProvider || s.Tokenizer() != "" }

// Tokenizer is the name in a source made by [TokenizerSource], or "".
func (s TokenSource) Tokenizer() string {
	if len(s) > len(tokenizerPrefix) && s[:len(tokenizerPrefix)] == tokenizerPrefix {
		return string(s[len(tokenizerPrefix):])
	}
	return ""
}

// Notice says whether the injected text tells the model that something is
// missing. It changes no verdict.
type Notice uint8

// The values of Notice; the zero value is not recorded.
const (
	NoticeUnknown Notice = iota
	NoticeGiven
	NoticeMissing
)

// NoticeOf is [NoticeGiven] if told, else [NoticeMissing].
func NoticeOf(told bool) Notice {
	if told {
		return NoticeGiven
	}
	return NoticeMissing
}

// CapUnit is the unit in which a limit counts.
type CapUnit string

// The values of CapUnit.
const (
	CapBytes  CapUnit = "bytes"
	CapChars  CapUnit = "chars"
	CapTokens CapUnit = "tokens"
	CapLines  CapUnit = "lines"
)
