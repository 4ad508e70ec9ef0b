package ecma

import (
	"regexp"
	"strings"
	"testing"

	"github.com/matryer/is"
)

func TestMatch(t *testing.T) {
	for _, test := range []struct {
		pattern, input string
		want           bool
	}{
		{`^[a-z]+$`, "abc", true},
		{`^[a-z]+$`, "abc\n", false}, // $ is the very end
		{`b`, "abc", true},
		{`^a.c$`, "a\u2028c", false},
		{`^a.c$`, "a\nc", false},
		{`^a.c$`, "aéc", true},
		{`^\s$`, "\u00a0", true},
		{`^\w+$`, "é", false},
		{`^\d$`, "٣", false},
		{`^[^]$`, "\n", true},
		{`^[]$`, "a", false},
		{`^[\w-]+$`, "a-b", true},
		{`^[a-\d]+$`, "a-5", true},
		{`^[\b]$`, "\b", true},
		{`\bfoo\b`, "a foo b", true},
		{`\bfoo\b`, "afoo", false},
		{`^\u0041\x42\cJ$`, "AB\n", true},
		{`^\u{1F600}$`, "😀", true},
		{`^\uD83D\uDE00$`, "😀", true},
		{`^\p{Letter}+$`, "Straße", true},
		{`^\p{L}+$`, "é1", false},
		{`^\p{Lu}\P{Lu}$`, "Aa", true},
		{`^\p{Script=Greek}$`, "λ", true},
		{`^\p{gc=Decimal_Number}$`, "٣", true},
		{`^[\p{L}\d_]+$`, "ä5_", true},
		{`^[^\p{L}]$`, "5", true},
		{`^\p{Alphabetic}$`, "ж", true},
		{`^\p{ASCII}+$`, "é", false},
		{`^{a}$`, "{a}", true}, // a brace that counts nothing
		{`^a{2}$`, "aa", true},
		{`^a{2,}$`, "a", false},
		{`^(?:ab){1,2}$`, "abab", true},
		{`^(?<year>\d{4})-\k<year>$`, "2026-2026", true},
		{`^(a|b)\1$`, "ab", false},
		{`^(a|b)\1$`, "bb", true},
		{`^(?=.*\d)(?=.*[a-z]).{4,}$`, "abc1", true},
		{`^(?=.*\d)(?=.*[a-z]).{4,}$`, "abcd", false},
		{`^(?!-)[a-z-]+(?<!-)$`, "a-b", true},
		{`^(?!-)[a-z-]+(?<!-)$`, "-ab", false},
		{`^(?!-)[a-z-]+(?<!-)$`, "ab-", false},
		{`(?<=\$)\d+`, "cost $5", true},
		{`^(?!.*\.\.)[^/]+$`, "a..b", false},
		{`^(a*?)(?=b)`, "aab", true},
		{`^(?:a|ab)(?=c)`, "abc", true},
		{`^((?!x).)*$`, "abc", true},
		{`^((?!x).)*$`, "axc", false},
		{`^(?=(\w+))\1:`, "word:", true},
		{`(?i)^abc$`, "ABC", true}, // Go's syntax
		{`\Aabc\z`, "abc", true},
		{`^\/path\-x$`, "/path-x", true},
		{`a{1001}`, strings.Repeat("a", 1001), true}, // more than RE2 counts
		{`a{1001}`, strings.Repeat("a", 1000), false},
	} {
		t.Run(test.pattern+" "+test.input[:min(len(test.input), 20)], func(t *testing.T) {
			is := is.New(t)
			p, err := Compile(test.pattern)
			is.NoErr(err)
			steps := 1_000_000
			got, err := p.Match(test.input, &steps)
			is.NoErr(err)
			is.Equal(got, test.want)
		})
	}
}

// Where RE2 can express a pattern, the backtracking matcher agrees with it.
func TestBothMatchersAgree(t *testing.T) {
	for _, pattern := range []string{`^(a+)+$`, `a*?b`, `(a|ab)(c|bcd)(d*)`, `^[^a-c]+$`, `\bx\b`, `(^|,)a(,|$)`, `^(\d{1,3}\.){3}\d{1,3}$`, `()`, `(a*)*`, `^(a?){3}b?$`, `\W\w`, `x{0}y`} {
		for _, input := range []string{"", "a", "aa", "ab", "abcd", "x", " x ", "a,b", "b,a", "1.2.3.4", "1.2.3.", "aab", "éx", "xy", "y", "ccc"} {
			p, err := Compile(pattern)
			if err != nil || p.linear == nil {
				t.Fatalf("%s: %v", pattern, err)
			}
			steps := 100_000
			fast, _ := p.Match(input, &steps)
			slow := *p
			slow.linear = nil
			got, err := slow.Match(input, &steps)
			if err != nil || got != fast {
				t.Errorf("%s on %q: %v, RE2 says %v (%v)", pattern, input, got, fast, err)
			}
		}
	}
}

