// Package ecma matches ECMA-262 regular expressions, the dialect of JSON
// Schema's pattern keyword, in bounded time on every platform.
//
// A pattern is parsed once. What RE2 can express is rewritten for Go's regexp
// package, which is linear in the input; look-around, back-references and
// counts that RE2 refuses run on a backtracking matcher that counts its steps
// and gives up at a limit. Steps, not time: a clock may stand still in
// WebAssembly, and the same input must give the same answer everywhere.
//
// The syntax is that of the u flag with the tolerance browsers show without
// it, because schemas in the wild were tried with both.
package ecma

import (
	"errors"
	"fmt"
	"regexp"
)

// maxLength is the longest pattern that is accepted, in bytes. The longest in
// some four thousand published tool schemas has 300.
const maxLength = 4096

// maxExpanded bounds the pattern after counted repetition is unrolled, which
// RE2 does: 128 MB for one pattern of 20 characters otherwise.
const maxExpanded = 2000

// errSteps is reported when a match needed more steps than it was given.
var errSteps = errors.New("the pattern needs too many steps on this input")

// Pattern is a compiled regular expression. It holds no state of a match and
// may be used by several goroutines.
type Pattern struct {
	source string
	root   *node          // nil where only Go's own syntax understood the source
	linear *regexp.Regexp // nil where RE2 cannot express the source
	size   int            // nodes after unrolling, the cost of one input character
	groups int
}

// Compile parses a pattern. A source that is not ECMA-262 but is accepted by
// Go's regexp package, such as (?i)abc, is taken as that.
func Compile(source string) (*Pattern, error) {
	if len(source) > maxLength {
		return nil, fmt.Errorf("the pattern has %d bytes; at most %d are accepted", len(source), maxLength)
	}
	root, groups, err := parse(source)
	if err != nil {
		linear, goErr := regexp.Compile(source)
		if goErr != nil {
			return nil, err
		}
		return &Pattern{source: source, linear: linear, size: len(source)}, nil
	}
	p := &Pattern{source: source, root: root, groups: groups, size: root.expanded()}
	if p.size <= maxExpanded && root.regular() {
		// An error here only means that RE2 has a limit of its own.
		p.linear, _ = regexp.Compile(root.re2())
	}
	return p, nil
}

// String gives the pattern as it was written.
func (p *Pattern) String() string { return p.source }

// Match tells whether the pattern matches anywhere in s. It takes what it
// needs from steps and returns [errSteps] when that is not enough.
func (p *Pattern) Match(s string, steps *int) (bool, error) {
	if p.linear != nil {
		*steps -= 1 + len(s)*p.size/64
		if *steps < 0 {
			return false, errSteps
		}
		return p.linear.MatchString(s), nil
	}
	if *steps -= len(s) / 8; *steps < 0 {
		return false, errSteps
	}
	m := matcher{input: []rune(s), groups: make([]span, p.groups+1), steps: steps}
	return m.search(p.root)
}
