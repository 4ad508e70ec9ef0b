package triage

import (
	"sort"
	"strings"
)

// stripped is a text without terminal control sequences that still knows
// where each byte came from.
type stripped struct {
	text  string
	plain []int // where a run of kept bytes begins in text
	given []int // where it began in the text as given
}

// strip takes ANSI sequences out. A text without any, nearly all of them, is
// not copied.
func strip(given string) stripped {
	at := strings.IndexByte(given, 0x1b)
	if at < 0 {
		return stripped{text: given}
	}
	var s stripped
	var kept strings.Builder
	kept.Grow(len(given))
	run := 0
	keep := func(to int) {
		if to > run {
			s.plain = append(s.plain, kept.Len())
			s.given = append(s.given, run)
			kept.WriteString(given[run:to])
		}
	}
	for at >= 0 {
		keep(at)
		run = at + escapeLength(given[at:])
		at = strings.IndexByte(given[run:], 0x1b)
		if at >= 0 {
			at += run
		}
	}
	keep(len(given))
	s.text = kept.String()
	return s
}

// escapeLength measures the control sequence at the start of s: CSI up to its
// final byte, OSC up to BEL or ST, else ESC and one byte. Sequences that never
// end are cut off, since a log may have been cut inside one.
func escapeLength(s string) int {
	const longest = 256
	if len(s) < 2 {
		return len(s)
	}
	limit := min(len(s), longest)
	switch s[1] {
	case '[':
		for i := 2; i < limit; i++ {
			if s[i] >= 0x40 && s[i] <= 0x7e {
				return i + 1
			}
			if s[i] < 0x20 {
				return i
			}
		}
	case ']':
		for i := 2; i < limit; i++ {
			if s[i] == 7 {
				return i + 1
			}
			if s[i] == 0x1b || s[i] == '\n' {
				return i
			}
		}
	}
	return 2
}

// offset translates an offset of the stripped text to the text as given.
func (s stripped) offset(plain int) int {
	if s.plain == nil {
		return plain
	}
	run := sort.SearchInts(s.plain, plain+1) - 1
	if run < 0 {
		return 0
	}
	return s.given[run] + plain - s.plain[run]
}

// end translates the offset behind a range, so that a sequence which follows
// the range stays outside it.
func (s stripped) end(plain int) int {
	if plain == 0 {
		return 0
	}
	return s.offset(plain-1) + 1
}
