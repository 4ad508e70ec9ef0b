package schema

import (
	"fmt"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// unsatisfiable finds out, as far as that is certain, that nothing fits a
// schema, and says where and why.
func unsatisfiable(root *jsonschema.Schema) (where, why string) {
	return prover{}.impossible(root)
}

// prover keeps what was found out. A schema that is being looked at counts as
// possible, since a recursion proves nothing.
type prover map[*jsonschema.Schema]struct{ where, why string }

func (p prover) impossible(s *jsonschema.Schema) (where, why string) {
	if found, known := p[s]; known || s == nil {
		return found.where, found.why
	}
	p[s] = struct{ where, why string }{}
	where, why = p.prove(merge(s), s.Location)
	p[s] = struct{ where, why string }{where, why}
	return where, why
}

func (p prover) prove(v *view, place string) (where, why string) {
	for _, source := range v.sources {
		if source.DynamicRef != nil || source.RecursiveRef != nil {
			return "", "" // where they lead is known only along the way
		}
	}
	switch {
	case v.never != "":
		return v.never, "The schema is false: it accepts nothing."
	case v.enumerated && len(v.enum) == 0:
		return place, "The list of allowed values is empty, or two of them exclude each other: nothing fits."
	case v.types == 0:
		return place, "The types that are asked for exclude each other: nothing fits."
	}
	for _, source := range v.sources {
		if source.Not != nil && source.Not.Bool != nil && *source.Not.Bool {
			return source.Location, "The schema excludes everything by \"not\": nothing fits."
		}
	}
	if where, why = v.bounds(place); why != "" {
		return where, why
	}
	unevaluated := slices.ContainsFunc(v.sources, func(source *jsonschema.Schema) bool { return source.UnevaluatedProperties != nil })
	if v.types == objectType && !unevaluated {
		for _, name := range v.required {
			schemas, allowed := v.property(name)
			if !allowed {
				return place, fmt.Sprintf("The property %s is required and not allowed at the same time: nothing fits.", quoted(name))
			}
			for _, sub := range schemas {
				if where, why = p.impossible(sub); why != "" {
					return where, fmt.Sprintf("The required property %s can have no value. %s", quoted(name), why)
				}
			}
		}
	}
	for _, c := range v.choices {
		if c.conditional {
			continue
		}
		possible := false
		for _, a := range c.alternatives {
			if w, y := p.impossible(a.all[0]); y == "" {
				possible = true
				break
			} else if where == "" {
				where, why = w, y
			}
		}
		if !possible {
			return where, "None of the alternatives can be satisfied. " + why
		}
		where, why = "", ""
	}
	return "", ""
}

// bounds compares the two ends of each range, for the type they apply to when
// that is the only one.
func (v *view) bounds(place string) (where, why string) {
	crossed := func(low, high int) bool { return high != noLimit && low > high }
	switch {
	case v.types == stringType && crossed(v.minLength, v.maxLength),
		v.types == arrayType && crossed(v.minItems, v.maxItems),
		v.types == objectType && crossed(max(v.minProperties, len(v.required)), v.maxProperties):
		return place, "The smallest size is larger than the largest: nothing fits."
	}
	if v.types&^numberType == 0 && v.lower != nil && v.upper != nil {
		order := v.lower.value.Cmp(v.upper.value)
		if order > 0 || order == 0 && (v.lower.exclusive || v.upper.exclusive) {
			return place, "The minimum lies above the maximum: nothing fits."
		}
	}
	return "", ""
}
