package schema

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Bounds of one description.
const (
	maxListed     = 12 // values of an enum, names of properties
	maxWordsDepth = 3
	maxBranches   = 4
)

// describe says in a noun phrase what the schemas together ask for, such as
// "a string of 3 to 20 characters matching ^[a-z]+$".
func (s *Schema) describeAll(schemas ...*jsonschema.Schema) string {
	return s.words(merge(schemas...), 0)
}

func (s *Schema) words(v *view, depth int) string {
	if v.never != "" {
		return "nothing"
	}
	if v.enumerated {
		if len(v.enum) == 1 {
			return jsonText(v.enum[0])
		}
		return "one of: " + listValues(v.enum)
	}
	if v.types == anyType {
		if phrase, done := s.untyped(v, depth); done {
			return phrase
		}
	}
	var phrases []string
	for _, name := range v.types.names() {
		phrases = append(phrases, s.typeWords(v, name, depth))
	}
	phrase := joinOr(phrases)
	if len(v.types.names()) == 1 && v.types == objectType && len(v.choices) > 0 {
		if forms := s.branchWords(v, depth); forms != "" {
			return phrase + " that is " + forms
		}
	}
	return phrase
}

// untyped describes a view that names no type: by its alternatives, or by the
// type that its keywords speak of.
func (s *Schema) untyped(v *view, depth int) (string, bool) {
	if implied := v.implied(); len(implied) > 0 {
		phrases := make([]string, len(implied))
		for i, t := range implied {
			phrases[i] = s.typeWords(v, t.nameOfOne(), depth)
		}
		return joinOr(phrases), true
	}
	if phrase := s.branchWords(v, depth); phrase != "" {
		return phrase, true
	}
	for _, source := range v.sources {
		if source.Not != nil {
			return "anything but " + s.describeAt(depth+1, source.Not), true
		}
	}
	return "any value", true
}

func (s *Schema) describeAt(depth int, schemas ...*jsonschema.Schema) string {
	if depth > maxWordsDepth {
		return "a value"
	}
	return s.words(merge(schemas...), depth)
}

func (s *Schema) branchWords(v *view, depth int) string {
	var phrases []string
	for _, c := range v.choices {
		if c.conditional {
			continue
		}
		for _, a := range c.alternatives[:min(len(c.alternatives), maxListed)] {
			phrase := s.describeAt(depth+1, a.all...)
			if !slices.Contains(phrases, phrase) {
				phrases = append(phrases, phrase)
			}
		}
	}
	if len(phrases) > maxBranches {
		phrases = append(phrases[:maxBranches], "one of the other forms")
	}
	return joinOr(phrases)
}

func (s *Schema) typeWords(v *view, name string, depth int) string {
	switch name {
	case "string":
		return stringWords(v)
	case "integer", "number":
		return numberWords(v, name)
	case "boolean":
		return "true or false"
	case "array":
		return s.arrayWords(v, depth)
	case "object":
		return s.objectWords(v, depth)
	}
	return "null"
}

// formatNouns names the formats for people, each with its shape.
var formatNouns = map[string]string{
	"email":                 "an email address",
	"uri":                   "a complete URL such as https://example.com/path",
	"iri":                   "a complete URL such as https://example.com/path",
	"uri-reference":         "a URL or a relative reference",
	"iri-reference":         "a URL or a relative reference",
	"uri-template":          "a URI template such as https://example.com/{id}",
	"uuid":                  "a UUID such as 123e4567-e89b-12d3-a456-426614174000",
	"date":                  "a date as YYYY-MM-DD",
	"time":                  "a time with zone such as 14:30:00Z",
	"date-time":             "a date and time such as 2026-01-31T14:30:00Z",
	"duration":              "an ISO 8601 duration such as P1DT12H",
	"period":                "an ISO 8601 period such as 2026-01-01T00:00:00Z/P1D",
	"ipv4":                  "an IPv4 address such as 192.0.2.1",
	"ipv6":                  "an IPv6 address such as 2001:db8::1",
	"hostname":              "a host name such as example.com",
	"regex":                 "a regular expression",
	"json-pointer":          "a JSON Pointer such as /a/0",
	"relative-json-pointer": "a relative JSON Pointer such as 1/a",
	"semver":                "a semantic version such as 1.2.3",
}

