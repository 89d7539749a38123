package cli

import (
	"iter"

	"github.com/clipspan/clipspan/trace"
)

// damagedLines is how many damaged lines of a file are listed: one that is no
// trace has nothing else.
const damagedLines = 5

// folded yields findings, worst first, but only the first damaged lines of every
// file, and after all damage how many more of each kind there are.
func folded(worst iter.Seq[trace.Finding]) iter.Seq[trace.Finding] {
	type kind struct {
		file   string
		damage trace.Damage
	}
	return func(yield func(trace.Finding) bool) {
		listed := map[string]int{} // by file
		hidden := map[kind]int{}
		var kinds []kind // those of hidden, in order
		tellHidden := func() bool {
			for _, k := range kinds {
				text := "… and " + plural(hidden[k], "more damaged line", "more damaged lines")
				if !yield(trace.Finding{Subject: trace.SubjectDamage, File: k.file, Damage: k.damage, Detail: []string{text}}) {
					return false
				}
			}
			kinds = nil
			return true
		}
		for f := range worst {
			k := kind{f.File, f.Damage}
			switch {
			case f.Subject != trace.SubjectDamage:
				if !tellHidden() {
					return
				}
			case f.Line == 0:
			case listed[f.File] < damagedLines:
				listed[f.File]++
			default:
				if hidden[k] == 0 {
					kinds = append(kinds, k)
				}
				hidden[k] += f.Lines
				continue
			}
			if !yield(f) {
				return
			}
		}
		tellHidden()
	}
}