func TestCompileRefuses(t *testing.T) {
	for _, pattern := range []string{`(`, `)`, `[`, `[b-a]`, `*a`, `a**`, `a{2,1}`, `\`, `\u12`, `\u{110000}`, `\p{Nope}`, `\p{x=y}`, `\2(a)`, `\k<x>`, `(?<>a)`, `(?<a b>c)`, `\c1`, `\xg0`, `(?`, strings.Repeat("(", 300), strings.Repeat("a", maxLength+1)} {
		is := is.New(t)
		_, err := Compile(pattern)
		is.True(err != nil)
		is.True(len(err.Error()) < 200)
	}
}

// The limit is counted, so it is the same natively and in WebAssembly, where
// TestBombsEndUnderNode runs this.
func TestBombsEnd(t *testing.T) {
	for _, test := range []struct{ pattern, input string }{
		{`^(?=(a+)+$)`, strings.Repeat("a", 40) + "!"},
		{`^(a+)+\1?$`, strings.Repeat("a", 30) + "!"},
		{`(?!x)(a|a)*b`, strings.Repeat("a", 60)},
		{`(?!z)(.*)*=.*`, strings.Repeat("x", 5000)},
		{`(?:(?:(?:a{1000}){1000}){1000}){1000}`, strings.Repeat("a", 5000)},
		{`(?<!b)(a*)*(a*)*(a*)*c`, strings.Repeat("a", 1000)},
	} {
		is := is.New(t)
		p, err := Compile(test.pattern)
		is.NoErr(err)
		steps := 500_000
		_, err = p.Match(test.input, &steps)
		is.Equal(err, errSteps)
		is.True(steps > -10_000) // it stopped soon after the limit
	}
}

func TestExamples(t *testing.T) {
	for _, test := range []struct {
		pattern   string
		low, high int
	}{
		{`^[a-zA-Z0-9_]+$`, 3, 20},
		{`^\d{4}-\d{2}-\d{2}$`, 0, -1},
		{`^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}$`, 0, -1},
		{`^(?=.*[A-Z])(?=.*\d)[A-Za-z\d]{8,}$`, 0, -1},
		{`^(?!-)[a-z0-9-]{1,63}(?<!-)$`, 5, 63},
		{`^gid://shop/(Product|Order)/\d+$`, 0, -1},
		{`^#[0-9a-f]{6}$`, 7, 7},
		{`^(https?)://[^\s/]+`, 0, -1},
		{`^[a-z]{2}(-[A-Z]{2})?$`, 0, 2},
		{`^(a|b)\1$`, 0, -1},
		{`^\p{Lu}\p{Ll}+$`, 0, -1},
		{`^.{50}$`, 50, 50},
		{`^[A-Z]+-\d+$`, 0, 5},
		{`@`, 0, -1},
	} {
		is := is.New(t)
		p, err := Compile(test.pattern)
		is.NoErr(err)
		found := p.Examples(test.low, test.high, 2)
		if len(found) == 0 {
			t.Errorf("%s: no example", test.pattern)
		}
		for _, text := range found {
			steps := 100_000
			matched, err := p.Match(text, &steps)
			is.NoErr(err)
			is.True(matched)
		}
	}
}

func FuzzCompile(f *testing.F) {
	for _, seed := range []string{`^(?=(a+)+$)`, `[\w-]{2,}(?<!-)`, `\p{L}\u{41}`, `(?<n>a)\k<n>`, `((a|b)*?c){3}`, `[^]`, `\cA\x41`} {
		f.Add(seed, "aaaa!")
	}
	f.Fuzz(func(t *testing.T, pattern, input string) {
		p, err := Compile(pattern)
		if err != nil {
			return
		}
		steps := 20_000
		got, err := p.Match(input, &steps)
		if p.root != nil && p.linear != nil && err == nil {
			slow := *p
			slow.linear = nil
			steps = 50_000
			if other, err := slow.Match(input, &steps); err == nil && other != got && validText(input) {
				t.Fatalf("%q on %q: RE2 (%s) says %v, the matcher %v", pattern, input, p.linear, got, other)
			}
		}
		for _, text := range p.Examples(0, 20, 3) {
			steps := exampleSteps
			if matched, err := p.Match(text, &steps); err != nil || !matched {
				t.Fatalf("%q: the example %q does not match", pattern, text)
			}
		}
	})
}

// validText reports whether both matchers see the same characters.
func validText(s string) bool { return !regexp.MustCompile(`\x{FFFD}`).MatchString(s) }
