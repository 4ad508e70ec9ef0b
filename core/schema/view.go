package schema

import (
	"encoding/json"
	"math/big"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// typeSet is a set of JSON types; a number is an integer or a fraction.
type typeSet uint8

const (
	stringType typeSet = 1 << iota
	integerType
	fractionType
	booleanType
	arrayType
	objectType
	nullType

	numberType = integerType | fractionType
	anyType    = stringType | numberType | booleanType | arrayType | objectType | nullType
)

var typesByName = map[string]typeSet{
	"string": stringType, "integer": integerType, "number": numberType, "boolean": booleanType,
	"array": arrayType, "object": objectType, "null": nullType,
}

// names lists the types of a set in a fixed order.
func (t typeSet) names() []string {
	var out []string
	for _, name := range []string{"string", "number", "integer", "boolean", "array", "object", "null"} {
		bits := typesByName[name]
		if t&bits == bits && !(name == "integer" && t&fractionType != 0) {
			out = append(out, name)
		}
	}
	return out
}

func typeOf(value any) typeSet {
	switch value := value.(type) {
	case string:
		return stringType
	case json.Number:
		if number, ok := new(big.Rat).SetString(value.String()); ok && number.IsInt() {
			return integerType
		}
		return fractionType
	case bool:
		return booleanType
	case []any:
		return arrayType
	case map[string]any:
		return objectType
	}
	return nullType
}

func typeName(value any) string { return typeOf(value).nameOfOne() }

// plainType names the type of a value as JSON has it: every number is one.
func plainType(value any) string {
	if typeOf(value)&numberType != 0 {
		return "number"
	}
	return typeName(value)
}

func (t typeSet) nameOfOne() string {
	if t == fractionType {
		return "number"
	}
	return t.names()[0]
}

// bound is one end of a range of numbers.
type bound struct {
	value     *big.Rat
	exclusive bool
}

const noLimit = -1

// view is what several schemas together ask of one value: all references and
// allOf followed, the alternatives still open.
type view struct {
	sources       []*jsonschema.Schema
	types         typeSet
	enum          []any // of enum and const; nil where there is none
	enumerated    bool
	lower, upper  *bound
	multiples     []*big.Rat
	minLength     int
	maxLength     int
	minItems      int
	maxItems      int
	minProperties int
	maxProperties int
	unique        bool
	required      []string
	choices       []choice
	never         string // the place of a schema that nothing satisfies
}

// choice is a keyword that leaves alternatives: anyOf, oneOf or if.
type choice struct {
	alternatives []alternative
	conditional  bool
}

// alternative is one way to satisfy a choice.
type alternative struct {
	all  []*jsonschema.Schema
	none *jsonschema.Schema // the condition that must not hold
}

// merge makes the view of schemas that apply to the same value.
func merge(schemas ...*jsonschema.Schema) *view {
	v := &view{types: anyType, maxLength: noLimit, maxItems: noLimit, maxProperties: noLimit}
	for _, s := range schemas {
		v.add(s)
	}
	return v
}

func (v *view) clone() *view {
	c := *v
	c.sources = slices.Clone(v.sources)
	c.multiples = slices.Clone(v.multiples)
	c.required = slices.Clone(v.required)
	c.choices = slices.Clone(v.choices)
	return &c
}

func (v *view) add(s *jsonschema.Schema) {
	if s == nil || slices.Contains(v.sources, s) {
		return
	}
	v.sources = append(v.sources, s)
	if s.Bool != nil {
		if !*s.Bool {
			v.never = s.Location
		}
		return
	}
	if s.Types != nil {
		var types typeSet
		for _, name := range s.Types.ToStrings() {
			types |= typesByName[name]
		}
		v.types &= types
	}
	if s.Const != nil {
		v.allow([]any{*s.Const})
	}
	if s.Enum != nil {
		v.allow(s.Enum.Values)
	}
	v.addNumbers(s)
	v.addSizes(s)
	for _, name := range s.Required {
		v.require(name)
	}
	v.add(s.Ref)
	v.add(s.RecursiveRef)
	if s.DynamicRef != nil {
		v.add(s.DynamicRef.Ref)
	}
	for _, sub := range s.AllOf {
		v.add(sub)
	}
	v.addChoices(s)
}

func (v *view) allow(values []any) {
	if !v.enumerated {
		v.enum, v.enumerated = slices.Clone(values), true
		return
	}
	v.enum = slices.DeleteFunc(v.enum, func(have any) bool {
		return !slices.ContainsFunc(values, func(want any) bool { return equal(have, want) })
	})
}

func (v *view) addNumbers(s *jsonschema.Schema) {
	raise := func(value *big.Rat, exclusive bool) {
		if value == nil {
			return
		}
		if v.lower == nil || value.Cmp(v.lower.value) > 0 || value.Cmp(v.lower.value) == 0 && exclusive {
			v.lower = &bound{value, exclusive}
		}
	}
	drop := func(value *big.Rat, exclusive bool) {
		if value == nil {
			return
		}
		if v.upper == nil || value.Cmp(v.upper.value) < 0 || value.Cmp(v.upper.value) == 0 && exclusive {
			v.upper = &bound{value, exclusive}
		}
	}
	raise(s.Minimum, false)
	raise(s.ExclusiveMinimum, true)
	drop(s.Maximum, false)
	drop(s.ExclusiveMaximum, true)
	if s.MultipleOf != nil {
		v.multiples = append(v.multiples, s.MultipleOf)
	}
}

func (v *view) addSizes(s *jsonschema.Schema) {
	raise := func(have *int, want *int) {
		if want != nil {
			*have = max(*have, *want)
		}
	}
	drop := func(have *int, want *int) {
		if want != nil && (*have == noLimit || *want < *have) {
			*have = *want
		}
	}
	raise(&v.minLength, s.MinLength)
	drop(&v.maxLength, s.MaxLength)
	raise(&v.minItems, s.MinItems)
	drop(&v.maxItems, s.MaxItems)
	raise(&v.minProperties, s.MinProperties)
	drop(&v.maxProperties, s.MaxProperties)
	v.unique = v.unique || s.UniqueItems
}

func (v *view) require(name string) {
	if !slices.Contains(v.required, name) {
		v.required = append(v.required, name)
	}
}

func (v *view) addChoices(s *jsonschema.Schema) {
	for _, branches := range [][]*jsonschema.Schema{s.AnyOf, s.OneOf} {
		if len(branches) == 0 {
			continue
		}
		var c choice
		for _, branch := range branches {
			c.alternatives = append(c.alternatives, alternative{all: []*jsonschema.Schema{branch}})
		}
		v.choices = append(v.choices, c)
	}
	if s.If != nil && (s.Then != nil || s.Else != nil) {
		v.choices = append(v.choices, choice{conditional: true, alternatives: []alternative{
			{all: []*jsonschema.Schema{s.If, s.Then}},
			{all: []*jsonschema.Schema{s.Else}, none: s.If},
		}})
	}
}

// property gives the schemas that apply to the member of that name, and
// whether it is allowed at all.
func (v *view) property(name string) (schemas []*jsonschema.Schema, allowed bool) {
	evaluated := false
	for _, s := range v.sources {
		here := false
		if sub, ok := s.Properties[name]; ok {
			schemas, here = append(schemas, sub), true
		}
		for _, p := range sortedPatterns(s) {
			if p.MatchString(name) {
				schemas, here = append(schemas, s.PatternProperties[p]), true
			}
		}
		if !here {
			switch additional := s.AdditionalProperties.(type) {
			case bool:
				if !additional {
					return nil, false
				}
				here = true
			case *jsonschema.Schema:
				schemas, here = append(schemas, additional), true
			}
		}
		evaluated = evaluated || here
	}
	if !evaluated {
		for _, s := range v.sources {
			if s.UnevaluatedProperties != nil {
				schemas = append(schemas, s.UnevaluatedProperties)
			}
		}
	}
	for _, s := range schemas {
		if s.Bool != nil && !*s.Bool {
			return nil, false
		}
	}
	return schemas, true
}

// declared lists the names of all properties that some source describes.
func (v *view) declared(rank ranks) []string {
	names := map[string]bool{}
	for _, s := range v.sources {
		for name, sub := range s.Properties {
			if sub.Bool == nil || *sub.Bool {
				names[name] = true
			}
		}
	}
	return sorted(rank, names)
}

// equal compares two decoded values as JSON Schema does: 1 is 1.0.
func equal(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for key, value := range a {
			other, ok := b[key]
			if !ok || !equal(value, other) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, equal)
	case json.Number:
		b, ok := b.(json.Number)
		if !ok {
			return false
		}
		numberA, okA := new(big.Rat).SetString(a.String())
		numberB, okB := new(big.Rat).SetString(b.String())
		return okA && okB && numberA.Cmp(numberB) == 0
	}
	return a == b
}
