package trace

import "fmt"

// Damage says in what way a trace is damaged (RECORDS, Verdict of a run). Any
// damage makes it untrustworthy.
type Damage string

// The kinds of damage. The first five are of one line, the others of a run.
const (
	DamageTorn     Damage = "torn"      // the last line breaks off: its writer died
	DamageSyntax   Damage = "syntax"    // the line is not JSON
	DamageUTF8     Damage = "utf8"      // the line is not UTF-8
	DamageNoObject Damage = "no_object" // the line is JSON, but no object
	DamageKey      Damage = "key"       // a key stands twice, or in another letter case
	DamageSeqHole  Damage = "seq_hole"  // records are missing between two others
	DamageSeqTwice Damage = "seq_twice" // two different records have one position
	DamageGap      Damage = "gap"       // the writer says that records were lost
	DamageRunEnd   Damage = "run_end"   // the writer counted other records than were read
)

// LineError is a line that could not be read. Reading goes on with the next one.
type LineError struct {
	File   string // the name given to [Read]
	Line   int    // from 1
	Damage Damage
	Msg    string // what is wrong, without file and line
}

// Error implements error.
func (e *LineError) Error() string {
	return fmt.Sprintf("%s:%d: %s: %s", e.File, e.Line, e.Damage, e.Msg)
}
