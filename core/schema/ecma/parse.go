package ecma

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// maxNesting bounds the recursion over groups.
const maxNesting = 200

type parser struct {
	source  []rune
	at      int
	nesting int
	groups  int
	names   map[string]int
	// references by name may come before the group: they are resolved at the end
	pending map[*node]string
	highest int // the highest group that a numbered reference asked for
}

func parse(source string) (*node, int, error) {
	p := &parser{source: []rune(source), names: map[string]int{}, pending: map[*node]string{}}
	root, err := p.alternation()
	if err != nil {
		return nil, 0, err
	}
	if p.at < len(p.source) {
		return nil, 0, p.errorf("unmatched )")
	}
	for ref, name := range p.pending {
		index, ok := p.names[name]
		if !ok {
			return nil, 0, fmt.Errorf("the pattern refers to a group named %q that it does not have", name)
		}
		ref.index = index
	}
	if p.highest > p.groups {
		return nil, 0, fmt.Errorf("the pattern refers to group %d and has %d", p.highest, p.groups)
	}
	return root, p.groups, nil
}

func (p *parser) errorf(format string, args ...any) error {
	return fmt.Errorf("%s at character %d of the pattern", fmt.Sprintf(format, args...), p.at+1)
}

func (p *parser) more() bool { return p.at < len(p.source) }

func (p *parser) looking(prefix string) bool {
	runes := []rune(prefix)
	return len(p.source)-p.at >= len(runes) && slices.Equal(p.source[p.at:p.at+len(runes)], runes)
}

func (p *parser) accept(prefix string) bool {
	if !p.looking(prefix) {
		return false
	}
	p.at += len([]rune(prefix))
	return true
}

func (p *parser) alternation() (*node, error) {
	if p.nesting++; p.nesting > maxNesting {
		return nil, p.errorf("more than %d nested groups", maxNesting)
	}
	defer func() { p.nesting-- }()
	first, err := p.sequence()
	if err != nil || !p.looking("|") {
		return first, err
	}
	out := &node{kind: alternation, subs: []*node{first}}
	for p.accept("|") {
		next, err := p.sequence()
		if err != nil {
			return nil, err
		}
		out.subs = append(out.subs, next)
	}
	return out, nil
}

func (p *parser) sequence() (*node, error) {
	out := &node{kind: sequence}
	for p.more() && !p.looking("|") && !p.looking(")") {
		atom, repeatable, err := p.atom()
		if err != nil {
			return nil, err
		}
		atom, err = p.quantified(atom, repeatable)
		if err != nil {
			return nil, err
		}
		out.subs = append(out.subs, atom)
	}
	switch len(out.subs) {
	case 0:
		return &node{kind: empty}, nil
	case 1:
		return out.subs[0], nil
	}
	return out, nil
}

func (p *parser) atom() (*node, bool, error) {
	r := p.source[p.at]
	switch r {
	case '^':
		p.at++
		return &node{kind: begin}, false, nil
	case '$':
		p.at++
		return &node{kind: end}, false, nil
	case '.':
		p.at++
		return &node{kind: class, set: &set{ranges: lineEnds, negated: true}}, true, nil
	case '(':
		return p.group()
	case '[':
		s, err := p.class()
		return &node{kind: class, set: s}, true, err
	case '\\':
		return p.escape()
	case '*', '+', '?':
		return nil, false, p.errorf("nothing to repeat before %c", r)
	}
	p.at++
	return character(r), true, nil
}

func character(r rune) *node {
	return &node{kind: class, set: &set{ranges: []interval{{r, r}}}}
}

// quantified reads the quantifier after an atom, if there is one. A brace that
// starts none stands for itself, as browsers have it.
func (p *parser) quantified(atom *node, repeatable bool) (*node, error) {
	if !p.more() {
		return atom, nil
	}
	low, high := 0, unlimited
	switch p.source[p.at] {
	case '*':
		p.at++
	case '+':
		p.at++
		low = 1
	case '?':
		p.at++
		high = 1
	case '{':
		var ok bool
		var err error
		if low, high, ok, err = p.count(); err != nil {
			return nil, err
		} else if !ok {
			return atom, nil
		}
	default:
		return atom, nil
	}
	if !repeatable {
		return nil, p.errorf("nothing to repeat")
	}
	out := &node{kind: repetition, subs: []*node{atom}, min: low, max: high, lazy: p.accept("?")}
	if p.more() && strings.ContainsRune("*+?", p.source[p.at]) {
		return nil, p.errorf("nothing to repeat")
	}
	return out, nil
}

