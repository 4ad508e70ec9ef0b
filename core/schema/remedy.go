package schema

import (
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// remedy says what is wanted at a place and how to get there.
func (s *Schema) remedy(group []failure, value, received any, present bool) (expected, fix string) {
	first := group[0]
	if expected, fix = s.keywordRemedy(first, value); expected != "" {
		return expected, fix
	}
	if first.union != nil {
		return s.unionRemedy(first.union, received)
	}
	var schemas []*jsonschema.Schema
	for _, f := range group {
		if f.schema != nil && !slices.Contains(schemas, f.schema) {
			schemas = append(schemas, f.schema)
		}
	}
	if len(schemas) == 0 {
		expected = kindWords(first.kind)
		return expected, instruct(expected)
	}
	expected = s.describeAll(schemas...)
	fix = instruct(expected)
	if hint := s.hint(group, schemas, received, present); hint != "" {
		fix = hint + " " + fix
	}
	return expected, fix
}

// keywordRemedy is for the keywords whose mend is more than a value of another
// kind; "" for all others.
func (s *Schema) keywordRemedy(f failure, value any) (expected, fix string) {
	switch k := f.kind.(type) {
	case *kind.Required, *kind.DependentRequired, *kind.Dependency:
		return s.missingRemedy(f)
	case *kind.AdditionalProperties:
		return s.unknownRemedy(f)
	case *kind.FalseSchema:
		return s.forbiddenRemedy(f, value)
	case *kind.PropertyNames:
		expected = "a property name that is " + s.describeAll(s.byPlace[f.place])
		if v := merge(s.byPlace[f.place]); !v.enumerated && v.types&stringType != 0 {
			expected = "a property name that is " + stringWords(v)
		}
		return expected, fmt.Sprintf("Rename %s: use %s.", quoted(k.Property), expected)
	case *kind.Not:
		not := "what it is"
		if f.schema != nil {
			not = s.describeAll(f.schema.Not)
		}
		return "anything but " + not, fmt.Sprintf("Change %s so that it is not %s.", label(f.at), not)
	case *kind.OneOf:
		if f.union == nil && len(k.Subschemas) > 0 {
			return "a value that fits exactly one of the allowed forms",
				"Leave out what belongs to the other form, so that only one fits."
		}
	case *kind.Contains, *kind.MinContains, *kind.MaxContains:
		if f.schema != nil {
			return s.containsRemedy(f)
		}
	case *kind.AdditionalItems:
		if f.schema != nil {
			prefix, _ := tuple(f.schema)
			return "at most " + items.count(len(prefix)), removeLast(k.Count)
		}
	}
	return "", ""
}

func removeLast(n int) string {
	if n == 1 {
		return "Remove the last item."
	}
	return fmt.Sprintf("Remove the last %d items.", n)
}

// unionRemedy is for a union none of whose forms was meant more than the
// others.
func (s *Schema) unionRemedy(u *union, received any) (expected, fix string) {
	if u.discriminant == "" {
		expected = s.words(u.open(), 0)
		return expected, instruct(expected)
	}
	expected = "one of: " + listValues(u.allowed)
	fix = instruct(expected)
	if text, ok := received.(string); ok {
		if near := nearestValues(text, u.allowed); len(near) > 0 {
			fix = "Did you mean " + joinOr(quoteAll(near)) + "? " + fix
		}
	}
	return expected, fix
}

// hint is what the received value suggests.
func (s *Schema) hint(group []failure, schemas []*jsonschema.Schema, received any, present bool) string {
	v := merge(schemas...)
	text, isText := received.(string)
	switch {
	case isText && v.enumerated:
		if near := nearestValues(text, v.enum); len(near) > 0 {
			return "Did you mean " + joinOr(quoteAll(near)) + "?"
		}
	case isText && v.types&(arrayType|objectType) != 0:
		if inner, ok := stringified(text); ok && v.types&typeOf(inner) != 0 {
			return fmt.Sprintf("You sent a string that contains JSON; send the %s itself.", typeName(inner))
		}
	case present && received == nil && !s.requiredAt(group[0]):
		return "Leave it out when there is no value."
	}
	return ""
}

// requiredAt reports whether the member at a failure's place must be there.
func (s *Schema) requiredAt(f failure) bool {
	if len(f.at) == 0 || isIndex(f.at[len(f.at)-1]) {
		return true
	}
	place, _, found := cutLast(f.place, "/properties/")
	parent := s.byPlace[place]
	return found && parent != nil && slices.Contains(parent.Required, f.at[len(f.at)-1])
}

func cutLast(s, separator string) (before, after string, found bool) {
	if at := strings.LastIndex(s, separator); at >= 0 {
		return s[:at], s[at+len(separator):], true
	}
	return s, "", false
}

// nearestValues gives the strings of an enum that a text may have meant.
func nearestValues(text string, enum []any) []string {
	var known []string
	for _, value := range enum {
		if name, ok := value.(string); ok {
			known = append(known, name)
		}
	}
	return NearestNames(strings.TrimSpace(text), known)
}

func (s *Schema) missingRemedy(f failure) (expected, fix string) {
	name := f.at[len(f.at)-1]
	expected = "a value"
	var description string
	if schemas := s.declared(f.place, name); len(schemas) > 0 {
		expected = s.describeAll(schemas...)
		description = firstSentence(schemas[0].Description)
	}
	fix = fmt.Sprintf("Add %s: %s.", quoted(name), expected)
	if f.near != "" {
		fix = fmt.Sprintf("Rename %s to %s: %s.", quoted(f.near), quoted(name), expected)
	}
	if description != "" {
		fix += " It is described as: " + description
	}
	return expected, fix
}

// inPlace are the keywords whose schemas apply to the same value, with the
// number of tokens that lead into one.
var inPlace = map[string]int{"then": 1, "else": 1, "allOf": 2, "anyOf": 2, "oneOf": 2, "dependentSchemas": 2, "dependencies": 2}

// declared finds the schemas of a property: at the schema that requires it,
// or at one around that which applies to the same object, since then and
// anyOf often do no more than require what is described outside.
func (s *Schema) declared(place, name string) []*jsonschema.Schema {
	for {
		if schema := s.byPlace[place]; schema != nil {
			if schemas, _ := merge(schema).property(name); len(schemas) > 0 {
				return schemas
			}
		}
		address, fragment, _ := strings.Cut(place, "#")
		tokens := strings.Split(fragment, "/")
		length := len(tokens)
		switch {
		case length > 1 && inPlace[tokens[length-1]] == 1:
			length--
		case length > 2 && inPlace[tokens[length-2]] == 2:
			length -= 2
		default:
			return nil
		}
		place = address + "#" + strings.Join(tokens[:length], "/")
	}
}

func lookUpObject(value any, at []string) (map[string]any, bool) {
	found, _ := lookUp(value, at)
	object, ok := found.(map[string]any)
	return object, ok
}

// firstSentence gives the beginning of a description, on one line.
func firstSentence(description string) string {
	line := strings.Join(strings.Fields(description), " ")
	for at := 0; ; {
		stop := strings.Index(line[at:], ". ")
		if stop < 0 {
			return cut(line, 160)
		}
		at += stop + 2
		// A full stop after a few letters ends an abbreviation, as in e.g.
		if sentence := line[:at-1]; at > 15 && !strings.HasSuffix(sentence, ".g.") && !strings.HasSuffix(sentence, ".e.") && !strings.HasSuffix(sentence, "etc.") {
			return cut(sentence, 160)
		}
	}
}

// unknownRemedy is for a member that the schema does not have.
func (s *Schema) unknownRemedy(f failure) (expected, fix string) {
	name := f.at[len(f.at)-1]
	if f.schema == nil {
		return "no such property", fmt.Sprintf("Remove %s.", quoted(name))
	}
	known := merge(f.schema).declared(s.rank)
	if len(known) == 0 {
		return "no properties", fmt.Sprintf("Remove %s.", quoted(name))
	}
	expected = "one of the properties " + joinAnd(quoteAll(known))
	if len(known) == 1 {
		expected = "the property " + quoted(known[0])
	}
	if f.near != "" {
		sub, _ := merge(f.schema).property(f.near)
		return fmt.Sprintf("the property %s: %s", quoted(f.near), s.describeAll(sub...)),
			fmt.Sprintf("Rename %s to %s.", quoted(name), quoted(f.near))
	}
	if near := NearestNames(name, known); len(near) > 0 {
		return expected, fmt.Sprintf("Did you mean %s? If so rename it, else remove it.", joinOr(quoteAll(near)))
	}
	if len(known) == 1 {
		return expected, fmt.Sprintf("Remove %s. The only property is %s.", quoted(name), quoted(known[0]))
	}
	return expected, fmt.Sprintf("Remove %s. The known properties are %s.", quoted(name), joinAnd(quoteAll(known)))
}

func (s *Schema) forbiddenRemedy(f failure, value any) (expected, fix string) {
	if len(f.at) == 0 {
		return "nothing: no value is allowed here", "This schema accepts no arguments at all."
	}
	if isIndex(f.at[len(f.at)-1]) {
		if _, isArray := mustLookUp(value, f.at[:len(f.at)-1]).([]any); isArray {
			return "no item at this position", "Remove the item."
		}
	}
	if f.near != "" {
		return fmt.Sprintf("the property %s", quoted(f.near)), fmt.Sprintf("Rename %s to %s.", quoted(f.at[len(f.at)-1]), quoted(f.near))
	}
	return "no such property", fmt.Sprintf("Remove %s.", quoted(f.at[len(f.at)-1]))
}

func mustLookUp(value any, at []string) any {
	found, _ := lookUp(value, at)
	return found
}

func (s *Schema) containsRemedy(f failure) (expected, fix string) {
	item := s.describeAll(f.schema.Contains)
	low, high := 1, noLimit
	if f.schema.MinContains != nil {
		low = *f.schema.MinContains
	}
	if f.schema.MaxContains != nil {
		high = *f.schema.MaxContains
	}
	last := high // the number that the words end in
	if high == noLimit {
		last = low
	}
	wanted := fitting(items.between(low, high), last, item)
	expected = "an array with " + wanted
	if _, tooMany := f.kind.(*kind.MaxContains); tooMany {
		return expected, "Keep " + wanted + "; remove the others like it."
	}
	return expected, fmt.Sprintf("Add an item that is %s.", item)
}
