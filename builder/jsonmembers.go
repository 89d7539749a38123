package builder

import (
	"encoding/json"
	"strings"
)

// object gives its members fair shares of the room. Small ones are untouched, large
// ones are fitted into their share, and those that can't be are dropped, unless
// the others have left enough.
func (f *jsonFit) object(v jsonValue, limit, depth int) bool {
	m := members{jsonFit: f, end: v.from + 1}
	for item := range jsonItems(f.text, v) {
		m.add(item)
	}
	if len(m.list) == 0 {
		return false
	}
	room := limit - (m.list[0].from - v.from) - (v.to - m.end)
	name := ""
	if f.notice != nil {
		name = quoted(m.newName()) + ":"
		room -= len(",") + len(name) + f.room
	}
	if room < 0 {
		return false
	}
	m.choose(room, depth)
	m.dropRest(name)
	return true
}

// members are those of an object that is fitted.
type members struct {
	*jsonFit
	list    []jsonItem
	before  []int  // bytes between a member and the one before it
	dropped []bool // not yet, or not at all kept
	end     int    // of the last one
	left    int    // of the room
}

func (m *members) add(item jsonItem) {
	before := 0
	if len(m.list) > 0 {
		before = item.from - m.end
	}
	m.list = append(m.list, item)
	m.before = append(m.before, before)
	m.end = item.value.to
}

func (m *members) size(i int) int { return m.before[i] + m.list[i].size() }

func (m *members) choose(room, depth int) {
	sizes := make([]int, len(m.list))
	for i := range m.list {
		sizes[i] = m.size(i)
	}
	share := fairShare(sizes, room)
	m.left = room
	m.dropped = make([]bool, len(m.list))
	for i := range m.list {
		m.dropped[i] = !m.keep(i, share, depth)
	}
	for i := range m.list {
		m.dropped[i] = m.dropped[i] && !m.keep(i, m.left, depth)
	}
}

// keep keeps a member, whole or fitted, if it takes no more than limit so.
func (m *members) keep(i, limit, depth int) bool {
	size := m.size(i)
	if size <= limit {
		m.left -= size
		return true
	}
	value := m.list[i].value
	done := len(m.jsonFit.list)
	if !m.value(value, limit-size+value.size(), depth+1) {
		return false
	}
	m.left -= size
	for _, r := range m.jsonFit.list[done:] {
		m.left += r.to - r.from - len(r.text)
	}
	return true
}

// dropRest drops what is not kept. One member of a new name stands for all of it,
// where the first of it was.
func (m *members) dropRest(name string) {
	lost, first, last := 0, -1, 0
	for i, dropped := range m.dropped {
		if dropped {
			if lost++; first < 0 {
				first = i
			}
			last = i
		}
	}
	if lost == 0 {
		return
	}
	notice := ""
	if name != "" {
		notice = name + m.word(lost, len(m.list), unitMembers, m.list[first].from, m.list[last].value.to)
	}
	for i := 0; i < len(m.list); i++ {
		begin := i
		for i < len(m.list) && m.dropped[i] {
			i++
		}
		if begin < i {
			m.dropRun(begin, i, notice)
			notice = ""
		}
	}
}

// dropRun drops the members from begin up to before end, with one of the commas
// around them if nothing stands in their place.
func (m *members) dropRun(begin, end int, notice string) {
	from, to := m.list[begin].from, m.list[end-1].value.to
	switch before := m.before[begin]; {
	case notice != "" && before > m.left+len(","): // wide white space
		from -= before
		notice = "," + notice
	case notice != "":
	case begin > 0:
		from -= before
	case end < len(m.list):
		to = m.list[end].from
	}
	m.drop(from, to, notice)
}

// newName is the shortest name of three dots or more that no member has.
func (m *members) newName() string {
	const shortest = 3
	taken := make([]bool, shortest+len(m.list)+1)
	for _, item := range m.list {
		if n := dots(m.text[item.from:stringEnd(m.text, item.from)]); n < len(taken) {
			taken[n] = true
		}
	}
	n := shortest
	for taken[n] {
		n++
	}
	return strings.Repeat(".", n)
}

// dots is how many dots a name, as it is written, is made of; 0 of another one.
func dots(written string) int {
	name := written[1 : len(written)-1]
	if strings.HasPrefix(name, `\`) || strings.HasPrefix(name, ".") {
		if json.Unmarshal([]byte(written), &name) == nil && strings.Trim(name, ".") == "" {
			return len(name)
		}
	}
	return 0
}
