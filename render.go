package clipspan

import "strings"

// losslessRender is the renderer that can't lose anything by its construction:
// a value as canonical JSON (RECORDS, Tool span).
const losslessRender = "json/1"

// lossless reports whether nothing of the observed text can be missing from its
// rendered form: every observed line, in order, is a prefix or a suffix of a
// rendered line (RECORDS, Tool span).
func lossless(observed, rendered string) bool {
	for observed != "" {
		line, rest, _ := strings.Cut(observed, "\n")
		observed = rest
		found := false
		for !found && rendered != "" {
			var candidate string
			candidate, rendered, _ = strings.Cut(rendered, "\n")
			found = strings.HasPrefix(candidate, line) || strings.HasSuffix(candidate, line)
		}
		if !found {
			return false
		}
	}
	return true
}
