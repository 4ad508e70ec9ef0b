package schema

import (
	"fmt"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// objects proposes objects: the required members, then with optional ones.
func (g *generator) objects(v *view, at place, avoid []any, yield func(any) bool) {
	v = g.dependent(v)
	if v.never != "" {
		return
	}
	if len(v.choices) > 0 { // a dependent schema brought alternatives
		if value, ok := g.search(v, at, avoid, func(value any) bool { return typeOf(value) == objectType }); ok {
			yield(value)
		}
		return
	}
	required := slices.Clone(v.required)
	slices.SortStableFunc(required, g.s.rank.compare)
	out := map[string]any{}
	for _, name := range required {
		if !g.member(v, out, name, at, avoid) {
			return
		}
	}
	g.reachMinimum(v, out, at)
	if at.depth == 0 && len(out) == 0 || g.generous {
		shown := clone(out)
		for _, name := range v.declared(g.s.rank) {
			if len(shown) >= len(out)+maxOptional && !g.generous || v.maxProperties != noLimit && len(shown) >= v.maxProperties {
				break
			}
			if _, has := shown[name]; !has {
				g.member(v, shown, name, at, nil)
			}
		}
		if len(shown) > len(out) && !yield(shown) {
			return
		}
	}
	if !yield(out) {
		return
	}
	// One more member may be what a "not" or an if asks for.
	for _, name := range v.declared(g.s.rank) {
		if _, has := out[name]; has {
			continue
		}
		more := clone(out)
		if g.member(v, more, name, at, nil) && !yield(more) {
			return
		}
	}
}

// dependent adds what the presence of the required members asks for.
func (g *generator) dependent(v *view) *view {
	v = v.clone()
	for i := 0; i < len(v.required) && i < maxItems; i++ {
		name := v.required[i]
		for _, source := range slices.Clone(v.sources) {
			for _, other := range source.DependentRequired[name] {
				v.require(other)
			}
			v.add(source.DependentSchemas[name])
			switch dependency := source.Dependencies[name].(type) {
			case []string:
				for _, other := range dependency {
					v.require(other)
				}
			case *jsonschema.Schema:
				v.add(dependency)
			}
		}
	}
	return v
}

// member adds one property to an object, if there is a value for it.
func (g *generator) member(v *view, object map[string]any, name string, at place, avoid []any) bool {
	schemas, allowed := v.property(name)
	if !allowed || !g.nameAllowed(v, name) {
		return false
	}
	var taken []any
	for _, other := range avoid {
		if o, ok := other.(map[string]any); ok {
			if value, has := o[name]; has {
				taken = append(taken, value)
			}
		}
	}
	value, ok := g.value(schemas, place{name, at.depth + 1}, taken)
	if !ok && len(taken) > 0 {
		value, ok = g.value(schemas, place{name, at.depth + 1}, nil)
	}
	if ok {
		object[name] = value
	}
	return ok
}

func (g *generator) nameAllowed(v *view, name string) bool {
	for _, source := range v.sources {
		if source.PropertyNames != nil && !g.proven([]*jsonschema.Schema{source.PropertyNames}, name) {
			return false
		}
	}
	return true
}

// reachMinimum adds members until there are enough: declared ones, then names
// made from patterns, then plain ones.
func (g *generator) reachMinimum(v *view, out map[string]any, at place) {
	if v.minProperties > maxItems {
		return
	}
	names := v.declared(g.s.rank)
	for _, source := range v.sources {
		for _, p := range sortedPatterns(source) {
			if p, ok := p.(pattern); ok {
				names = append(names, p.Examples(0, -1, v.minProperties)...)
			}
		}
		if source.PropertyNames != nil && len(out) < v.minProperties {
			var taken []any
			for range v.minProperties {
				name, ok := g.value([]*jsonschema.Schema{source.PropertyNames}, place{"key", at.depth + 1}, taken)
				text, isText := name.(string)
				if !ok || !isText {
					break
				}
				names, taken = append(names, text), append(taken, name)
			}
		}
	}
	for i := range v.minProperties {
		names = append(names, fmt.Sprintf("key%d", i+1))
	}
	for _, name := range names {
		if len(out) >= v.minProperties {
			return
		}
		if _, has := out[name]; !has {
			g.member(v, out, name, at, nil)
		}
	}
}

func clone(object map[string]any) map[string]any {
	out := make(map[string]any, len(object))
	for name, value := range object {
		out[name] = value
	}
	return out
}

// demand is what one contains asks for.
type demand struct {
	item *jsonschema.Schema
	min  int
}

// arrays proposes arrays of several lengths, the shortest that shows an item
// first.
func (g *generator) arrays(v *view, at place, avoid []any, yield func(any) bool) {
	var demands []demand
	wanted := 0
	longest := 0
	for _, source := range v.sources {
		prefix, _ := tuple(source)
		longest = max(longest, len(prefix))
		if source.Contains == nil {
			continue
		}
		d := demand{source.Contains, 1}
		if source.MinContains != nil {
			d.min = *source.MinContains
		}
		demands = append(demands, d)
		wanted += d.min
	}
	lengths := []int{max(v.minItems, wanted, 1), max(v.minItems, longest), max(v.minItems, 1), v.minItems, max(v.minItems, wanted) + longest, max(v.minItems, wanted) + 1, 2}
	var tried []int
	for _, length := range lengths {
		if length < v.minItems || length > maxItems || v.maxItems != noLimit && length > v.maxItems || slices.Contains(tried, length) {
			continue
		}
		tried = append(tried, length)
		for _, back := range []bool{false, true} {
			if back && len(demands) == 0 {
				continue
			}
			if out, ok := g.items(v, at, length, demands, back, avoid); ok && !yield(out) {
				return
			}
		}
	}
}

// items builds an array of one length; what contains demands stands at the
// front or at the back.
func (g *generator) items(v *view, at place, length int, demands []demand, back bool, avoid []any) ([]any, bool) {
	out := make([]any, 0, length)
	var extra []*jsonschema.Schema
	for _, d := range demands {
		for range d.min {
			extra = append(extra, d.item)
		}
	}
	name := singular(at.name)
	for i := range length {
		schemas, allowed := v.item(i)
		if !allowed {
			return nil, false
		}
		demanded := i
		if back {
			demanded = i - (length - len(extra))
		}
		if demanded >= 0 && demanded < len(extra) {
			schemas = append(schemas, extra[demanded])
		}
		var taken []any
		if v.unique {
			taken = out
		}
		if i == 0 {
			for _, other := range avoid {
				if o, ok := other.([]any); ok && len(o) > 0 {
					taken = append(slices.Clone(taken), o[0])
				}
			}
		}
		value, ok := g.value(schemas, place{name, at.depth + 1}, taken)
		if !ok {
			return nil, false
		}
		out = append(out, value)
	}
	return out, true
}

// item gives the schemas of the item at an index.
func (v *view) item(index int) (schemas []*jsonschema.Schema, allowed bool) {
	evaluated := false
	for _, source := range v.sources {
		sub, allowed := itemSchema(source, index)
		if !allowed {
			return nil, false
		}
		if sub != nil {
			schemas, evaluated = append(schemas, sub), true
		}
		if _, rest := tuple(source); rest != nil {
			evaluated = true
		}
	}
	if !evaluated {
		for _, source := range v.sources {
			if source.UnevaluatedItems != nil {
				schemas = append(schemas, source.UnevaluatedItems)
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

// corrected keeps what is right in a value and builds the rest anew. The
// result still has to be proven.
func (g *generator) corrected(schemas []*jsonschema.Schema, value any, field string) (any, bool) {
	if equal(value, masked(lastName(field), value)) && g.proven(schemas, value) {
		return value, true
	}
	at := place{lastName(field), depthOf(field)}
	v := merge(schemas...)
	switch value := value.(type) {
	case string:
		for _, near := range nearestValues(value, v.enum) {
			if g.proven(schemas, near) {
				return near, true
			}
		}
	case map[string]any:
		if v.types&objectType != 0 {
			if out, ok := g.correctedObject(schemas, v, value, field); ok {
				return out, true
			}
		}
	case []any:
		if v.types&arrayType != 0 {
			if out, ok := g.correctedArray(schemas, v, value, field); ok {
				return out, true
			}
		}
	}
	return g.value(schemas, at, nil)
}

func (g *generator) correctedArray(schemas []*jsonschema.Schema, v *view, value []any, field string) (any, bool) {
	out := make([]any, 0, len(value))
	for i, item := range value {
		subs, allowed := v.item(i)
		if !allowed || v.maxItems != noLimit && len(out) >= v.maxItems || len(out) >= maxItems {
			break
		}
		if fixed, ok := g.corrected(subs, item, fmt.Sprintf("%s/%d", field, i)); ok {
			if v.unique && slices.ContainsFunc(out, func(have any) bool { return equal(have, fixed) }) {
				continue
			}
			out = append(out, fixed)
		}
	}
	return out, g.proven(schemas, out)
}

// correctedObject tries the object with the alternatives that fit it best.
func (g *generator) correctedObject(schemas []*jsonschema.Schema, v *view, value map[string]any, field string) (any, bool) {
	if g.attempts++; g.attempts > g.limit {
		return nil, false
	}
	if len(v.choices) > 0 {
		for _, a := range g.fitting(v, value) {
			next := v.clone()
			next.choices = next.choices[1:]
			for _, schema := range a.all {
				next.add(schema)
			}
			if out, ok := g.correctedObject(schemas, next, value, field); ok {
				return out, true
			}
		}
		return nil, false
	}
	v = g.dependent(v)
	out := map[string]any{}
	for _, name := range sorted(g.s.rank, value) {
		subs, allowed := v.property(name)
		if !allowed || !g.nameAllowed(v, name) || v.maxProperties != noLimit && len(out) >= v.maxProperties {
			continue
		}
		if fixed, ok := g.corrected(subs, value[name], field+"/"+escapeToken(name)); ok {
			out[name] = fixed
		}
	}
	depth := depthOf(field)
	for _, name := range append(slices.Clone(v.required), v.declared(g.s.rank)...) {
		if _, has := out[name]; !has && (slices.Contains(v.required, name) || g.question[field+"/"+escapeToken(name)]) {
			g.member(v, out, name, place{lastName(field), depth}, nil)
		}
	}
	g.reachMinimum(v, out, place{lastName(field), depth})
	return out, g.proven(schemas, out)
}

// fitting orders the alternatives of the first choice by how many of the
// object's members they describe and accept.
func (g *generator) fitting(v *view, value map[string]any) []alternative {
	out := slices.Clone(v.choices[0].alternatives)
	if v.choices[0].conditional {
		return out
	}
	score := map[*jsonschema.Schema]int{}
	for _, a := range out {
		m := merge(a.all...)
		for name, member := range value {
			for _, source := range m.sources {
				if sub, ok := source.Properties[name]; ok {
					score[a.all[0]]++
					if p := merge(sub); p.enumerated {
						score[a.all[0]] += 5
						if !slices.ContainsFunc(p.enum, func(want any) bool { return equal(want, member) }) {
							score[a.all[0]] -= 10
						}
					}
				}
			}
		}
	}
	slices.SortStableFunc(out, func(a, b alternative) int { return score[b.all[0]] - score[a.all[0]] })
	return out
}
