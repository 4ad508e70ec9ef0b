package schema

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// numberText writes a bound for people, exactly unless that is very long.
func numberText(number *big.Rat) string {
	if text := number.Num().String(); number.IsInt() && len(text) <= 21 {
		return text
	}
	for _, digits := range []int{1, 2, 3, 4, 6, 8, 12, 18, 25} {
		text := number.FloatString(digits)
		if back, ok := new(big.Rat).SetString(text); ok && back.Cmp(number) == 0 {
			return strings.TrimRight(text, "0")
		}
	}
	value, _ := number.Float64()
	return strconv.FormatFloat(value, 'g', -1, 64)
}

func withArticle(noun string) string {
	if noun != "" && strings.IndexByte("aeio", noun[0]) >= 0 {
		return "an " + noun
	}
	if noun == "null" {
		return noun
	}
	return "a " + noun
}

func listValues(values []any) string {
	var out []string
	for i, value := range values {
		if i == maxListed {
			out = append(out, fmt.Sprintf("and %d more", len(values)-i))
			break
		}
		out = append(out, jsonText(value))
	}
	return strings.Join(out, ", ")
}

func joinOr(phrases []string) string  { return join(phrases, " or ") }
func joinAnd(phrases []string) string { return join(phrases, " and ") }

func join(phrases []string, last string) string {
	if len(phrases) > maxListed {
		phrases = append(slices.Clone(phrases[:maxListed]), fmt.Sprintf("%d more", len(phrases)-maxListed))
	}
	switch len(phrases) {
	case 0:
		return ""
	case 1:
		return phrases[0]
	}
	return strings.Join(phrases[:len(phrases)-1], ", ") + last + phrases[len(phrases)-1]
}

func quoteAll(names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = quoted(name)
	}
	return out
}

// quoted writes a name or value as JSON, cut to a readable length.
func quoted(s string) string { return jsonText(cut(s, 100)) }

func jsonText(value any) string {
	if text, ok := value.(string); ok {
		value = cut(text, 100)
	}
	return cut(string(encode(value, nil)), 200)
}

// cut shortens a text at a character boundary and says so.
func cut(text string, length int) string {
	if len(text) <= length {
		return text
	}
	for length > 0 && text[length]&0xC0 == 0x80 {
		length--
	}
	return text[:length] + "…"
}

func lowerFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}

func upperFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
