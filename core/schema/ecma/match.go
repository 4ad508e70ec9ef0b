package ecma

// span is what a group has captured; end 0 with start 0 and set false is none.
type span struct {
	start, end int
	set        bool
}

// matcher is one run of the backtracking search.
type matcher struct {
	input  []rune
	groups []span
	steps  *int
	spent  bool // the steps have run out: unwind
}

func (m *matcher) search(root *node) (bool, error) {
	for start := 0; start <= len(m.input); start++ {
		clear(m.groups)
		if m.match(root, start, func(int) bool { return true }) {
			return true, nil
		}
		if m.spent {
			return false, errSteps
		}
		if root.anchored() {
			break
		}
	}
	return false, nil
}

// anchored reports whether n can match at the start of the input only.
func (n *node) anchored() bool {
	switch n.kind {
	case begin:
		return true
	case sequence, group:
		return n.subs[0].anchored()
	}
	return false
}

// match tries n at position at and calls next with each position where it can
// end, best first, until next is content.
func (m *matcher) match(n *node, at int, next func(int) bool) bool {
	if *m.steps--; *m.steps < 0 {
		m.spent = true
	}
	if m.spent {
		return false
	}
	switch n.kind {
	case class:
		return at < len(m.input) && n.set.contains(m.input[at]) && next(at+1)
	case begin:
		return at == 0 && next(at)
	case end:
		return at == len(m.input) && next(at)
	case boundary, notBoundary:
		return (m.word(at-1) != m.word(at)) == (n.kind == boundary) && next(at)
	case sequence:
		return m.sequence(n.subs, at, next)
	case alternation:
		for _, sub := range n.subs {
			if m.match(sub, at, next) {
				return true
			}
			if m.spent {
				return false
			}
		}
		return false
	case group:
		return m.capture(n, at, next)
	case reference:
		return m.reference(n, at, next)
	case repetition:
		if n.subs[0].kind == class {
			return m.run(n, at, next)
		}
		return m.repeat(n, at, 0, next)
	case look:
		return m.look(n, at) && next(at)
	}
	return next(at)
}

func (m *matcher) word(at int) bool {
	if at < 0 || at >= len(m.input) {
		return false
	}
	return (&set{ranges: wordCharacters}).contains(m.input[at])
}

func (m *matcher) sequence(subs []*node, at int, next func(int) bool) bool {
	if len(subs) == 0 {
		return next(at)
	}
	return m.match(subs[0], at, func(at int) bool { return m.sequence(subs[1:], at, next) })
}

func (m *matcher) capture(n *node, at int, next func(int) bool) bool {
	before := m.groups[n.index]
	if m.match(n.subs[0], at, func(stop int) bool {
		inner := m.groups[n.index]
		m.groups[n.index] = span{at, stop, true}
		if next(stop) {
			return true
		}
		m.groups[n.index] = inner
		return false
	}) {
		return true
	}
	m.groups[n.index] = before
	return false
}

// reference matches what the group captured; a group that took no part
// matches the empty string.
func (m *matcher) reference(n *node, at int, next func(int) bool) bool {
	captured := m.groups[n.index]
	length := captured.end - captured.start
	*m.steps -= length
	if at+length > len(m.input) {
		return false
	}
	for i := range length {
		if m.input[captured.start+i] != m.input[at+i] {
			return false
		}
	}
	return next(at + length)
}

// run repeats a single character without recursion, so that a long input does
// not become a deep stack.
func (m *matcher) run(n *node, at int, next func(int) bool) bool {
	set := n.subs[0].set
	limit := len(m.input) - at
	if n.max != unlimited {
		limit = min(limit, n.max)
	}
	if n.lazy {
		for length := 0; ; length++ {
			if *m.steps--; *m.steps < 0 {
				m.spent = true
				return false
			}
			if length >= n.min && next(at+length) {
				return true
			}
			if m.spent || length >= limit || !set.contains(m.input[at+length]) {
				return false
			}
		}
	}
	length := 0
	for length < limit && set.contains(m.input[at+length]) {
		length++
	}
	*m.steps -= length
	for ; length >= n.min; length-- {
		if *m.steps--; *m.steps < 0 {
			m.spent = true
		}
		if m.spent {
			return false
		}
		if next(at + length) {
			return true
		}
	}
	return false
}

func (m *matcher) repeat(n *node, at, done int, next func(int) bool) bool {
	again := func() bool {
		if n.max != unlimited && done >= n.max {
			return false
		}
		return m.match(n.subs[0], at, func(stop int) bool {
			if stop == at && done >= n.min { // an empty round leads nowhere new
				return false
			}
			return m.repeat(n, stop, done+1, next)
		})
	}
	if done < n.min {
		return again()
	}
	if n.lazy {
		return next(at) || !m.spent && again()
	}
	return again() || !m.spent && next(at)
}

func (m *matcher) look(n *node, at int) bool {
	before := append([]span(nil), m.groups...)
	found := false
	if n.behind {
		for start := at; start >= 0 && !found && !m.spent; start-- {
			found = m.match(n.subs[0], start, func(stop int) bool { return stop == at })
		}
	} else {
		found = m.match(n.subs[0], at, func(int) bool { return true })
	}
	if n.negative || !found {
		copy(m.groups, before)
	}
	return found != n.negative && !m.spent
}
