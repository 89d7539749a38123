package builder

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/clipspan/clipspan/internal/rawjson"
)

// itemNotice is the text that stands for items, members or the rest of a string
// that are dropped: how many, of how many, and from where to where in the text.
type itemNotice func(lost, total int, unit string, from, to int) string

const (
	unitItems   = "items"
	unitMembers = "members"
)

// deepestFit is how deep a fit looks for something to drop. What is nested deeper
// goes or stays as a whole.
const deepestFit = 64

// fitJSON says what to replace in a JSON text so that it has at most limit bytes
// and still parses. told is whether all that goes is replaced by a notice.
func fitJSON(text string, whole jsonValue, limit int, notice itemNotice) (list []replacement, told bool) {
	if len(text) <= limit {
		return nil, true
	}
	f := jsonFit{text: text}
	f.drop(0, whole.from, "")
	f.drop(whole.to, len(text), "")
	if whole.size() <= limit {
		return f.list, false
	}
	for _, notice := range []itemNotice{notice, nil} {
		if f.putting(notice) && f.value(whole, limit, 0) {
			slices.SortFunc(f.list, func(a, b replacement) int { return cmp.Compare(a.from, b.from) })
			return f.list, notice != nil
		}
	}
	return []replacement{{0, len(text), ""}}, false
}

// jsonFit makes a text fit. Its methods are told how many bytes a value may take,
// which is fewer than it has; they answer false, and have changed nothing, if not
// even its brackets and a notice have room.
type jsonFit struct {
	text   string
	notice itemNotice // nil: none is put
	room   int        // that a notice takes at most, as a JSON string
	list   []replacement
}

// putting sets the notice and how much room to keep for one: for that with the
// largest numbers that there can be. It is false if the notice is empty.
func (f *jsonFit) putting(notice itemNotice) bool {
	f.notice, f.room = notice, 0
	if notice == nil {
		return true
	}
	n := len(f.text)
	longest := notice(n, n, unitMembers, n, n)
	f.room = len(quoted(longest))
	return longest != ""
}

func (f *jsonFit) drop(from, to int, text string) {
	if from < to {
		f.list = append(f.list, replacement{from, to, text})
	}
}

func (f *jsonFit) value(v jsonValue, limit, depth int) bool {
	switch {
	case depth == deepestFit:
		return false
	case f.text[v.from] == '[':
		return f.array(v, limit, depth)
	case f.text[v.from] == '{':
		return f.object(v, limit, depth)
	case f.text[v.from] == '"':
		return f.string(v, limit)
	default:
		return false
	}
}

// array keeps items from the front. The first that is too large is fitted itself if
// those before it leave half of the room or more.
func (f *jsonFit) array(v jsonValue, limit, depth int) bool {
	end := spaceStart(f.text, v.to-1) // of the last item
	most := limit - (v.to - end) - f.room
	var large jsonItem // the last item that a notice can stand in the place of
	kept, total := -1, 0
	for item := range jsonItems(f.text, v) {
		if item.from-v.from <= most {
			large, kept = item, total
		}
		total++
	}
	if kept < 0 {
		return false
	}
	begin := large.from
	if half := begin-v.from <= limit/2; half && f.first(v, large, kept+1 == total, limit, depth) {
		if kept++; kept == total {
			return true
		}
		begin = spaceEnd(f.text, spaceEnd(f.text, large.value.to)+1)
	}
	text := f.word(total-kept, total, unitItems, begin, end)
	if text == "" && kept > 0 { // the comma goes too
		begin = spaceStart(f.text, begin)
		begin = spaceStart(f.text, begin-1)
	}
	f.drop(begin, end, text)
	return true
}

// first fits an item of an array, behind which there is a notice unless it is the
// last one.
func (f *jsonFit) first(v jsonValue, item jsonItem, last bool, limit, depth int) bool {
	end := spaceStart(f.text, v.to-1)
	limit -= item.from - v.from + v.to - end
	if !last {
		next := spaceEnd(f.text, spaceEnd(f.text, item.value.to)+1)
		limit -= next - item.value.to + f.room
	}
	return f.value(item.value, limit, depth+1)
}

// string keeps the beginning of a string, up to a character and not within an
// escape.
func (f *jsonFit) string(v jsonValue, limit int) bool {
	for room := max(f.room-len(`""`), 0); ; {
		end := f.prefix(v, limit-room-len(`"`))
		if end == v.from {
			return false
		}
		notice := f.word(1, 1, unitBytes, end, v.to-1)
		notice = strings.TrimSuffix(strings.TrimPrefix(notice, `"`), `"`)
		if len(notice) <= room {
			f.drop(end, v.to-1, notice)
			return true
		}
		room = len(notice)
	}
}

// prefix is the end of a string's longest beginning of at most size bytes, which is
// not all of it. It is the string's begin if not even the quote has room.
func (f *jsonFit) prefix(v jsonValue, size int) (end int) {
	end = v.from
	for at := v.from + 1; at < v.to-1 && at-v.from <= size; {
		end = at
		at += characterSize(f.text[at:])
	}
	return end
}

// word is a notice as a JSON string, or nothing where there are none.
func (f *jsonFit) word(lost, total int, unit string, from, to int) string {
	if f.notice == nil {
		return ""
	}
	return quoted(f.notice(lost, total, unit, from, to))
}

func quoted(text string) string { return string(rawjson.AppendString(nil, text)) }

// fairShare is the most that one of several may take so that together they take at
// most room: the small ones take what they need (max-min fairness). It reorders
// the needs.
func fairShare(needs []int, room int) int {
	slices.Sort(needs)
	for i, need := range needs {
		if share := room / (len(needs) - i); need > share {
			return share
		}
		room -= need
	}
	return math.MaxInt
}
