package cli

import (
	"strconv"
	"strings"

	"github.com/clipspan/clipspan"
)

// phrases are the words of --fail-on in those of people, for one and for many.
var phrases = map[string][2]string{
	wordSilent:                            {"silent clip", "silent clips"},
	clipspan.VerdictIncomplete.String():   {"incomplete record", "incomplete records"},
	clipspan.VerdictHashMismatch.String(): {"hash mismatch", "hash mismatches"},
	clipspan.VerdictClipped.String():      {"declared clip", "declared clips"},
	wordDamage:                            {"sign of damage", "signs of damage"},
	wordUnknown:                           {"result of unknown size", "results of unknown size"},
	wordNote:                              {"note", "notes"},
}

// phrase is a number of findings in words.
func phrase(word string, n int) string {
	return plural(n, phrases[word][0], phrases[word][1])
}

// phraseAll is phrase for each of the words that has a number.
func phraseAll(words []string, counts map[string]int) (list []string) {
	for _, w := range words {
		if counts[w] > 0 {
			list = append(list, phrase(w, counts[w]))
		}
	}
	return list
}

func plural(n int, one, many string) string {
	if n == 1 {
		many = one
	}
	return strconv.Itoa(n) + " " + many
}

// twoDigits is x with at most two digits after the point.
func twoDigits(x float64) string {
	text := strconv.FormatFloat(x, 'f', 2, 64)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}