func stringWords(v *view) string {
	noun, shaped := "a string", false
	for _, source := range v.sources {
		if source.Format != nil && formatNouns[source.Format.Name] != "" {
			noun, shaped = formatNouns[source.Format.Name], true
		}
	}
	switch length := characters.between(v.minLength, v.maxLength); {
	case length == "":
	case v.minLength == 1 && v.maxLength == noLimit && !shaped:
		noun = "a non-empty string"
	case v.minLength == 1 && v.maxLength == noLimit:
	default:
		noun += " of " + length
	}
	var patterns []string
	for _, source := range v.sources {
		// A pattern beside a format usually spells the format out.
		if source.Pattern != nil && !(shaped && len(source.Pattern.String()) > 60) {
			patterns = append(patterns, cut(source.Pattern.String(), 200))
		}
	}
	if len(patterns) > 0 {
		noun += " matching " + strings.Join(patterns, " and ")
	}
	return noun
}

// noun is a word for things that are counted.
type noun struct{ one, many string }

var (
	characters = noun{"character", "characters"}
	items      = noun{"item", "items"}
	properties = noun{"property", "properties"}
)

func (n noun) count(many int) string {
	if many == 1 {
		return "1 " + n.one
	}
	return strconv.Itoa(many) + " " + n.many
}

// between says how many there may be, "" where any number will do.
func (n noun) between(low, high int) string {
	switch {
	case high == noLimit && low == 0:
		return ""
	case high == noLimit:
		return "at least " + n.count(low)
	case low == high:
		return "exactly " + n.count(low)
	case low == 0:
		return "at most " + n.count(high)
	}
	return fmt.Sprintf("%d to %s", low, n.count(high))
}

func numberWords(v *view, name string) string {
	noun := withArticle(name)
	bounds := rangeWords(v)
	var multiples []string
	for _, m := range v.multiples {
		multiples = append(multiples, "a multiple of "+numberText(m))
	}
	switch {
	case len(multiples) == 0:
		return strings.TrimSpace(noun + " " + bounds)
	case bounds == "" && (name == "number" || allInts(v.multiples)):
		return strings.Join(multiples, " and ")
	}
	return strings.TrimSpace(noun+" "+bounds) + " that is " + strings.Join(multiples, " and ")
}

func allInts(numbers []*big.Rat) bool {
	return !slices.ContainsFunc(numbers, func(n *big.Rat) bool { return !n.IsInt() })
}

// safeInteger is the bound that generators write for "any integer".
var safeInteger = big.NewRat(1<<53-1, 1)

func rangeWords(v *view) string {
	lower, upper := v.lower, v.upper
	if lower != nil && new(big.Rat).Neg(lower.value).Cmp(safeInteger) >= 0 {
		lower = nil
	}
	if upper != nil && upper.value.Cmp(safeInteger) >= 0 {
		upper = nil
	}
	var from, to string
	if lower != nil {
		from = "of at least " + numberText(lower.value)
		if lower.exclusive {
			from = "greater than " + numberText(lower.value)
		}
	}
	if upper != nil {
		to = "of at most " + numberText(upper.value)
		if upper.exclusive {
			to = "less than " + numberText(upper.value)
		}
	}
	switch {
	case lower == nil || upper == nil:
		return from + to
	case !lower.exclusive && !upper.exclusive:
		return "from " + numberText(lower.value) + " to " + numberText(upper.value)
	case lower.exclusive:
		return from + " and " + strings.TrimPrefix(to, "of ")
	}
	return from + " and " + to
}

