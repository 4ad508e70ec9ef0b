package triage

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// shorthand names the pieces that many patterns share, so that a rule reads
// like the message it stands for. Text that was logged as JSON, quoted in an
// issue or set by an editor has its quotes escaped, curled or doubled.
var shorthand = strings.NewReplacer(
	"{q}", "(?:\\\\{0,3}[\"'‘’“”`´]|&#39;|&quot;)?", // a quote, or none
	"{Q}", "(?:\\\\{0,3}[\"'‘’“”`´]|&#39;|&quot;)", // a quote
	"{start}", `(?:^|[\s|.\[("'>：]|\\n)`, // of a message, also behind a line break that was written as \n
	"{var}", `(?-i:[A-Z][A-Z0-9]*_[A-Z0-9_]*[A-Z0-9])`, // SOME_VARIABLE
	"{package}", `(?:@[\w.~-]+/)?[\w][\w.~-]*`, // of npm or PyPI, without version
	"{program}", programs, // that servers are commonly started with
	"{version}", `v?\d+(?:\.\d+)*[\w.+-]*`,
	"{host}", `(?:[\w-]+\.)*[\w-]+|\[?[\da-f:]+\]?`,
	"{http}", `(?:HTTP(?:/[\d.]+)?(?: status)?(?: code)?(?: client| server)?(?: error!?)?[:=]?|status(?:[ _]?code)?(?: of|["']?[:=]?)|success:|returned|response:?|responded(?: with)?|replied(?: with)?|error(?: code)?[:=]?|code[:=]?|got|received|failed with) ?(?:an? )?[({]?["']?`, // before a status
	"{/http}", `(?:$|[^\w.%-]|\.(?:\s|$))`, // behind it
	"{place}", `(?:[/~]|\.{1,2}[/\\]|[A-Za-z]:[/\\])[^"'\n]{1,200}?`, // a program named by its path
	"{path}", "(?:file:///?)?(?:[a-z]:[\\\\/]|[\\\\/~]|\\.{1,2}[\\\\/]|\\$\\{?\\w)[^\"'‘’“”`,;|<>\n]*",
)

// expression is a rule's wordings, made ready when first needed and compiled
// one by one: a page that is opened to read one error pays for the wordings of
// that error alone. Each is matched by itself, and only where a text that it
// needs is there, which is some fifty times as fast as one regexp of all
// wordings on every line.
type expression struct {
	once     sync.Once
	wordings []wording
	unless   func() *regexp.Regexp
}

// wording is one of a rule's, ready to be matched.
type wording struct {
	needs  []string // one of these stands in every match, in lower case
	regexp func() *regexp.Regexp
}

// found is where a rule matched, and with which of its wordings.
type found struct {
	regexp *regexp.Regexp
	groups []int
}

// find gives the first place in text that one of the wordings matches. Folded
// is the text in lower case.
func (e *expression) find(r *Rule, text, folded string) (found, bool) {
	e.once.Do(func() {
		e.wordings = wordingsOf(r.Wordings)
		e.unless = lazily(flags + shorthand.Replace(r.Unless))
	})
	var best found
	for i := range e.wordings {
		w := &e.wordings[i]
		if !w.possible(folded) {
			continue
		}
		if g := w.regexp().FindStringSubmatchIndex(text); g != nil && (best.groups == nil || g[0] < best.groups[0]) {
			best = found{w.regexp(), g}
		}
	}
	if best.groups == nil {
		return best, false
	}
	return best, r.Unless == "" || !e.unless().MatchString(text)
}

// lazily compiles a regexp when it is first asked for. Several texts may be
// read at once.
func lazily(source string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(source) })
}

const flags = "(?im)"

func (w *wording) possible(folded string) bool {
	for _, n := range w.needs {
		if strings.Contains(folded, n) {
			return true
		}
	}
	return len(w.needs) == 0
}

// wordingsOf prepares the wordings of a rule. Each is parsed for what it needs
// and compiled only when that is there.
func wordingsOf(sources []string) []wording {
	all := make([]wording, len(sources))
	for i, source := range sources {
		source = flags + shorthand.Replace(source)
		tree, err := syntax.Parse(source, syntax.Perl)
		if err != nil {
			panic(err) // a wording is ours, and every one of them is tested
		}
		all[i] = wording{needs: needed(tree), regexp: lazily(source)}
	}
	return all
}

// needed finds texts of which every match holds at least one; none where
// there is no such set.
func needed(e *syntax.Regexp) []string {
	switch e.Op {
	case syntax.OpLiteral:
		return sameCased(e.Rune)
	case syntax.OpCapture, syntax.OpPlus:
		return needed(e.Sub[0])
	case syntax.OpRepeat:
		if e.Min > 0 {
			return needed(e.Sub[0])
		}
	case syntax.OpConcat:
		var best []string
		for _, s := range e.Sub {
			if n := needed(s); best == nil || shortest(n) > shortest(best) {
				best = n
			}
		}
		return best
	case syntax.OpAlternate:
		var all []string
		for _, s := range e.Sub {
			n := needed(s)
			if n == nil {
				return nil
			}
			all = append(all, n...)
		}
		return all
	}
	return nil
}

// sameCased is the longest part of a literal that is compared without regard to
// case by [fold]: letters of other alphabets, of which the parser keeps the
// capital, are left to the expression itself.
func sameCased(literal []rune) []string {
	best, from := "", 0
	for i := 0; i <= len(literal); i++ {
		if i < len(literal) && (literal[i] < utf8.RuneSelf || unicode.SimpleFold(literal[i]) == literal[i]) {
			continue
		}
		if part := fold(string(literal[from:i])); len(part) > len(best) {
			best = part
		}
		from = i + 1
	}
	if best == "" {
		return nil
	}
	return []string{best}
}

func shortest(list []string) int {
	if len(list) == 0 {
		return 0
	}
	n := len(list[0])
	for _, s := range list {
		n = min(n, len(s))
	}
	return n
}

// fold lowers ASCII letters and leaves every byte where it is.
func fold(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}
