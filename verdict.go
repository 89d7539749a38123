package clipspan

import "fmt"

// Verdict is what a record was judged to be (RECORDS, Verdict of one span). The
// zero value means not judged.
type Verdict uint8

// The five verdicts, worst first. The first three make a trace untrustworthy.
const (
	VerdictSilentClip Verdict = iota + 1
	VerdictIncomplete
	VerdictHashMismatch
	VerdictClipped
	VerdictOK
)

// Verdicts lists all verdicts, worst first.
func Verdicts() []Verdict {
	return []Verdict{VerdictSilentClip, VerdictIncomplete, VerdictHashMismatch, VerdictClipped, VerdictOK}
}

var verdictNames = [...]string{"", "silent_clip", "incomplete", "hash_mismatch", "clipped", "ok"}

// String is the verdict's name in traces and reports, or "" for no verdict.
func (v Verdict) String() string {
	if int(v) < len(verdictNames) {
		return verdictNames[v]
	}
	return fmt.Sprintf("Verdict(%d)", uint8(v))
}

// Trusted reports whether a trace with this verdict may be relied upon: it is
// ok, or it was cut and says so.
func (v Verdict) Trusted() bool { return v == VerdictClipped || v == VerdictOK }

// Worse reports whether v is a worse verdict than other.
func (v Verdict) Worse(other Verdict) bool { return v < other }

// MarshalText implements [encoding.TextMarshaler].
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (v *Verdict) UnmarshalText(text []byte) error {
	for i, name := range verdictNames {
		if name == string(text) {
			*v = Verdict(i)
			return nil
		}
	}
	return fmt.Errorf("unknown verdict %q", text)
}

// Evidence says what a finding rests on, weakest first.
type Evidence uint8

// The kinds of evidence (RECORDS, Verdict of a run).
const (
	EvidenceClaimed  Evidence = iota // someone's record says so
	EvidenceComputed                 // the library compared the two texts itself
	EvidenceVerified                 // the request body that left the process was read
)

var evidenceNames = [...]string{"claimed", "computed", "verified"}

// String is the evidence's name in reports.
func (e Evidence) String() string {
	if int(e) < len(evidenceNames) {
		return evidenceNames[e]
	}
	return fmt.Sprintf("Evidence(%d)", uint8(e))
}

// MarshalText implements [encoding.TextMarshaler].
func (e Evidence) MarshalText() ([]byte, error) { return []byte(e.String()), nil }
