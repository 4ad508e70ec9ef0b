package schema

import (
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Bounds of the search for an example.
const (
	maxAttempts  = 4_000     // values that are built
	maxProofWork = 2_000_000 // steps of the validations of them
	maxRecursion = 2         // how often one schema may contain itself
	maxItems     = 1_000
	maxOptional  = 3 // properties shown where none is required
)

// base is what a caller sent, to be kept in the example as far as it is right.
type base struct {
	value  any
	failed []Issue
}

// generator builds values for schemas. It proposes, the validator decides:
// nothing leaves it unproven.
type generator struct {
	s        *Schema
	attempts int
	limit    int // of attempts
	until    int // the work at which the search ends
	stack    map[*jsonschema.Schema]int
	question map[string]bool // fields that the example must show
	generous bool            // show optional properties too
}

// generate gives a value that the schema accepts: the corrected call where
// there is a base, else the required properties.
func (s *Schema) generate(b *base) (any, bool) {
	root := []*jsonschema.Schema{s.root}
	if b != nil {
		g := newGenerator(s)
		for _, issue := range b.failed {
			g.question[issue.Field] = true
		}
		if value, ok := g.corrected(root, b.value, ""); ok && g.proven(root, value) {
			return value, true
		}
	}
	g := newGenerator(s)
	for _, generous := range []bool{false, true} {
		g.generous, g.attempts = generous, 0
		if value, ok := g.value(root, place{}, nil); ok {
			return value, true
		}
	}
	return nil, false
}

func newGenerator(s *Schema) *generator {
	return &generator{s: s, limit: maxAttempts, until: s.meter.spent + maxProofWork, stack: map[*jsonschema.Schema]int{}, question: map[string]bool{}}
}

// place is where a value goes: the name of its property, which tells what it
// means, and the depth.
type place struct {
	name  string
	depth int
}

// proven reports whether the validator accepts the value for all schemas.
func (g *generator) proven(schemas []*jsonschema.Schema, value any) bool {
	for _, schema := range schemas {
		if g.s.meter.spent > g.until || g.s.validate(schema, value) != nil {
			return false
		}
	}
	return true
}

// value finds a value for schemas that apply together, different from those
// to avoid.
func (g *generator) value(schemas []*jsonschema.Schema, at place, avoid []any) (any, bool) {
	if g.attempts++; g.attempts > g.limit {
		return nil, false
	}
	for _, schema := range schemas {
		if g.stack[schema] >= maxRecursion {
			return nil, false
		}
	}
	for _, schema := range schemas {
		g.stack[schema]++
		defer func() { g.stack[schema]-- }()
	}
	v := merge(schemas...)
	accept := func(value any) bool {
		return !slices.ContainsFunc(avoid, func(taken any) bool { return equal(taken, value) }) && g.proven(schemas, value)
	}
	for _, given := range v.given() {
		if accept(given) {
			return given, true
		}
	}
	return g.search(v, at, avoid, accept)
}

// given lists the values that the schema itself names: default, examples, and
// the enumerated ones.
func (v *view) given() []any {
	var out []any
	for _, s := range v.sources {
		if s.Default != nil && *s.Default != nil && !blank(*s.Default) {
			out = append(out, *s.Default)
		}
	}
	for _, s := range v.sources {
		out = append(out, s.Examples...)
	}
	if v.enumerated {
		out = append(out, v.enum...)
	}
	return out
}

// blank reports whether a default shows nothing: an empty text, list or object.
func blank(value any) bool {
	switch value := value.(type) {
	case string:
		return value == ""
	case []any:
		return len(value) == 0
	case map[string]any:
		return len(value) == 0
	}
	return false
}

// search settles the alternatives of a view one after the other and builds a
// value for each combination until one is accepted.
func (g *generator) search(v *view, at place, avoid []any, accept func(any) bool) (any, bool) {
	if g.attempts += 1 + len(v.sources)/8; g.attempts > g.limit || v.never != "" || v.types == 0 {
		return nil, false
	}
	if len(v.choices) == 0 {
		return g.build(v, at, avoid, accept)
	}
	for _, a := range g.ordered(v) {
		next := v.clone()
		next.choices = next.choices[1:]
		for _, schema := range a.all {
			next.add(schema)
		}
		if a.none != nil && a.none.Bool != nil && *a.none.Bool {
			continue
		}
		if value, ok := g.search(next, at, avoid, accept); ok {
			return value, true
		}
	}
	return nil, false
}

// ordered puts the alternatives of the first choice in the order in which
// they are tried: those that end a recursion before those that continue it,
// and null last.
func (g *generator) ordered(v *view) []alternative {
	out := slices.Clone(v.choices[0].alternatives)
	weight := func(a alternative) int {
		w := 0
		for _, schema := range a.all {
			if schema == nil {
				continue
			}
			m := merge(schema)
			for _, source := range m.sources {
				w += g.stack[source]
			}
			if m.types == nullType {
				w++
			}
		}
		return w
	}
	if !v.choices[0].conditional {
		slices.SortStableFunc(out, func(a, b alternative) int { return weight(a) - weight(b) })
	}
	return out
}

// build makes values of each possible type until one is accepted.
func (g *generator) build(v *view, at place, avoid []any, accept func(any) bool) (any, bool) {
	var found any
	try := func(value any) bool {
		if g.attempts++; g.attempts > g.limit {
			return true // gives up
		}
		if accept(value) {
			found = value
			return true
		}
		return false
	}
	done := false
	yield := func(value any) bool {
		if !done {
			done = try(value)
		}
		return !done
	}
	if v.enumerated {
		for _, value := range v.given() {
			if !yield(value) {
				break
			}
		}
		return found, done && g.attempts <= g.limit
	}
	for _, t := range g.typeOrder(v, at) {
		switch t {
		case stringType:
			g.strings(v, at, avoid, yield)
		case integerType, fractionType, numberType:
			g.numbers(v, at, t, avoid, yield)
		case booleanType:
			_ = yield(true) && yield(false)
		case arrayType:
			g.arrays(v, at, avoid, yield)
		case objectType:
			g.objects(v, at, avoid, yield)
		case nullType:
			yield(nil)
		}
		if done {
			return found, g.attempts <= g.limit
		}
	}
	g.oddities(v, yield)
	return found, done && g.attempts <= g.limit
}

// typeOrder lists the types to try: those that the keywords speak of first.
func (g *generator) typeOrder(v *view, at place) []typeSet {
	out := v.implied()
	rest := []typeSet{stringType, integerType, fractionType, booleanType, objectType, arrayType, nullType}
	if at.depth == 0 {
		rest = []typeSet{objectType, stringType, integerType, fractionType, booleanType, arrayType, nullType}
	}
	for _, t := range rest {
		if v.types&t != 0 && !slices.ContainsFunc(out, func(have typeSet) bool { return have&t != 0 }) {
			out = append(out, t)
		}
	}
	if v.types != anyType { // a named type says more than the keywords do
		var named []typeSet
		for _, t := range out {
			if v.types&t != 0 {
				named = append(named, v.types&t)
			}
		}
		return named
	}
	return out
}

// oddities tries values that only a "not" or a contradiction asks for.
func (g *generator) oddities(v *view, yield func(any) bool) {
	plain := []any{"example", number("1"), number("0"), number("-1"), number("1.5"), true, false, nil, []any{}, map[string]any{}, ""}
	for _, value := range plain {
		if v.types&typeOf(value) != 0 && !yield(value) {
			return
		}
	}
	names := map[string]bool{"example": true}
	for _, source := range v.sources {
		for _, schema := range append([]*jsonschema.Schema{source.Not, source.If}, children(source)...) {
			if schema == nil {
				continue
			}
			for _, name := range append(merge(schema).declared(nil), merge(schema).required...) {
				names[name] = true
			}
		}
	}
	for _, name := range sorted(g.s.rank, names) {
		for _, value := range plain {
			if v.types&objectType != 0 && !yield(map[string]any{name: value}) {
				return
			}
		}
	}
	for _, value := range plain {
		if v.types&arrayType != 0 && !(yield([]any{value}) && yield([]any{value, value})) {
			return
		}
	}
}
