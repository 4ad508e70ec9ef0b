package schema

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Bounds of the documentation.
const (
	maxDocumented      = 500 // properties in all
	maxDocumentedDepth = 3
	// The examples of all properties share the attempts of one generator, so
	// that one property cannot use them up.
	maxPropertyAttempts = 200
)

// document puts the whole schema into words.
func (s *Schema) document() Documentation {
	v := merge(s.root)
	d := &documenter{Schema: s, left: maxDocumented, examples: newGenerator(s)}
	out := Documentation{
		Description: firstNonEmpty(v, func(source *jsonschema.Schema) string { return source.Description }),
		Required:    slices.Clone(v.required),
		Properties:  d.properties(open(v), 1),
	}
	slices.SortStableFunc(out.Required, s.rank.compare)
	if out.Required == nil {
		out.Required = []string{}
	}
	if example := s.example(); example != nil {
		out.Examples = []json.RawMessage{example}
	}
	return out
}

// documenter shares its bounds among all properties.
type documenter struct {
	*Schema
	left     int
	examples *generator
}

// open adds the alternatives of a view to its sources, so that the properties
// of all forms are documented.
func open(v *view) *view {
	if len(v.declared(nil)) > 0 {
		return v
	}
	out := v.clone()
	for _, c := range v.choices {
		for _, a := range c.alternatives {
			for _, schema := range a.all {
				if schema != nil {
					out.sources = append(out.sources, merge(schema).sources...)
				}
			}
		}
	}
	return out
}

func firstNonEmpty(v *view, get func(*jsonschema.Schema) string) string {
	for _, source := range v.sources {
		if text := get(source); text != "" {
			return text
		}
	}
	return ""
}

func (d *documenter) properties(v *view, depth int) Properties {
	out := Properties{}
	for _, name := range v.declared(d.rank) {
		if d.left == 0 {
			break
		}
		d.left--
		var schemas []*jsonschema.Schema
		for _, source := range v.sources {
			if sub, ok := source.Properties[name]; ok {
				schemas = append(schemas, sub)
			}
		}
		out = append(out, d.property(name, schemas, slices.Contains(v.required, name), depth))
	}
	return out
}

func (d *documenter) property(name string, schemas []*jsonschema.Schema, required bool, depth int) Property {
	v := merge(schemas...)
	out := Property{
		Name:        name,
		Type:        d.typeText(v),
		Required:    required,
		Description: firstNonEmpty(v, func(source *jsonschema.Schema) string { return source.Description }),
		Constraints: d.constraints(v),
		Examples:    []json.RawMessage{},
	}
	d.examples.limit = min(d.examples.attempts+maxPropertyAttempts, maxAttempts)
	if value, ok := d.examples.value(schemas, place{name, depth}, nil); ok {
		out.Examples = append(out.Examples, encode(value, d.rank))
	}
	if depth >= maxDocumentedDepth {
		return out
	}
	inner := open(v)
	if items, allowed := v.item(0); allowed && v.types&arrayType != 0 && v.types != anyType && len(items) > 0 {
		inner = open(merge(items...))
	}
	if nested := d.properties(inner, depth+1); len(nested) > 0 {
		out.Properties = nested
	}
	return out
}

// typeText names the types of a value: "string or null", "array of strings".
func (s *Schema) typeText(v *view) string {
	types := v.types
	if types == anyType {
		types = 0
		for _, c := range v.choices {
			for _, a := range c.alternatives {
				if !c.conditional {
					types |= merge(a.all...).types
				}
			}
		}
		if v.enumerated {
			for _, value := range v.enum {
				types |= typeOf(value)
			}
		}
		for _, t := range v.implied() {
			types |= t
		}
	}
	if types == 0 || types == anyType {
		return "any"
	}
	names := types.names()
	for i, name := range names {
		if items, _ := v.item(0); name == "array" && len(items) > 0 {
			if of := merge(items...).types; of != anyType && len(of.names()) == 1 {
				names[i] = "array of " + of.names()[0] + "s"
			}
		}
	}
	return joinOr(names)
}

// constraints lists what narrows a value, each in a few words.
func (s *Schema) constraints(v *view) []string {
	out := []string{}
	add := func(text string) {
		if text != "" && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	if v.enumerated {
		add("one of: " + listValues(v.enum))
		return out
	}
	add(characters.between(v.minLength, v.maxLength))
	for _, source := range v.sources {
		if source.Pattern != nil {
			add("matches " + cut(source.Pattern.String(), 200))
		}
		if source.Format != nil {
			add("format " + source.Format.Name)
		}
	}
	add(strings.TrimPrefix(rangeWords(v), "of "))
	for _, m := range v.multiples {
		add("a multiple of " + numberText(m))
	}
	add(items.between(v.minItems, v.maxItems))
	if v.unique {
		add("all different")
	}
	if v.types&arrayType != 0 && v.types != anyType {
		if items, _ := v.item(0); len(items) > 0 {
			if item := merge(items...); item.enumerated {
				add("each " + s.words(item, 1))
			}
		}
	}
	add(properties.between(v.minProperties, v.maxProperties))
	if len(v.choices) > 0 && !v.choices[0].conditional {
		if forms := s.branchWords(v, 0); forms != "" {
			add(forms)
		}
	}
	for _, source := range v.sources {
		if source.Not != nil {
			add("not " + s.describeAll(source.Not))
		}
		if source.Default != nil {
			add("default " + jsonText(*source.Default))
		}
		if source.Deprecated {
			add("deprecated")
		}
	}
	return out
}