func (s *Schema) arrayWords(v *view, depth int) string {
	var rests []*jsonschema.Schema
	var fixed []string
	for _, source := range v.sources {
		prefix, rest := tuple(source)
		for _, sub := range prefix {
			fixed = append(fixed, s.describeAt(depth+1, sub))
		}
		if sub, ok := rest.(*jsonschema.Schema); ok {
			rests = append(rests, sub)
		}
	}
	if len(fixed) > 0 {
		return "an array of " + strings.Join(fixed, ", then ")
	}
	size := items.between(v.minItems, v.maxItems)
	noun := "an array"
	of, each := s.itemWords(rests, depth)
	switch {
	case of != "" && size != "":
		noun = "an array of " + of + " with " + size
	case of != "" || size != "":
		noun = "an array of " + of + size
	}
	if v.unique {
		noun += ", all different"
	}
	if each != "" {
		noun += ", each " + each
	}
	for _, source := range v.sources {
		if source.Contains != nil {
			noun += ", among them " + s.describeAt(depth+1, source.Contains)
		}
	}
	return noun
}

// itemWords names the items of an array by their type, and says what each of
// them must be where that is more.
func (s *Schema) itemWords(items []*jsonschema.Schema, depth int) (of, each string) {
	if len(items) == 0 {
		return "", ""
	}
	v := merge(items...)
	if v.never != "" || v.types == anyType && !v.enumerated && len(v.choices) == 0 && len(v.implied()) == 0 {
		return "", ""
	}
	each = s.describeAt(depth+1, items...)
	names := v.types.names()
	if v.enumerated || len(names) != 1 {
		return "", each
	}
	plain := s.typeWords(merge(), names[0], depth)
	if each == plain || each == "a value" {
		each = ""
	}
	return names[0] + "s", each
}

func (s *Schema) objectWords(v *view, depth int) string {
	noun := "an object"
	if len(v.required) > 0 {
		return noun + " with " + joinAnd(quoteAll(v.required))
	}
	if names := v.declared(s.rank); len(names) > 0 {
		return noun + " that may have " + joinAnd(quoteAll(names))
	}
	if size := properties.between(v.minProperties, v.maxProperties); size != "" {
		return noun + " of " + size
	}
	for _, source := range v.sources {
		if sub, ok := source.AdditionalProperties.(*jsonschema.Schema); ok && (sub.Bool == nil) {
			return noun + " whose values are each " + s.describeAt(depth+1, sub)
		}
	}
	return noun
}

// implied lists the types that the keywords speak of, where type is absent.
func (v *view) implied() []typeSet {
	var object, array, text, number bool
	for _, s := range v.sources {
		object = object || len(s.Properties) > 0 || len(s.PatternProperties) > 0 || s.AdditionalProperties != nil || len(s.Required) > 0 ||
			s.PropertyNames != nil || s.MinProperties != nil || s.MaxProperties != nil || len(s.Dependencies) > 0 ||
			len(s.DependentRequired) > 0 || len(s.DependentSchemas) > 0 || s.UnevaluatedProperties != nil
		array = array || s.Items != nil || s.Items2020 != nil || len(s.PrefixItems) > 0 || s.Contains != nil || s.UniqueItems ||
			s.MinItems != nil || s.MaxItems != nil || s.UnevaluatedItems != nil
		text = text || s.MinLength != nil || s.MaxLength != nil || s.Pattern != nil || s.Format != nil
		number = number || s.Minimum != nil || s.Maximum != nil || s.ExclusiveMinimum != nil || s.ExclusiveMaximum != nil || s.MultipleOf != nil
	}
	var out []typeSet
	for _, known := range []struct {
		is bool
		t  typeSet
	}{{object, objectType}, {array, arrayType}, {text, stringType}, {number, numberType}} {
		if known.is && v.types&known.t != 0 {
			out = append(out, v.types&known.t)
		}
	}
	return out
}

// instruct makes the sentence that asks for a described value.
func instruct(phrase string) string {
	switch {
	case strings.HasPrefix(phrase, "one of: "):
		return "Use " + phrase + "."
	case phrase == "true or false":
		return "Use true or false, without quotes."
	case phrase == "null":
		return "Use null."
	case phrase == "nothing":
		return "Leave it out."
	case strings.HasPrefix(phrase, `"`):
		return "Use exactly " + phrase + "."
	}
	return "Provide " + phrase + "."
}
