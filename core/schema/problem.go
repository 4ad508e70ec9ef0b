package schema

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// problem says in a sentence what one failed keyword means, and to which
// group of suggestions it belongs.
func (s *Schema) problem(f failure, received any) (string, suggestionGroup) {
	text, group := s.statement(f, received)
	if f.forms > 1 {
		text += fmt.Sprintf(" This is the nearest of the %d forms allowed here.", f.forms)
	}
	if why := s.condition(f); why != "" {
		text = strings.TrimSuffix(text, ".") + ", because " + why + "."
	}
	return text, group
}

// statement finds the sentence in the family that the keyword belongs to.
func (s *Schema) statement(f failure, received any) (string, suggestionGroup) {
	it := upperFirst(label(f.at))
	if f.union != nil {
		return s.unionStatement(f, it, received)
	}
	if k, ok := f.kind.(*kind.Type); ok {
		return typeStatement(it, k, received), wrongType
	}
	if text := valueStatement(it, f.kind); text != "" {
		return text, wrongValue
	}
	if text := formatStatement(it, f.kind); text != "" {
		return text, wrongFormat
	}
	for _, family := range []string{sizeStatement(it, f.kind), boundStatement(it, f.kind), s.itemStatement(it, f)} {
		if family != "" {
			return family, outOfRange
		}
	}
	return s.shapeStatement(f, it)
}

// valueStatement is for the keywords that list the values themselves.
func valueStatement(it string, k jsonschema.ErrorKind) string {
	var want []any
	switch k := k.(type) {
	case *kind.Const:
		want = []any{k.Want}
	case *kind.Enum:
		want = k.Want
		if len(want) == 0 {
			return it + " has an empty list of allowed values: nothing fits."
		}
	default:
		return ""
	}
	if len(want) == 1 {
		return fmt.Sprintf("%s must be exactly %s.", it, jsonText(want[0]))
	}
	return it + " is not one of the allowed values."
}

// formatStatement is for what the text of a string must look like.
func formatStatement(it string, k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.Format:
		if noun := formatNouns[k.Want]; noun != "" {
			return fmt.Sprintf("%s is not %s.", it, noun)
		}
		return fmt.Sprintf("%s is not of the format %s.", it, quoted(k.Want))
	case *kind.Pattern:
		return fmt.Sprintf("%s does not match the pattern %s.", it, cut(k.Want, 200))
	case *kind.ContentEncoding:
		return fmt.Sprintf("%s is not %s encoded.", it, k.Want)
	case *kind.ContentMediaType:
		return fmt.Sprintf("%s does not hold %s.", it, k.Want)
	case *kind.ContentSchema:
		return it + " holds text that does not fit the schema of its content."
	}
	return ""
}

// sizeStatement is for how long or how many.
func sizeStatement(it string, k jsonschema.ErrorKind) string {
	few := func(n noun, got, want int) string {
		return fmt.Sprintf("%s has %s; at least %d %s needed.", it, n.count(got), want, isOrAre(want))
	}
	many := func(n noun, got, want int) string {
		return fmt.Sprintf("%s has %s; at most %d %s allowed.", it, n.count(got), want, isOrAre(want))
	}
	switch k := k.(type) {
	case *kind.MinLength:
		if k.Got == 0 {
			return it + " is empty."
		}
		return few(characters, k.Got, k.Want)
	case *kind.MaxLength:
		return many(characters, k.Got, k.Want)
	case *kind.MinItems:
		return few(items, k.Got, k.Want)
	case *kind.MaxItems:
		return many(items, k.Got, k.Want)
	case *kind.MinProperties:
		return few(properties, k.Got, k.Want)
	case *kind.MaxProperties:
		return many(properties, k.Got, k.Want)
	}
	return ""
}

func isOrAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// boundStatement is for numbers.
func boundStatement(it string, k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.Minimum:
		return fmt.Sprintf("%s is below its minimum of %s.", it, numberText(k.Want))
	case *kind.Maximum:
		return fmt.Sprintf("%s is above its maximum of %s.", it, numberText(k.Want))
	case *kind.ExclusiveMinimum:
		return fmt.Sprintf("%s must be greater than %s.", it, numberText(k.Want))
	case *kind.ExclusiveMaximum:
		return fmt.Sprintf("%s must be less than %s.", it, numberText(k.Want))
	case *kind.MultipleOf:
		return fmt.Sprintf("%s is not a multiple of %s.", it, numberText(k.Want))
	}
	return ""
}

// itemStatement is for what is wrong with the items of an array together.
func (s *Schema) itemStatement(it string, f failure) string {
	switch k := f.kind.(type) {
	case *kind.UniqueItems:
		return fmt.Sprintf("%s must have no item twice, and items %d and %d are the same.", it, k.Duplicates[0], k.Duplicates[1])
	case *kind.AdditionalItems:
		return fmt.Sprintf("%s has %s too many.", it, items.count(k.Count))
	case *kind.Contains:
		return fmt.Sprintf("%s has no item that is %s.", it, s.containsWords(f))
	case *kind.MinContains:
		return fmt.Sprintf("%s must have at least %s, and has %d.", it, fitting(items.count(k.Want), k.Want, s.containsWords(f)), len(k.Got))
	case *kind.MaxContains:
		return fmt.Sprintf("%s must have at most %s, and has %d.", it, fitting(items.count(k.Want), k.Want, s.containsWords(f)), len(k.Got))
	}
	return ""
}

// fitting says what a number of items are: one is something, several are it
// each.
func fitting(number string, n int, what string) string {
	if n == 1 {
		return number + " that is " + what
	}
	return number + " that are each " + what
}

// shapeStatement is for the keywords about an object's members and for those
// that apply whole schemas.
func (s *Schema) shapeStatement(f failure, it string) (string, suggestionGroup) {
	switch k := f.kind.(type) {
	case *kind.Required:
		if f.near != "" {
			return fmt.Sprintf("%s is required and missing; %s looks like it.", it, quoted(f.near)), missing
		}
		return it + " is required and missing.", missing
	case *kind.DependentRequired:
		return fmt.Sprintf("%s is required whenever %s is present.", it, quoted(k.Prop)), missing
	case *kind.Dependency:
		return fmt.Sprintf("%s is required whenever %s is present.", it, quoted(k.Prop)), missing
	case *kind.AdditionalProperties:
		return s.unknownStatement(f, it), unknown
	case *kind.PropertyNames:
		return fmt.Sprintf("The name %s is not allowed for a property %s.", quoted(k.Property), within(f.at)), unknown
	case *kind.FalseSchema:
		if len(f.at) == 0 {
			return "No arguments are allowed: the schema is false.", general
		}
		if strings.HasSuffix(f.place, "/unevaluatedProperties") || !isIndex(f.at[len(f.at)-1]) {
			return s.unknownStatement(f, it), unknown
		}
		return it + " is not allowed: the array ends before it.", outOfRange
	case *kind.Not:
		if f.schema != nil {
			return fmt.Sprintf("%s must not be %s.", it, s.describeAll(f.schema.Not)), general
		}
	case *kind.OneOf:
		if len(k.Subschemas) > 1 {
			return fmt.Sprintf("%s fits two of the allowed forms at once (numbers %d and %d) and must fit exactly one.", it, k.Subschemas[0]+1, k.Subschemas[1]+1), general
		}
	}
	return it + " does not fit the schema.", general
}

func (s *Schema) unknownStatement(f failure, it string) string {
	if f.near != "" && s.missingAt(f, f.near) {
		return fmt.Sprintf("%s is not a property %s; %s is required and missing.", it, within(f.at), quoted(f.near))
	}
	return fmt.Sprintf("%s is not a property %s.", it, within(f.at))
}

// missingAt reports whether the schema at a failure requires the name.
func (s *Schema) missingAt(f failure, name string) bool {
	if f.schema == nil {
		return false
	}
	for _, required := range merge(f.schema).required {
		if required == name {
			return true
		}
	}
	return false
}

