package schema

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// graph is all that can be reached from a compiled schema, without the
// validator's own metaschemas, which every program shares.
type graph struct {
	byPlace map[string]*jsonschema.Schema
	edges   map[*jsonschema.Schema][]*jsonschema.Schema
	sizes   map[*jsonschema.Schema]int
}

func newGraph(root *jsonschema.Schema) *graph {
	g := &graph{
		byPlace: map[string]*jsonschema.Schema{},
		edges:   map[*jsonschema.Schema][]*jsonschema.Schema{},
		sizes:   map[*jsonschema.Schema]int{},
	}
	todo := []*jsonschema.Schema{root}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if _, seen := g.edges[s]; seen || ofValidator(s) {
			continue
		}
		g.byPlace[s.Location] = s
		g.edges[s] = children(s)
		todo = append(todo, g.edges[s]...)
	}
	return g
}

func ofValidator(s *jsonschema.Schema) bool {
	return strings.HasPrefix(s.Location, "http://json-schema.org/") ||
		strings.HasPrefix(s.Location, "https://json-schema.org/")
}

// expanded counts the schemas below s with every reference written out; a
// recursion counts once. It stops soon after the limit.
func (g *graph) expanded(s *jsonschema.Schema) int {
	if size, known := g.sizes[s]; known {
		return size
	}
	g.sizes[s] = 1 // what a recursion into s counts
	size := 1
	for _, child := range g.edges[s] {
		size = min(size+g.expanded(child), maxExpansion+1)
	}
	g.sizes[s] = size
	return size
}

func (g *graph) width(s *jsonschema.Schema) int {
	width := len(g.edges[s])
	if s.Enum != nil {
		width += len(s.Enum.Values)
	}
	return width
}

// children lists the direct subschemas of s in a fixed order.
func children(s *jsonschema.Schema) []*jsonschema.Schema {
	var out []*jsonschema.Schema
	add := func(subs ...*jsonschema.Schema) {
		for _, sub := range subs {
			if sub != nil {
				out = append(out, sub)
			}
		}
	}
	addAny := func(value any) {
		switch value := value.(type) {
		case *jsonschema.Schema:
			add(value)
		case []*jsonschema.Schema:
			add(value...)
		}
	}
	addMap := func(subs map[string]*jsonschema.Schema) {
		for _, name := range sorted(nil, subs) {
			add(subs[name])
		}
	}
	add(s.Ref, s.RecursiveRef, s.Not, s.If, s.Then, s.Else, s.PropertyNames, s.UnevaluatedProperties,
		s.Contains, s.Items2020, s.UnevaluatedItems, s.ContentSchema)
	if s.DynamicRef != nil {
		add(s.DynamicRef.Ref)
	}
	add(s.AllOf...)
	add(s.AnyOf...)
	add(s.OneOf...)
	add(s.PrefixItems...)
	addAny(s.Items)
	addAny(s.AdditionalItems)
	addAny(s.AdditionalProperties)
	addMap(s.Properties)
	addMap(s.DependentSchemas)
	for _, name := range sorted(nil, s.Dependencies) {
		addAny(s.Dependencies[name])
	}
	for _, p := range sortedPatterns(s) {
		add(s.PatternProperties[p])
	}
	return out
}

func sortedPatterns(s *jsonschema.Schema) []jsonschema.Regexp {
	out := make([]jsonschema.Regexp, 0, len(s.PatternProperties))
	for p := range s.PatternProperties {
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b jsonschema.Regexp) int { return strings.Compare(a.String(), b.String()) })
	return out
}

// itemSchema gives the schema of the item at index that s itself applies.
func itemSchema(s *jsonschema.Schema, index int) (sub *jsonschema.Schema, allowed bool) {
	prefix, rest := tuple(s)
	if index < len(prefix) {
		return prefix[index], true
	}
	switch rest := rest.(type) {
	case bool:
		return nil, rest
	case *jsonschema.Schema:
		return rest, rest == nil || rest.Bool == nil || *rest.Bool
	}
	return nil, true
}

// tuple gives the schemas of the first items and that of the others: nil, a
// bool or a schema, whatever the draft calls them.
func tuple(s *jsonschema.Schema) (prefix []*jsonschema.Schema, rest any) {
	if s.DraftVersion >= 2020 {
		if s.Items2020 == nil {
			return s.PrefixItems, nil
		}
		return s.PrefixItems, s.Items2020
	}
	switch items := s.Items.(type) {
	case []*jsonschema.Schema:
		return items, s.AdditionalItems
	case *jsonschema.Schema:
		return nil, items
	}
	return nil, nil
}

// unescapeFragment undoes the percent-encoding of a pointer in an address.
func unescapeFragment(fragment string) string {
	plain, err := url.PathUnescape(fragment)
	if err != nil {
		return fragment
	}
	return plain
}

func isIndex(token string) bool {
	_, err := strconv.Atoi(token)
	return err == nil
}
