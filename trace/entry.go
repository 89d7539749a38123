package trace

import (
	"math"

	"github.com/clipspan/clipspan"
)

// entry is what a checker remembers of a span, 104 bytes without a pointer: a
// million spans are 100 MB that no garbage collection has to look into.
type entry struct {
	idHi, idLo         uint64
	injectedHi         uint64 // digest of the injected text
	injectedLo         uint64
	observed, injected int64  // bytes
	seq                int64  // 0 = absent
	content            uint64 // hash of the record apart from seq
	parent, call       uint64 // hashes of ids, 0 = absent

	tokens  uint32 // injected tokens, at most 2^32-1
	line    uint32
	class   uint32 // index of a class
	details detailSet

	flags          entryFlags
	idForm         idForm
	injectedDigits uint8
	verdict        uint8
	ratio          uint8 // percent
	reason         uint8 // index in reasons
}

type entryFlags uint16

const (
	flagObserved   entryFlags = 1 << iota // the count is known
	flagInjected                          // the count is known
	flagFinal                             // status ok, error or absent
	flagSource                            // has a source: not of Wrap
	flagComputed                          // its two hashes were compared by the library
	flagTokens                            // the count is known
	flagTokenizer                         // … and made by a named tokenizer
	flagNoticed                           // notice is true
	flagNotNoticed                        // notice is false
	flagSuperseded                        // another record of the span counts
	flagDelivered                         // a turn delivered it
	flagVerified                          // … as it was injected
)

// class is what many spans share. In a batch group is the word of the run id.
type class struct {
	group         uint32
	name, version word
	text          word // what one detail varies in: a status, a renderer, a reason outside the enum
	scheme        word // of the injected text's hash
}

var reasons = [...]clipspan.ClipReason{
	clipspan.ReasonUndeclared, clipspan.ReasonNone, clipspan.ReasonPromptTokenCap,
	clipspan.ReasonToolResultCharLimit, clipspan.ReasonProviderContextWindow,
	clipspan.ReasonRedaction, clipspan.ReasonBinaryOmitted,
}

// reasonOutside stands for a reason that is not in the enum.
const reasonOutside = uint8(len(reasons))

func reasonIndex(r clipspan.ClipReason) uint8 {
	for i, known := range reasons {
		if known == r {
			return uint8(i)
		}
	}
	return reasonOutside
}

func (e *entry) id() id { return id{e.idHi, e.idLo, e.idForm} }

func (e *entry) digest() digest { return digest{e.injectedHi, e.injectedLo, e.injectedDigits} }

func (e *entry) is(flag entryFlags) bool { return e.flags&flag != 0 }

func (e *entry) mark(flag entryFlags) { e.flags |= flag }

// worsen gives the span a further detail and, if it is worse, a verdict: a rule
// of a run never improves one (RECORDS, Verdict of a run).
func (e *entry) worsen(v clipspan.Verdict, d detailSet) {
	e.verdict = min(e.verdict, uint8(v))
	e.details |= d
}

// flagIf is flag if it holds, else none.
func flagIf(holds bool, flag entryFlags) entryFlags {
	if holds {
		return flag
	}
	return 0
}

// pack judges a span by itself and packs it. What is common to many goes into
// the class, by words of the decoder's table.
func pack(s *clipspan.Span, facts *spanFacts, seeds *seeds, words *wordTable) (entry, class) {
	found := clipspan.Classify(s)
	e := entry{
		observed: s.ObservedBytes.Or(0), injected: s.InjectedBytes.Or(0), seq: s.Seq,
		parent: facts.parent, call: facts.call,
		tokens:  uint32(min(s.InjectedTokens.Or(0), math.MaxUint32)),
		verdict: uint8(found.Verdict), reason: reasonIndex(s.ClipReason),
	}
	id, hash := facts.span, seeds.digest(s.SHA256Injected)
	e.idHi, e.idLo, e.idForm = id.hi, id.lo, id.form
	e.injectedHi, e.injectedLo, e.injectedDigits = hash.hi, hash.lo, hash.digits
	e.details, e.ratio = detailsOf(found)
	if s.Name == "" {
		e.worsen(clipspan.VerdictIncomplete, detailName)
	}
	e.flags = flagIf(s.ObservedBytes.Known(), flagObserved) |
		flagIf(s.InjectedBytes.Known(), flagInjected) |
		flagIf(s.Status.Final(), flagFinal) |
		flagIf(s.Source != "", flagSource) |
		flagIf(s.Version != 0 && !s.SHA256Observed.IsZero() && !s.SHA256Injected.IsZero(), flagComputed) |
		flagIf(s.InjectedTokens.Known(), flagTokens) |
		flagIf(s.TokenSource.Tokenizer() != "", flagTokenizer) |
		flagIf(s.Notice == clipspan.NoticeGiven, flagNoticed) |
		flagIf(s.Notice == clipspan.NoticeMissing, flagNotNoticed)
	c := class{group: uint32(facts.run), name: facts.name, version: facts.version}
	c.text = words.ofString(e.varying(s))
	c.scheme = words.ofString(s.SHA256Injected.Scheme())
	return e, c
}

// varying is the text that a detail of the span, or else its reason, varies in.
func (e *entry) varying(s *clipspan.Span) string {
	switch {
	case e.details&detailStatus != 0:
		return string(s.Status)
	case e.details&detailRender != 0:
		return s.Render
	case e.reason == reasonOutside:
		return string(s.ClipReason)
	default:
		return ""
	}
}

// detailTexts are the details of a span. text is that of its class.
func (e *entry) detailTexts(text string) []string {
	return e.details.texts(func(d detailSet) string {
		switch d {
		case detailStatus:
			return statusPrefix + text
		case detailRender:
			return renderPrefix + text
		case detailReason:
			return string(reasons[e.reason])
		default:
			return ratioTexts[e.ratio]
		}
	})
}

// clipReason is the reason that the span gives.
func (e *entry) clipReason(text string) clipspan.ClipReason {
	switch {
	case e.reason != reasonOutside:
		return reasons[e.reason]
	case e.details&(detailStatus|detailRender) != 0:
		return "unknown"
	default:
		return clipspan.ClipReason(text)
	}
}

func (e *entry) evidence() clipspan.Evidence {
	switch {
	case e.is(flagVerified):
		return clipspan.EvidenceVerified
	case e.is(flagComputed):
		return clipspan.EvidenceComputed
	default:
		return clipspan.EvidenceClaimed
	}
}

// unknown reports whether the span counts as unknown (RECORDS, Verdict of a run).
func (e *entry) unknown() bool {
	return e.is(flagSource) && e.details == detailObservedBytes
}

// notice is what the span says about a notice in its text.
func (e *entry) notice() clipspan.Notice {
	switch {
	case e.is(flagNoticed):
		return clipspan.NoticeGiven
	case e.is(flagNotNoticed):
		return clipspan.NoticeMissing
	default:
		return clipspan.NoticeUnknown
	}
}

// countIf is a count that is known if the span has the flag.
func (e *entry) countIf(flag entryFlags, n int64) clipspan.Count {
	if e.is(flag) {
		return clipspan.Known(n)
	}
	return clipspan.Count{}
}
