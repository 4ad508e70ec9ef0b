package ecma

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
)

// class reads a bracket expression.
func (p *parser) class() (*set, error) {
	p.at++
	out := &set{negated: p.accept("^")}
	for {
		if !p.more() {
			return nil, p.errorf("missing ]")
		}
		if p.accept("]") {
			return out, nil
		}
		low, err := p.member()
		if err != nil {
			return nil, err
		}
		from, single := low.single()
		if !single || !p.looking("-") || p.at+1 >= len(p.source) || p.source[p.at+1] == ']' {
			out.add(low)
			continue
		}
		dash := p.at
		p.at++
		high, err := p.member()
		if err != nil {
			return nil, err
		}
		to, single := high.single()
		if !single { // [a-\d] has three members, the dash among them
			out.add(low)
			out.add(&set{ranges: []interval{{'-', '-'}}})
			out.add(high)
			continue
		}
		if to < from {
			p.at = dash
			return nil, p.errorf("the range %c-%c is out of order", from, to)
		}
		out.ranges = append(out.ranges, interval{from, to})
	}
}

// single gives the only character of a set that has one.
func (s *set) single() (rune, bool) {
	if s.negated || len(s.tables) > 0 || len(s.ranges) != 1 || s.ranges[0].low != s.ranges[0].high {
		return 0, false
	}
	return s.ranges[0].low, true
}

func (p *parser) member() (*set, error) {
	if p.source[p.at] != '\\' {
		p.at++
		return &set{ranges: []interval{{p.source[p.at-1], p.source[p.at-1]}}}, nil
	}
	if p.looking(`\b`) {
		p.at += 2
		return &set{ranges: []interval{{'\b', '\b'}}}, nil
	}
	return p.classEscape()
}

// controls are the escapes of control characters.
var controls = map[rune]rune{'t': '\t', 'n': '\n', 'v': '\v', 'f': '\f', 'r': '\r', '0': 0}

// classEscape reads an escape that stands for a set of characters.
func (p *parser) classEscape() (*set, error) {
	p.at++
	if !p.more() {
		return nil, p.errorf(`a lone \ ends the pattern`)
	}
	r := p.source[p.at]
	p.at++
	if control, ok := controls[r]; ok {
		return &set{ranges: []interval{{control, control}}}, nil
	}
	switch r {
	case 'd', 'D':
		return &set{ranges: digits, negated: r == 'D'}, nil
	case 'w', 'W':
		return &set{ranges: wordCharacters, negated: r == 'W'}, nil
	case 's', 'S':
		return &set{ranges: spaces, negated: r == 'S'}, nil
	case 'p', 'P':
		if p.accept("{") {
			if stop := slices.Index(p.source[p.at:], '}'); stop > 0 {
				expression := string(p.source[p.at : p.at+stop])
				p.at += stop + 1
				return unicodeProperty(expression, r == 'P')
			}
		}
		return nil, p.errorf(`\%c wants a property in braces`, r)
	case 'c':
		if p.more() && p.source[p.at] < unicode.MaxASCII && unicode.IsLetter(p.source[p.at]) {
			p.at++
			control := p.source[p.at-1] % 32
			return &set{ranges: []interval{{control, control}}}, nil
		}
		return nil, p.errorf(`\c wants a letter`)
	case 'x':
		if value, ok := p.hex(2); ok {
			return &set{ranges: []interval{{value, value}}}, nil
		}
		return nil, p.errorf(`\x wants two hexadecimal digits`)
	case 'u':
		value, err := p.unicodeEscape()
		return &set{ranges: []interval{{value, value}}}, err
	}
	if unicode.IsLetter(r) || unicode.IsDigit(r) {
		// With the u flag this is an error, and Go's \A and \z must not be
		// taken for the letters.
		return nil, p.errorf(`\%c is no escape of ECMA-262`, r)
	}
	return &set{ranges: []interval{{r, r}}}, nil
}

func (p *parser) hex(length int) (rune, bool) {
	if p.at+length > len(p.source) {
		return 0, false
	}
	value, err := strconv.ParseUint(string(p.source[p.at:p.at+length]), 16, 32)
	if err != nil {
		return 0, false
	}
	p.at += length
	return rune(value), true
}

// unicodeEscape reads what follows \u: four digits, a pair of surrogates, or
// any number of digits in braces.
func (p *parser) unicodeEscape() (rune, error) {
	if p.accept("{") {
		stop := slices.Index(p.source[p.at:], '}')
		if stop > 0 {
			value, err := strconv.ParseUint("0"+strings.TrimLeft(string(p.source[p.at:p.at+stop]), "0"), 16, 32)
			if err == nil && value <= unicode.MaxRune {
				p.at += stop + 1
				return rune(value), nil
			}
		}
		return 0, p.errorf(`\u{…} wants the number of a character`)
	}
	value, ok := p.hex(4)
	if !ok {
		return 0, p.errorf(`\u wants four hexadecimal digits`)
	}
	if utf16.IsSurrogate(value) && p.looking(`\u`) {
		back := p.at
		p.at += 2
		if low, ok := p.hex(4); ok {
			if pair := utf16.DecodeRune(value, low); pair != unicode.ReplacementChar {
				return pair, nil
			}
		}
		p.at = back
	}
	return value, nil
}
