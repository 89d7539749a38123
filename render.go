package clipspan

import (
	"slices"
	"strings"
)

// losslessRender is the renderer that can't lose anything by its construction:
// a value as canonical JSON (RECORDS, Tool span).
const losslessRender = "json/1"

// lossless reports whether nothing of what was observed can be missing from its
// rendered form: every observed line, in order, is a prefix or a suffix of a
// rendered line (RECORDS, Tool span), and so are the data of parts, unchanged.
func lossless(observed, rendered content) bool {
	rest := rendered.texts()
	for _, text := range observed.list() {
		ok := false
		if rest, ok = afterLines(rest, text); !ok {
			return false
		}
	}
	return slices.EqualFunc(observed.data(), rendered.data(), slices.Equal[[]byte])
}

// afterLines is what of a rendered text stands behind the lines of an observed one.
func afterLines(rendered, observed string) (rest string, ok bool) {
	for observed != "" {
		line, next, _ := strings.Cut(observed, "\n")
		observed = next
		found := false
		for !found && rendered != "" {
			var candidate string
			candidate, rendered, _ = strings.Cut(rendered, "\n")
			found = strings.HasPrefix(candidate, line) || strings.HasSuffix(candidate, line)
		}
		if !found {
			return "", false
		}
	}
	return rendered, true
}
