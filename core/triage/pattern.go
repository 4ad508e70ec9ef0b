package triage

import (
	"regexp"
	"strings"
	"sync"
)

// shorthand names the pieces that many patterns share, so that a rule reads
// like the message it stands for. Text that was logged as JSON, quoted in an
// issue or set by an editor has its quotes escaped, curled or doubled.
var shorthand = strings.NewReplacer(
	"{q}", "(?:\\\\{0,3}[\"'‘’“”`´]|&#39;|&quot;)?", // a quote, or none
	"{Q}", "(?:\\\\{0,3}[\"'‘’“”`´]|&#39;|&quot;)", // a quote
	"{var}", `(?-i:[A-Z][A-Z0-9]*_[A-Z0-9_]*[A-Z0-9])`, // SOME_VARIABLE
	"{package}", `(?:@[\w.~-]+/)?[\w][\w.~-]*`, // of npm or PyPI, without version
	"{version}", `v?\d+(?:\.\d+)*[\w.+-]*`,
	"{host}", `(?:[\w-]+\.)*[\w-]+|\[?[\da-f:]+\]?`,
	"{path}", "(?:file:///?)?(?:[a-z]:[\\\\/]|[\\\\/~.]|\\$\\{?\\w)[^\"'‘’“”`,;|<>\n]*",
)

// expression is a rule's pattern, compiled when first needed: a page that is
// opened to read one error pays for the patterns of that error alone.
type expression struct {
	once            sync.Once
	pattern, unless *regexp.Regexp
}

// find gives the places of the pattern and its groups in text, or nil.
func (e *expression) find(r *Rule, text string) []int {
	e.once.Do(func() {
		e.pattern = compile(r.Pattern)
		if r.Unless != "" {
			e.unless = compile(r.Unless)
		}
	})
	found := e.pattern.FindStringSubmatchIndex(text)
	if found != nil && e.unless != nil && e.unless.MatchString(text) {
		return nil
	}
	return found
}

func compile(pattern string) *regexp.Regexp {
	return regexp.MustCompile("(?im)" + shorthand.Replace(pattern))
}
