package tokens

import "unicode/utf8"

// word is the size and the cost of the word that text begins with: capitals,
// then other letters. Above ASCII nothing counts as a capital.
func word(text string, joined bool) (size int, bits int64) {
	size, bits = capitals(text)
	for size < len(text) {
		n, b := smallLetters(text, size)
		size, bits = size+n, bits+b
		if n, b = foreignLetters(text[size:]); n == 0 {
			break
		}
		size, bits = size+n, bits+b
	}
	if end := text[size-1]; size > 2 && end < utf8.RuneSelf && foreignEnds>>(end&31)&1 != 0 {
		bits += endBits
	}
	if !joined && size > 1 {
		bits += unjoined(text)
	}
	return size, tokenBits + max(0, bits-knownBits)
}

// foreignEnds has a bit for each of the letters a, i, k, o and u, in which few
// English words end.
const foreignEnds = 1<<('a'&31) | 1<<('i'&31) | 1<<('k'&31) | 1<<('o'&31) | 1<<('u'&31)

// unjoined is what the word that text begins with costs on top because it stands
// alone.
func unjoined(text string) (bits int64) {
	if text[0] < utf8.RuneSelf {
		return unjoinedBits
	}
	r, _ := utf8.DecodeRuneInString(text)
	return int64(scriptOf(r).unjoined)
}

// capitals is the size and the surprise of the capitals that text begins with.
func capitals(text string) (size int, bits int64) {
	for prev := byte(0); size < len(text) && isUpper(text[size]); size++ {
		bits += int64(pairBits[prev&31][text[size]&31])
		prev = text[size]
	}
	if size < 2 {
		return size, bits
	}
	bits += int64(size-1) * capitalBits
	if size < len(text) && isLower(text[size]) {
		bits += caseBits
	}
	return size, bits
}

// smallLetters is the size and the surprise of the small ASCII letters at
// text[from], which may have another letter before them.
func smallLetters(text string, from int) (size int, bits int64) {
	prev := byte(0)
	if from > 0 && text[from-1] < utf8.RuneSelf {
		prev = text[from-1]
	}
	i := from
	for ; i < len(text) && isLower(text[i]); i++ {
		bits += int64(pairBits[prev&31][text[i]&31])
		prev = text[i]
	}
	return i - from, bits
}

// foreignLetters is the size and the surprise of the letters above ASCII that
// text begins with. From the third on, the same letter is a token each time.
func foreignLetters(text string) (size int, bits int64) {
	last, count := rune(0), 0
	for size < len(text) && text[size] >= utf8.RuneSelf {
		r, n := utf8.DecodeRuneInString(text[size:])
		s := scriptOf(r)
		if !s.letters {
			break
		}
		if r != last {
			last, count = r, 0
		}
		if count++; count > 2 {
			bits += tokenBits
		} else {
			bits += int64(s.bits)
		}
		size += n
	}
	return size, bits
}
