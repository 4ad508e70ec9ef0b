package triage

// automaton finds many literals in one pass (Aho and Corasick, 1975). The
// transition table is dense but narrow: the bytes that occur in no literal
// share one column, upper case shares that of lower case, and the bytes of
// other scripts share eight, where a false hit costs a look and no more. That
// keeps it near a megabyte for two thousand literals, quick to build in a
// browser.
type automaton struct {
	column [256]uint8
	width  int
	next   []uint16   // state*width + column -> state
	found  [][]uint16 // state -> literals that end here
}

// newAutomaton builds the table over literals, which are lower case.
func newAutomaton(literals []string) *automaton {
	a := &automaton{width: 1}
	for _, l := range literals {
		for i := range len(l) {
			if c := l[i]; a.column[c] == 0 {
				for b := range 256 {
					if byte(b) == c || c >= 0x80 && b >= 0x80 && byte(b)&7 == c&7 {
						a.column[b] = uint8(a.width)
					}
				}
				a.width++
			}
		}
	}
	for b := 'A'; b <= 'Z'; b++ {
		a.column[b] = a.column[b+'a'-'A']
	}
	states := 1
	for _, l := range literals {
		states += len(l)
	}
	a.next = make([]uint16, 0, states*a.width)
	a.grow()
	for id, l := range literals {
		state := 0
		for i := range len(l) {
			slot := state*a.width + int(a.column[l[i]])
			if a.next[slot] == 0 {
				a.next[slot] = uint16(a.grow())
			}
			state = int(a.next[slot])
		}
		a.found[state] = append(a.found[state], uint16(id))
	}
	a.link()
	return a
}

func (a *automaton) grow() int {
	a.next = append(a.next, make([]uint16, a.width)...)
	a.found = append(a.found, nil)
	return len(a.found) - 1
}

// link turns the tree of literals into the automaton: breadth first, so that
// the state which a mismatch falls back to is complete before it is copied.
func (a *automaton) link() {
	fallback := make([]uint16, len(a.found))
	queue := make([]uint16, 0, len(a.found))
	for c := range a.width {
		if s := a.next[c]; s != 0 {
			queue = append(queue, s)
		}
	}
	for at := 0; at < len(queue); at++ {
		state := int(queue[at])
		row := a.next[state*a.width : (state+1)*a.width]
		back := int(fallback[state])
		a.found[state] = append(a.found[state], a.found[back]...)
		for c, s := range row {
			if s == 0 {
				row[c] = a.next[back*a.width+c]
				continue
			}
			fallback[s] = a.next[back*a.width+c]
			queue = append(queue, s)
		}
	}
}

// scan calls hit with each literal found and the offset behind it.
func (a *automaton) scan(text string, hit func(literal uint16, end int)) {
	state := 0
	for i := range len(text) {
		state = int(a.next[state*a.width+int(a.column[text[i]])])
		if found := a.found[state]; found != nil {
			for _, l := range found {
				hit(l, i+1)
			}
		}
	}
}
