package schema

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"unicode/utf8"
)

func number(text string) json.Number { return json.Number(text) }

// maxExampleLength is the longest string that is built to reach a minLength.
const maxExampleLength = 10_000

// strings proposes texts: one quoted in the description, one by format, one
// by the name of the property, one made from the pattern, one of the length.
func (g *generator) strings(v *view, at place, avoid []any, yield func(any) bool) {
	if v.minLength > maxExampleLength || v.maxLength != noLimit && v.maxLength < v.minLength {
		return
	}
	var description string
	var formats []string
	var patterns []pattern
	for _, source := range v.sources {
		if description == "" {
			description = source.Description
		}
		if source.Format != nil {
			formats = append(formats, source.Format.Name)
		}
		if p, ok := source.Pattern.(pattern); ok {
			patterns = append(patterns, p)
		}
	}
	proposals := quotedExamples(description)
	for _, format := range formats {
		proposals = append(proposals, formatExamples[format]...)
	}
	meant := meaning(at.name, description)
	proposals = append(proposals, meant)
	if len(patterns) > 0 { // a pattern often refuses no more than the separator
		for _, separator := range []string{"_", "-", ""} {
			proposals = append(proposals, strings.NewReplacer(" ", separator, "-", separator).Replace(meant))
		}
	}
	for _, p := range patterns {
		proposals = append(proposals, p.Examples(v.minLength, v.maxLength, len(avoid)+3)...)
	}
	for _, proposal := range proposals {
		if !yield(proposal) {
			return
		}
	}
	for _, proposal := range proposals {
		if fitted := fitLength(proposal, v.minLength, v.maxLength); fitted != proposal && !yield(fitted) {
			return
		}
	}
	for i := range len(avoid) + 2 {
		for _, proposal := range []string{meant, "example", ""} {
			suffix := fmt.Sprintf("%d", i+2)
			limit := v.maxLength
			if limit != noLimit {
				limit = max(limit-len(suffix), 0)
			}
			if !yield(fitLength(proposal, 0, limit) + suffix) {
				return
			}
		}
	}
	yield("")
}

// fitLength cuts or pads a text.
func fitLength(text string, low, high int) string {
	runes := []rune(text)
	if high != noLimit && len(runes) > high {
		return strings.TrimSpace(string(runes[:high]))
	}
	if len(runes) >= low {
		return text
	}
	filler := []rune(" " + text)
	if text == "" {
		filler = []rune("example ")
	}
	for len(runes) < low {
		runes = append(runes, filler[:min(len(filler), low-len(runes))]...)
	}
	if last := len(runes) - 1; runes[last] == ' ' {
		runes[last] = 'x'
	}
	return string(runes)
}

// formatExamples are values of the formats that need no thought.
var formatExamples = map[string][]string{
	"email":                 {"you@example.com", "team@example.com", "support@example.org"},
	"idn-email":             {"you@example.com"},
	"uri":                   {"https://example.com/docs", "https://example.org/page"},
	"url":                   {"https://example.com/docs"},
	"iri":                   {"https://example.com/docs"},
	"uri-reference":         {"/docs/start"},
	"iri-reference":         {"/docs/start"},
	"uri-template":          {"https://example.com/{id}"},
	"uuid":                  {"123e4567-e89b-12d3-a456-426614174000", "123e4567-e89b-42d3-a456-426614174001"},
	"date":                  {"2026-01-31", "2026-02-28"},
	"time":                  {"14:30:00Z", "15:45:00Z"},
	"date-time":             {"2026-01-31T14:30:00Z", "2026-02-28T09:00:00Z"},
	"duration":              {"P1DT12H", "PT30M"},
	"period":                {"2026-01-01T00:00:00Z/P1D"},
	"ipv4":                  {"192.0.2.1", "192.0.2.2"},
	"ipv6":                  {"2001:db8::1", "2001:db8::2"},
	"hostname":              {"example.com", "example.org"},
	"idn-hostname":          {"example.com"},
	"regex":                 {"^[a-z]+$", "^[0-9]+$"},
	"json-pointer":          {"/items/0", "/items/1"},
	"relative-json-pointer": {"1/items", "0#"},
	"semver":                {"1.2.3", "2.0.0"},
}

// numbers proposes numbers: one quoted in the description, one by name, then
// small ones within the bounds, then those near the bounds.
func (g *generator) numbers(v *view, at place, t typeSet, avoid []any, yield func(any) bool) {
	step := commonMultiple(v.multiples)
	if t == integerType {
		step = lcm(step, big.NewRat(1, 1))
	}
	offer := func(value *big.Rat) bool {
		if value == nil || !v.inBounds(value) {
			return true
		}
		if step != nil && !new(big.Rat).Quo(value, step).IsInt() {
			return true
		}
		return yield(number(numberLiteral(value)))
	}
	for _, source := range v.sources {
		for _, text := range quotedExamples(source.Description) {
			if len(text) < 20 && reasonable(text) && json.Valid([]byte(text)) {
				if value, ok := new(big.Rat).SetString(text); ok && !offer(value) {
					return
				}
			}
		}
	}
	if hint, ok := numberMeaning(at.name); ok && !offer(big.NewRat(hint, 1)) {
		return
	}
	for _, small := range []int64{10, 1, 5, 100, 0, -1} {
		if !offer(big.NewRat(small, 1)) {
			return
		}
	}
	for i := range int64(len(avoid) + 3) {
		for _, start := range v.starts(step) {
			if !offer(start(i)) {
				return
			}
		}
	}
}