func (p *parser) count() (low, high int, ok bool, err error) {
	start := p.at
	p.at++
	low, digitsRead := p.decimal()
	if !digitsRead {
		p.at = start
		return 0, 0, false, nil
	}
	high = low
	if p.accept(",") {
		if high, digitsRead = p.decimal(); !digitsRead {
			high = unlimited
		}
	}
	if !p.accept("}") {
		p.at = start
		return 0, 0, false, nil
	}
	if high != unlimited && high < low {
		return 0, 0, false, p.errorf("the count {%d,%d} is out of order", low, high)
	}
	return low, high, true, nil
}

func (p *parser) decimal() (int, bool) {
	start := p.at
	for p.more() && p.source[p.at] >= '0' && p.source[p.at] <= '9' {
		p.at++
	}
	if start == p.at {
		return 0, false
	}
	n, err := strconv.Atoi(string(p.source[start:p.at]))
	if err != nil || n > 1<<30 {
		n = 1 << 30
	}
	return n, true
}

func (p *parser) group() (*node, bool, error) {
	out := &node{kind: group}
	repeatable := true
	switch {
	case p.accept("(?:"):
	case p.accept("(?="):
		out, repeatable = &node{kind: look}, true
	case p.accept("(?!"):
		out, repeatable = &node{kind: look, negative: true}, true
	case p.accept("(?<="):
		out, repeatable = &node{kind: look, behind: true}, false
	case p.accept("(?<!"):
		out, repeatable = &node{kind: look, behind: true, negative: true}, false
	case p.accept("(?<"):
		name, err := p.name()
		if err != nil {
			return nil, false, err
		}
		p.groups++
		out.index = p.groups
		p.names[name] = p.groups
	case p.looking("(?"):
		return nil, false, p.errorf("unknown kind of group")
	default:
		p.at++
		p.groups++
		out.index = p.groups
	}
	sub, err := p.alternation()
	if err != nil {
		return nil, false, err
	}
	if !p.accept(")") {
		return nil, false, p.errorf("missing )")
	}
	if out.kind == group && out.index == 0 {
		return sub, true, nil
	}
	out.subs = []*node{sub}
	return out, repeatable, nil
}

// name reads a group's name up to its closing angle bracket.
func (p *parser) name() (string, error) {
	stop := slices.Index(p.source[p.at:], '>')
	if stop < 1 {
		return "", p.errorf("a group's name is missing or not closed")
	}
	name := string(p.source[p.at : p.at+stop])
	for _, r := range name {
		if r != '_' && r != '$' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return "", p.errorf("%q is not a name for a group", name)
		}
	}
	p.at += stop + 1
	return name, nil
}

// escape reads a backslash and what follows, outside a class.
func (p *parser) escape() (*node, bool, error) {
	if p.at+1 >= len(p.source) {
		return nil, false, p.errorf(`a lone \ ends the pattern`)
	}
	switch r := p.source[p.at+1]; {
	case r == 'b':
		p.at += 2
		return &node{kind: boundary}, false, nil
	case r == 'B':
		p.at += 2
		return &node{kind: notBoundary}, false, nil
	case r >= '1' && r <= '9':
		p.at++
		index, _ := p.decimal()
		p.highest = max(p.highest, index)
		return &node{kind: reference, index: index}, true, nil
	case r == 'k' && p.at+2 < len(p.source) && p.source[p.at+2] == '<':
		p.at += 3
		name, err := p.name()
		ref := &node{kind: reference}
		p.pending[ref] = name
		return ref, true, err
	}
	s, err := p.classEscape()
	return &node{kind: class, set: s}, true, err
}
