package triage

import (
	"fmt"
	"strings"
	"testing"

	"github.com/matryer/is"
)

func TestAutomaton(t *testing.T) {
	is := is.New(t)
	literals := []string{"he", "she", "his", "hers", "econn", "refused"}
	a := newAutomaton(literals)
	var got []string
	a.scan("uSHErs ECONNREFUSED hi", func(l uint16, end int) { got = append(got, fmt.Sprint(literals[l], end)) })
	is.Equal(got, []string{"she4", "he4", "hers6", "econn12", "refused19"})
}

func FuzzAutomaton(f *testing.F) {
	f.Add("ab,bc,abc", "zabcabd")
	f.Fuzz(func(t *testing.T, list, text string) {
		var literals []string
		for l := range strings.SplitSeq(strings.ToLower(list), ",") {
			if l != "" && isASCII(l) {
				literals = append(literals, l)
			}
		}
		if len(literals) == 0 || len(list) > 1000 || !isASCII(text) {
			t.Skip()
		}
		found := map[string]int{}
		newAutomaton(literals).scan(text, func(l uint16, end int) { found[literals[l]]++ })
		for _, l := range literals {
			want := 0
			for i := range text {
				if strings.HasPrefix(strings.ToLower(text[i:]), l) {
					want++
				}
			}
			same := 0
			for _, other := range literals {
				if other == l {
					same++
				}
			}
			if found[l] != want*same {
				t.Fatalf("%q in %q: found %d, want %d", l, text, found[l], want*same)
			}
		}
	})
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