// within names the object that a member is in.
func within(at []string) string {
	if len(at) <= 1 {
		return "of this tool"
	}
	return "of " + label(at[:len(at)-1])
}

func typeStatement(it string, k *kind.Type, received any) string {
	var want []string
	for _, name := range k.Want {
		want = append(want, withArticle(name))
	}
	if text, ok := received.(string); ok {
		if inner, ok := stringified(text); ok {
			for _, name := range k.Want {
				if typesByName[name]&typeOf(inner) != 0 {
					return fmt.Sprintf("%s must be %s, and is a string that contains one as JSON.", it, joinOr(want))
				}
			}
		}
	}
	got := withArticle(k.Got)
	return fmt.Sprintf("%s must be %s, and is %s.", it, joinOr(want), got)
}

func (s *Schema) containsWords(f failure) string {
	if f.schema == nil {
		return "as wanted"
	}
	return s.describeAll(f.schema.Contains)
}

// kindWords describes what a keyword of the validator's own schemas wants.
func kindWords(k jsonschema.ErrorKind) string {
	number := func(words string, n *big.Rat) string { return words + " " + numberText(n) }
	switch k := k.(type) {
	case *kind.Type:
		var want []string
		for _, name := range k.Want {
			want = append(want, withArticle(name))
		}
		return joinOr(want)
	case *kind.Enum:
		return "one of: " + listValues(k.Want)
	case *kind.Const:
		return jsonText(k.Want)
	case *kind.Minimum:
		return number("a number of at least", k.Want)
	case *kind.ExclusiveMinimum:
		return number("a number greater than", k.Want)
	case *kind.Pattern:
		return "a string matching " + k.Want
	case *kind.Format:
		return withFormat(k.Want)
	case *kind.MinItems:
		return "at least " + items.count(k.Want)
	case *kind.UniqueItems:
		return "an array without repetitions"
	}
	return "what JSON Schema allows here"
}

func withFormat(name string) string {
	if noun, ok := formatNouns[name]; ok {
		return noun
	}
	return "a string of the format " + name
}

// label names a place for use in a sentence.
func label(at []string) string {
	if len(at) == 0 {
		return "the whole value"
	}
	last := at[len(at)-1]
	if !isIndex(last) {
		return quoted(last)
	}
	if len(at) == 1 {
		return "item " + last
	}
	return "item " + last + " of " + label(at[:len(at)-1])
}

// condition says why a schema under then, else or dependentSchemas applies.
func (s *Schema) condition(f failure) string {
	place := f.place
	for {
		at := strings.LastIndexByte(place, '/')
		if at < 0 || strings.IndexByte(place, '#') > at {
			return ""
		}
		token := place[at+1:]
		place = place[:at]
		parent := s.byPlace[place]
		switch {
		case parent != nil && parent.If != nil && token == "then":
			return s.conditionWords(parent.If, "")
		case parent != nil && parent.If != nil && token == "else":
			return s.conditionWords(parent.If, "not ")
		case strings.HasSuffix(place, "/dependentSchemas"), strings.HasSuffix(place, "/dependencies"):
			return quoted(unescapeFragment(tokenUnescapes.Replace(token))) + " is present"
		}
	}
}

func (s *Schema) conditionWords(condition *jsonschema.Schema, not string) string {
	v := merge(condition)
	var parts []string
	for _, name := range v.declared(s.rank) {
		sub, _ := v.property(name)
		if phrase := s.describeAll(sub...); phrase != "any value" {
			parts = append(parts, quoted(name)+" is "+not+phrase)
		}
	}
	if len(parts) == 0 && len(v.required) > 0 {
		verb := " is "
		if len(v.required) > 1 {
			verb = " are "
		}
		return joinAnd(quoteAll(v.required)) + verb + not + "present"
	}
	if len(parts) == 0 {
		return "of what else was given"
	}
	if not != "" {
		return joinOr(parts)
	}
	return joinAnd(parts)
}
