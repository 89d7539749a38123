package tokens

// script is what the letters or symbols of one stretch of Unicode cost.
type script struct {
	first    rune  // where the stretch begins; it ends where the next one begins
	bits     uint8 // a letter's surprise, or a symbol's cost
	unjoined uint8 // what a word costs on top if no space is before it
	letters  bool
}

// scripts covers Unicode above ASCII, in ascending order. How well the vocabulary
// knows a language differs much within one script; the larger ones were preferred.
// Words of scripts that write without spaces cost the same with and without one.
var scripts = [...]script{
	{first: 0x0080, bits: 16},                              // Latin-1 signs
	{first: 0x00C0, bits: 20, unjoined: 5, letters: true},  // Latin-1 letters
	{first: 0x0100, bits: 20, unjoined: 5, letters: true},  // Polish, Czech, Turkish, ...
	{first: 0x0180, bits: 12, unjoined: 5, letters: true},  // Vietnamese, ...
	{first: 0x0250, bits: 24, unjoined: 5, letters: true},  // phonetic
	{first: 0x0300, bits: 20, letters: true},               // combining marks
	{first: 0x0370, bits: 6, unjoined: 16, letters: true},  // Greek
	{first: 0x0400, bits: 30, unjoined: 16, letters: true}, // Cyrillic, not Russian
	{first: 0x0410, bits: 3, unjoined: 16, letters: true},  // Cyrillic
	{first: 0x0450, bits: 30, unjoined: 16, letters: true}, // Cyrillic, not Russian
	{first: 0x0530, bits: 5, unjoined: 16, letters: true},  // Armenian
	{first: 0x0590, bits: 6, unjoined: 16, letters: true},  // Hebrew
	{first: 0x0600, bits: 5, unjoined: 16, letters: true},  // Arabic
	{first: 0x0700, bits: 32, letters: true},               // Syriac, Thaana, N'Ko, ...
	{first: 0x0900, bits: 5, unjoined: 16, letters: true},  // Devanagari
	{first: 0x0980, bits: 6, unjoined: 16, letters: true},  // Bengali
	{first: 0x0A00, bits: 10, unjoined: 16, letters: true}, // Gurmukhi
	{first: 0x0A80, bits: 6, unjoined: 16, letters: true},  // Gujarati
	{first: 0x0B00, bits: 17, unjoined: 16, letters: true}, // Odia
	{first: 0x0B80, bits: 6, unjoined: 16, letters: true},  // Tamil
	{first: 0x0C00, bits: 8, unjoined: 16, letters: true},  // Telugu, Kannada
	{first: 0x0D00, bits: 5, unjoined: 16, letters: true},  // Malayalam
	{first: 0x0D80, bits: 9, unjoined: 16, letters: true},  // Sinhala
	{first: 0x0E00, bits: 7, letters: true},                // Thai
	{first: 0x0E80, bits: 28, letters: true},               // Lao, Tibetan
	{first: 0x1000, bits: 9, letters: true},                // Burmese
	{first: 0x10A0, bits: 5, unjoined: 16, letters: true},  // Georgian
	{first: 0x1100, bits: 32, letters: true},               // Ethiopic and others
	{first: 0x1780, bits: 9, letters: true},                // Khmer
	{first: 0x1800, bits: 48, letters: true},               // Mongolian and others
	{first: 0x1E00, bits: 1, unjoined: 5, letters: true},   // Vietnamese
	{first: 0x1F00, bits: 32, unjoined: 16, letters: true}, // ancient Greek
	{first: 0x2000, bits: 16},                              // dashes, quotes, arrows, box drawing, ...
	{first: 0x2C00, bits: 48, letters: true},               // Tifinagh and others
	{first: 0x2E80, bits: 16},                              // ideographic punctuation
	{first: 0x3041, bits: 13, letters: true},               // Hiragana
	{first: 0x30A0, bits: 7, letters: true},                // Katakana
	{first: 0x3100, bits: 16},                              // enclosed ideographs, ...
	{first: 0x3400, bits: 32, letters: true},               // rare Han
	{first: 0x4E00, bits: 12, letters: true},               // Han
	{first: 0xA000, bits: 48, letters: true},               // Yi and others
	{first: 0xAC00, bits: 11, letters: true},               // Hangul
	{first: 0xD7B0, bits: 48},                              // private use
	{first: 0xF900, bits: 32, letters: true},               // compatibility Han
	{first: 0xFB00, bits: 16, letters: true},               // Arabic and Hebrew presentation forms
	{first: 0xFE00, bits: 8},                               // variation selectors
	{first: 0xFE10, bits: 16},                              // CJK compatibility forms
	{first: 0xFE70, bits: 16, letters: true},               // Arabic presentation forms
	{first: 0xFF00, bits: 16},                              // full width, U+FFFD
	{first: 0x10000, bits: 64, letters: true},              // ancient and rare scripts
	{first: 0x1F000, bits: 36},                             // emoji
	{first: 0x20000, bits: 48, letters: true},              // rarest Han
	{first: 0x40000, bits: 48},                             // unassigned, private use
}

// scriptOf is the stretch of Unicode that r is in. What cannot be decoded is
// U+FFFD here, as it is on its way to a provider.
func scriptOf(r rune) script {
	low, high := 0, len(scripts)
	for high-low > 1 {
		if mid := (low + high) / 2; scripts[mid].first <= r {
			low = mid
		} else {
			high = mid
		}
	}
	return scripts[low]
}
