package ecma

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// set is a set of characters: ranges, Unicode classes, or all but those.
type set struct {
	ranges  []interval
	tables  []property
	negated bool
}

type interval struct{ low, high rune }

// property is a Unicode property class, or all but it.
type property struct {
	name    string // as Go's regexp syntax spells it
	table   *unicode.RangeTable
	negated bool
}

func (s *set) contains(r rune) bool {
	return s.member(r) != s.negated
}

func (s *set) member(r rune) bool {
	for _, i := range s.ranges {
		if i.low <= r && r <= i.high {
			return true
		}
	}
	for _, p := range s.tables {
		if unicode.Is(p.table, r) != p.negated {
			return true
		}
	}
	return false
}

func (s *set) re2() string {
	if len(s.ranges) == 0 && len(s.tables) == 0 {
		if s.negated {
			return `(?s:.)`
		}
		return `[^\x{0}-\x{10FFFF}]`
	}
	var out strings.Builder
	out.WriteByte('[')
	if s.negated {
		out.WriteByte('^')
	}
	for _, i := range s.ranges {
		fmt.Fprintf(&out, `\x{%X}-\x{%X}`, i.low, i.high)
	}
	for _, p := range s.tables {
		if p.negated {
			fmt.Fprintf(&out, `\P{%s}`, p.name)
		} else {
			fmt.Fprintf(&out, `\p{%s}`, p.name)
		}
	}
	out.WriteByte(']')
	return out.String()
}

// add puts all of other into s. A negated other has ranges only: the parser
// makes none with property classes.
func (s *set) add(other *set) {
	if other.negated {
		s.ranges = append(s.ranges, complement(other.ranges)...)
		return
	}
	s.ranges = append(s.ranges, other.ranges...)
	s.tables = append(s.tables, other.tables...)
}

func complement(ranges []interval) []interval {
	sorted := slices.Clone(ranges)
	slices.SortFunc(sorted, func(a, b interval) int { return int(a.low - b.low) })
	var out []interval
	next := rune(0)
	for _, i := range sorted {
		if i.low > next {
			out = append(out, interval{next, i.low - 1})
		}
		next = max(next, i.high+1)
	}
	if next <= unicode.MaxRune {
		out = append(out, interval{next, unicode.MaxRune})
	}
	return out
}

// The classes of ECMA-262: \d and \w are ASCII, \s is not.
var (
	digits         = []interval{{'0', '9'}}
	wordCharacters = []interval{{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}}
	spaces         = []interval{{'\t', '\r'}, {' ', ' '}, {0xA0, 0xA0}, {0x1680, 0x1680}, {0x2000, 0x200A},
		{0x2028, 0x2029}, {0x202F, 0x202F}, {0x205F, 0x205F}, {0x3000, 0x3000}, {0xFEFF, 0xFEFF}}
	lineEnds = []interval{{'\n', '\n'}, {'\r', '\r'}, {0x2028, 0x2029}}
)

// longCategories maps the long names of ECMA-262 to the short ones Go knows.
var longCategories = map[string]string{
	"Letter": "L", "Cased_Letter": "LC", "Uppercase_Letter": "Lu", "Lowercase_Letter": "Ll", "Titlecase_Letter": "Lt",
	"Modifier_Letter": "Lm", "Other_Letter": "Lo",
	"Mark": "M", "Combining_Mark": "M", "Nonspacing_Mark": "Mn", "Spacing_Mark": "Mc", "Enclosing_Mark": "Me",
	"Number": "N", "Decimal_Number": "Nd", "digit": "Nd", "Letter_Number": "Nl", "Other_Number": "No",
	"Symbol": "S", "Math_Symbol": "Sm", "Currency_Symbol": "Sc", "Modifier_Symbol": "Sk", "Other_Symbol": "So",
	"Punctuation": "P", "punct": "P", "Connector_Punctuation": "Pc", "Dash_Punctuation": "Pd", "Open_Punctuation": "Ps",
	"Close_Punctuation": "Pe", "Initial_Punctuation": "Pi", "Final_Punctuation": "Pf", "Other_Punctuation": "Po",
	"Separator": "Z", "Space_Separator": "Zs", "Line_Separator": "Zl", "Paragraph_Separator": "Zp",
	"Other": "C", "Control": "Cc", "cntrl": "Cc", "Format": "Cf", "Surrogate": "Cs", "Private_Use": "Co",
}

// derived are the binary properties that Go has no table for under that name,
// as unions of categories and properties it has.
var derived = map[string][]string{
	"Alphabetic": {"L", "Nl", "Other_Alphabetic"},
	"Alpha":      {"L", "Nl", "Other_Alphabetic"},
	"Uppercase":  {"Lu", "Other_Uppercase"},
	"Lowercase":  {"Ll", "Other_Lowercase"},
	"ID_Start":   {"L", "Nl", "Other_ID_Start"},
}

// unicodeProperty resolves the inside of \p{…}.
func unicodeProperty(expression string, negated bool) (*set, error) {
	name, value, pair := strings.Cut(expression, "=")
	if pair {
		switch name {
		case "General_Category", "gc", "Script", "sc", "Script_Extensions", "scx":
			name = value
		default:
			return nil, fmt.Errorf(`the Unicode property \p{%s} is not known`, expression)
		}
	}
	switch name {
	case "Any":
		return &set{negated: !negated}, nil
	case "ASCII":
		return &set{ranges: []interval{{0, unicode.MaxASCII}}, negated: negated}, nil
	}
	if parts, ok := derived[name]; ok {
		s := &set{}
		for _, part := range parts {
			p, _ := lookUp(part)
			s.ranges = append(s.ranges, p.intervals()...)
		}
		s.negated = negated
		return s, nil
	}
	p, ok := lookUp(name)
	if !ok {
		return nil, fmt.Errorf(`the Unicode property \p{%s} is not known`, expression)
	}
	if p.name == "" { // Go's regexp syntax has no name for it
		return &set{ranges: p.intervals(), negated: negated}, nil
	}
	p.negated = negated
	return &set{tables: []property{p}}, nil
}

func lookUp(name string) (property, bool) {
	if short, ok := longCategories[name]; ok {
		name = short
	}
	if table, ok := unicode.Categories[name]; ok {
		return property{name: name, table: table}, true
	}
	if table, ok := unicode.Scripts[name]; ok {
		return property{name: name, table: table}, true
	}
	if table, ok := unicode.Properties[name]; ok {
		return property{table: table}, true
	}
	return property{}, false
}

func (p property) intervals() []interval {
	var out []interval
	add := func(low, high, stride rune) {
		if stride == 1 {
			out = append(out, interval{low, high})
			return
		}
		for r := low; r <= high; r += stride {
			out = append(out, interval{r, r})
		}
	}
	for _, r := range p.table.R16 {
		add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
	}
	for _, r := range p.table.R32 {
		add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
	}
	return out
}
