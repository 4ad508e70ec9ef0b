package ecma

import "strconv"

// kind is what a node of the syntax tree stands for.
type kind uint8

const (
	empty       kind = iota
	class            // one character of set
	begin            // ^
	end              // $
	boundary         // \b
	notBoundary      // \B
	sequence         // subs one after the other
	alternation      // the first of subs that leads to a match
	repetition       // subs[0], min to max times
	group            // subs[0], captured as index
	reference        // what group index captured
	look             // subs[0] ahead or behind
)

// unlimited is the max of a repetition without an upper bound.
const unlimited = -1

type node struct {
	kind     kind
	set      *set
	subs     []*node
	min, max int
	lazy     bool
	index    int
	behind   bool
	negative bool
}

// regular reports whether RE2 can express the tree.
func (n *node) regular() bool {
	if n.kind == reference || n.kind == look {
		return false
	}
	for _, sub := range n.subs {
		if !sub.regular() {
			return false
		}
	}
	return true
}

// expanded counts the nodes after counted repetition is unrolled, and stops
// counting soon after the limit.
func (n *node) expanded() int {
	total := 1
	if n.set != nil {
		total += len(n.set.ranges) / 4
	}
	for _, sub := range n.subs {
		total += sub.expanded()
		if total > maxExpanded {
			return maxExpanded + 1
		}
	}
	if n.kind == repetition {
		if times := max(n.min, n.max, 1); times > maxExpanded/total {
			return maxExpanded + 1
		} else {
			total *= times
		}
	}
	return total
}

// re2 writes the tree in Go's syntax.
func (n *node) re2() string {
	switch n.kind {
	case class:
		return n.set.re2()
	case begin:
		return `\A`
	case end:
		return `\z`
	case boundary:
		return `\b`
	case notBoundary:
		return `\B`
	case sequence:
		var out string
		for _, sub := range n.subs {
			out += sub.re2()
		}
		return out
	case alternation:
		out := "(?:"
		for i, sub := range n.subs {
			if i > 0 {
				out += "|"
			}
			out += sub.re2()
		}
		return out + ")"
	case group:
		return "(?:" + n.subs[0].re2() + ")"
	case repetition:
		out := "(?:" + n.subs[0].re2() + "){" + strconv.Itoa(n.min)
		if n.max != n.min {
			out += ","
			if n.max != unlimited {
				out += strconv.Itoa(n.max)
			}
		}
		return out + "}"
	}
	return ""
}
