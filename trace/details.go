package trace

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/clipspan/clipspan"
)

// detailSet holds the details of a finding, one bit each, in the order in which
// they are told. Joining the details of several rules is a plain or.
type detailSet uint32

const (
	detailObservedBytes detailSet = 1 << iota
	detailInjectedBytes
	detailInjectedTokens
	detailStatus // status=…
	detailKeptBytes
	detailRenderedBytes
	detailSHA256Rendered
	detailHashScheme
	detailSHA256Observed
	detailSHA256Injected
	detailClipReason
	detailReason // the declared reason
	detailRender // render=…
	detailRatio  // ratio=…
	detailUnknownReason
	detailLength
	detailDeclaredUnchanged
	detailDecorated
	detailName
	detailConflict
	detailDuplicateCall
	detailWire
	detailNotDelivered
	detailNoSpan
	detailProviderWindow
)

const (
	ratioPrefix  = "ratio="
	statusPrefix = "status="
	renderPrefix = "render="
)

// detailNames has the texts of details, "" for those that vary.
var detailNames = [...]string{
	"observed_bytes", "injected_bytes", "injected_tokens", "", "kept_bytes", "rendered_bytes",
	"sha256_rendered", "hash_scheme", "sha256_observed", "sha256_injected", "clip_reason", "", "", "",
	"unknown_reason", "length", "declared_unchanged", "decorated", "name", "conflicting_records",
	"duplicate_tool_call_id", "wire", "not_delivered", "no_span", "provider_context_window",
}

// ratioTexts has the details from "ratio=0.00" to "ratio=1.00".
var ratioTexts = func() (texts [101]string) {
	for i := range texts {
		texts[i] = fmt.Sprintf("%s%d.%02d", ratioPrefix, i/100, i%100)
	}
	return texts
}()

// detailsOf packs the details of [clipspan.Classify], with the ratio in percent.
func detailsOf(f clipspan.Finding) (set detailSet, ratio uint8) {
	for _, text := range f.Detail {
		switch {
		case strings.HasPrefix(text, ratioPrefix):
			set |= detailRatio
			digits := text[len(ratioPrefix):] // such as 0.88
			ratio = (digits[0]-'0')*100 + (digits[2]-'0')*10 + digits[3] - '0'
		case strings.HasPrefix(text, statusPrefix):
			set |= detailStatus
		case strings.HasPrefix(text, renderPrefix):
			set |= detailRender
		case clipspan.ClipReason(text).Declared():
			set |= detailReason
		default:
			set |= detailNamed(text)
		}
	}
	return set, ratio
}

func detailNamed(text string) detailSet {
	for i, name := range detailNames {
		if name == text {
			return 1 << i
		}
	}
	return 0
}

// texts unpacks the details. The texts of those that vary are vary's.
func (s detailSet) texts(vary func(detailSet) string) []string {
	if s == 0 {
		return nil
	}
	list := make([]string, 0, bits.OnesCount32(uint32(s)))
	for i, name := range detailNames {
		d := detailSet(1) << i
		switch {
		case s&d == 0:
		case name != "":
			list = append(list, name)
		default:
			list = append(list, vary(d))
		}
	}
	return list
}
