package builder

// literal is a text in lower case, and the number of the rule that looks for it.
type literal struct {
	text string
	rule int
}

// automaton finds many literals in one pass over a text, in upper and lower case
// (Aho and Corasick 1975). It is immutable.
type automaton struct {
	class   [256]uint8 // of a byte: 0, or one for each byte that is in a literal
	classes int
	next    []uint16    // state after a state and a class
	ends    [][]literal // that end at a state
}

func newAutomaton(literals []literal) automaton {
	a := automaton{classes: 1}
	for _, l := range literals {
		for _, c := range []byte(l.text) {
			if a.class[c] != 0 {
				continue
			}
			a.class[c] = uint8(a.classes)
			if 'a' <= c && c <= 'z' {
				a.class[c-'a'+'A'] = uint8(a.classes)
			}
			a.classes++
		}
	}
	a.addState()
	for _, l := range literals {
		a.add(l)
	}
	a.link()
	return a
}

func (a *automaton) addState() (state uint16) {
	a.next = append(a.next, make([]uint16, a.classes)...)
	a.ends = append(a.ends, nil)
	return uint16(len(a.ends) - 1)
}

func (a *automaton) step(state uint16, c byte) *uint16 {
	return &a.next[int(state)*a.classes+int(a.class[c])]
}

// add adds the states of a literal, as in a tree.
func (a *automaton) add(l literal) {
	state := uint16(0)
	for _, c := range []byte(l.text) {
		to := *a.step(state, c)
		if to == 0 {
			to = a.addState()
			*a.step(state, c) = to
		}
		state = to
	}
	a.ends[state] = append(a.ends[state], l)
}

// link leads each step that the tree does not have to the state of the longest
// ending that is the beginning of a literal.
func (a *automaton) link() {
	ending := make([]uint16, len(a.ends)) // of a state
	queue := []uint16{0}
	for len(queue) > 0 {
		state := queue[0]
		queue = queue[1:]
		for class := range a.classes {
			to := &a.next[int(state)*a.classes+class]
			shorter := uint16(0)
			if state != 0 {
				shorter = a.next[int(ending[state])*a.classes+class]
			}
			if *to == 0 {
				*to = shorter
				continue
			}
			ending[*to] = shorter
			a.ends[*to] = append(a.ends[*to], a.ends[shorter]...)
			queue = append(queue, *to)
		}
	}
}

// walk calls found with the rule and the place of each literal in the text.
func (a *automaton) walk(text string, found func(rule, at int)) {
	state := uint16(0)
	for i := range len(text) {
		state = *a.step(state, text[i])
		for _, l := range a.ends[state] {
			found(l.rule, i+1-len(l.text))
		}
	}
}