func (v *view) inBounds(value *big.Rat) bool {
	if v.lower != nil {
		if order := value.Cmp(v.lower.value); order < 0 || order == 0 && v.lower.exclusive {
			return false
		}
	}
	if v.upper != nil {
		if order := value.Cmp(v.upper.value); order > 0 || order == 0 && v.upper.exclusive {
			return false
		}
	}
	return true
}

// starts are series of numbers that begin near each bound, and between them.
func (v *view) starts(step *big.Rat) []func(int64) *big.Rat {
	unit := step
	if unit == nil {
		unit = big.NewRat(1, 1)
	}
	along := func(from *big.Rat, up bool) func(int64) *big.Rat {
		quotient := new(big.Rat).Quo(from, unit)
		whole := new(big.Int).Div(quotient.Num(), quotient.Denom()) // rounds down
		return func(i int64) *big.Rat {
			n := new(big.Int).Add(whole, big.NewInt(i))
			if !up {
				n = new(big.Int).Sub(whole, big.NewInt(i))
			}
			return new(big.Rat).Mul(new(big.Rat).SetInt(n), unit)
		}
	}
	var out []func(int64) *big.Rat
	if v.lower != nil {
		out = append(out, along(v.lower.value, true))
		if step == nil {
			out = append(out, func(int64) *big.Rat { return v.lower.value })
		}
	}
	if v.upper != nil {
		out = append(out, along(v.upper.value, false))
		if step == nil {
			out = append(out, func(int64) *big.Rat { return v.upper.value })
		}
	}
	if v.lower != nil && v.upper != nil && step == nil {
		out = append(out, func(i int64) *big.Rat { // halves the gap above the lower bound
			gap := new(big.Rat).Sub(v.upper.value, v.lower.value)
			return new(big.Rat).Add(v.lower.value, gap.Mul(gap, big.NewRat(1, 2<<i)))
		})
	}
	if len(out) == 0 {
		out = append(out, along(new(big.Rat), true), along(new(big.Rat), false))
	}
	return out
}

func commonMultiple(multiples []*big.Rat) *big.Rat {
	var out *big.Rat
	for _, m := range multiples {
		out = lcm(out, m)
	}
	return out
}

// lcm gives the smallest number that both divide; nil divides everything.
func lcm(a, b *big.Rat) *big.Rat {
	if a == nil {
		return b
	}
	if b == nil || a.Sign() <= 0 || b.Sign() <= 0 {
		return a
	}
	// a = p/q, b = r/s: lcm(p*s, r*q) / (q*s)
	left := new(big.Int).Mul(a.Num(), b.Denom())
	right := new(big.Int).Mul(b.Num(), a.Denom())
	gcd := new(big.Int).GCD(nil, nil, left, right)
	multiple := new(big.Int).Mul(new(big.Int).Div(left, gcd), right)
	return new(big.Rat).SetFrac(multiple, new(big.Int).Mul(a.Denom(), b.Denom()))
}

// numberLiteral writes a number as JSON, exactly where that is possible.
func numberLiteral(value *big.Rat) string {
	if value.IsInt() {
		return value.Num().String()
	}
	for digits := 1; digits <= maxNumberLength/2; digits *= 2 {
		text := value.FloatString(digits)
		if back, ok := new(big.Rat).SetString(text); ok && back.Cmp(value) == 0 {
			return strings.TrimRight(text, "0")
		}
	}
	return value.FloatString(6)
}

// lastName gives the name of the property that a pointer leads to, or that of
// the array around it.
func lastName(field string) string {
	tokens := strings.Split(field, "/")
	for i := len(tokens) - 1; i > 0; i-- {
		if !isIndex(tokens[i]) {
			name := tokenUnescapes.Replace(tokens[i])
			if i < len(tokens)-1 {
				return singular(name)
			}
			return name
		}
	}
	return ""
}

func depthOf(field string) int { return strings.Count(field, "/") }

func escapeToken(name string) string {
	return tokenEscapes.Replace(name)
}

// singular gives the name of one item of a list.
func singular(name string) string {
	switch {
	case strings.HasSuffix(name, "ies") && len(name) > 4:
		return strings.TrimSuffix(name, "ies") + "y"
	case strings.HasSuffix(name, "ses"), strings.HasSuffix(name, "xes"), strings.HasSuffix(name, "ches"):
		return strings.TrimSuffix(name, "es")
	case strings.HasSuffix(name, "s") && !strings.HasSuffix(name, "ss") && utf8.RuneCountInString(name) > 2:
		return strings.TrimSuffix(name, "s")
	}
	return name
}
