package schema

import (
	"fmt"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// unsatisfiable finds out, as far as that is certain, that nothing fits a
// schema, and says where and why.
func unsatisfiable(root *jsonschema.Schema) (where, why string) {
	return (&prover{seen: map[*jsonschema.Schema]bool{}}).impossible(root, 0)
}

type prover struct {
	seen map[*jsonschema.Schema]bool // on the way: a recursion proves nothing
}

// maxProof bounds the depth of the proof.
const maxProof = 30

func (p *prover) impossible(s *jsonschema.Schema, depth int) (where, why string) {
	if s == nil || p.seen[s] || depth > maxProof {
		return "", ""
	}
	p.seen[s] = true
	defer delete(p.seen, s)
	v := merge(s)
	place := s.Location
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
	if v.types == objectType {
		for _, name := range v.required {
			schemas, allowed := v.property(name)
			if !allowed {
				return place, fmt.Sprintf("The property %s is required and not allowed at the same time: nothing fits.", quoted(name))
			}
			for _, sub := range schemas {
				if where, why = p.impossible(sub, depth+1); why != "" {
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
			if w, y := p.impossible(a.all[0], depth+1); y == "" {
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
