package schema

import (
	"fmt"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// union is an anyOf or oneOf that no branch of fitted.
type union struct {
	branches     []*jsonschema.Schema
	discriminant string // the property that tells the branches apart
	allowed      []any  // its values
}

// unionFailures reports the branch that was meant: by the property that tells
// the branches apart, by type, then by shape. Where none was meant more than
// the others the union itself is the failure.
func (s *Schema) unionFailures(value any, err *jsonschema.ValidationError, at []string) []failure {
	owner := s.byPlace[err.SchemaURL]
	received, _ := lookUp(value, at)
	whole := failure{at: slices.Clone(at), kind: err.ErrorKind, schema: owner, place: err.SchemaURL}
	if owner == nil {
		return s.foreignUnion(value, err, whole)
	}
	u := &union{branches: owner.AnyOf}
	if _, one := err.ErrorKind.(*kind.OneOf); one {
		u.branches = owner.OneOf
	}
	whole.union = u
	if len(u.branches) != len(err.Causes) {
		return []failure{whole}
	}
	candidates := make([]int, len(u.branches))
	for i := range candidates {
		candidates[i] = i
	}
	if object, ok := received.(map[string]any); ok {
		meant, missed := u.discriminate(object)
		if missed {
			whole.at = append(whole.at, u.discriminant)
			return []failure{whole}
		}
		if len(meant) > 0 {
			candidates = meant
		}
	}
	candidates = slices.DeleteFunc(candidates, func(i int) bool {
		return merge(u.branches[i]).types&typeOf(received) == 0
	})
	if len(candidates) == 0 {
		return []failure{whole}
	}
	best, tied := s.closest(value, received, u, err, candidates)
	if tied {
		return []failure{whole}
	}
	if len(candidates) == len(u.branches) && len(candidates) > 1 {
		for i := range best {
			best[i].forms = len(u.branches)
		}
	}
	return best
}

// foreignUnion is for the metaschemas, whose unions are of types: the branch
// with the deepest failure was meant.
func (s *Schema) foreignUnion(value any, err *jsonschema.ValidationError, whole failure) []failure {
	var best []failure
	for _, cause := range err.Causes {
		failures := s.failures(value, cause)
		if len(failures) > 0 && (best == nil || len(failures[0].at) > len(best[0].at)) {
			best = failures
		}
	}
	if best == nil {
		return []failure{whole}
	}
	return best
}

// discriminate finds a property whose value is fixed in each branch that has
// it, and the branches whose value the object has. missed means that the
// object has a value that no branch knows.
func (u *union) discriminate(object map[string]any) (meant []int, missed bool) {
	fixed := map[string][]int{}
	values := map[string][]any{}
	for i, branch := range u.branches {
		v := merge(branch)
		for _, name := range v.declared(nil) {
			schemas, allowed := v.property(name)
			if !allowed {
				continue
			}
			if p := merge(schemas...); p.enumerated && len(p.enum) > 0 {
				fixed[name] = append(fixed[name], i)
				values[name] = append(values[name], p.enum...)
			}
		}
	}
	for _, name := range sorted(nil, fixed) {
		given, has := object[name]
		if !has || len(fixed[name]) < 2 || !distinct(values[name], len(fixed[name])) {
			continue
		}
		for _, i := range fixed[name] {
			schemas, _ := merge(u.branches[i]).property(name)
			if slices.ContainsFunc(merge(schemas...).enum, func(want any) bool { return equal(want, given) }) {
				meant = append(meant, i)
			}
		}
		if len(meant) > 0 {
			return meant, false
		}
		if len(fixed[name]) == len(u.branches) {
			u.discriminant, u.allowed = name, unique(values[name])
			return nil, true
		}
	}
	return nil, false
}

// distinct reports whether values differ enough to tell branches apart.
func distinct(values []any, branches int) bool {
	return len(unique(values)) >= min(branches, 2)
}

func unique(values []any) []any {
	var out []any
	for _, value := range values {
		if !slices.ContainsFunc(out, func(have any) bool { return equal(have, value) }) {
			out = append(out, value)
		}
	}
	return out
}

// closest picks the candidate whose shape is nearest to the value. tied means
// that the shape says nothing.
func (s *Schema) closest(value, received any, u *union, err *jsonschema.ValidationError, candidates []int) (best []failure, tied bool) {
	bestScore := 0
	for n, i := range candidates {
		failures := s.allFailures(value, err.Causes[i])
		score := s.distance(received, u.branches[i], failures, err.InstanceLocation)
		switch {
		case n == 0 || score < bestScore:
			best, bestScore, tied = failures, score, false
		case score == bestScore:
			tied = true
		}
	}
	return best, tied
}

// distance weighs what would have to change for a branch to fit: a wrong
// fixed value most, then names, then the rest; what fits already counts for
// the branch.
func (s *Schema) distance(received any, branch *jsonschema.Schema, failures []failure, at []string) int {
	score := 0
	for _, f := range failures {
		switch f.kind.(type) {
		case *kind.Const, *kind.Enum:
			score += 12
		case *kind.Required, *kind.AdditionalProperties, *kind.FalseSchema:
			score += 6
		default:
			score += 4
		}
		score -= min(len(f.at)-len(at), 1) // deeper means that the way there was right
	}
	if object, ok := received.(map[string]any); ok {
		v := merge(branch)
		for name := range object {
			for _, source := range v.sources {
				if _, declared := source.Properties[name]; declared {
					score -= 3
					break
				}
			}
		}
	}
	return score
}

func (s *Schema) unionStatement(f failure, it string, received any) (string, suggestionGroup) {
	u := f.union
	if u.discriminant != "" {
		text := fmt.Sprintf("%s is not one of the values that choose a form.", it)
		return text, wrongValue
	}
	types := typeSet(0)
	for _, branch := range u.branches {
		types |= merge(branch).types
	}
	if types&typeOf(received) == 0 {
		var want []string
		for _, name := range types.names() {
			want = append(want, withArticle(name))
		}
		if text, ok := received.(string); ok {
			if inner, ok := stringified(text); ok && typeOf(inner)&types != 0 {
				return fmt.Sprintf("%s must be %s, and is a string that contains one as JSON.", it, joinOr(want)), wrongType
			}
		}
		return fmt.Sprintf("%s must be %s, and is %s.", it, joinOr(want), withArticle(plainType(received))), wrongType
	}
	return fmt.Sprintf("%s fits none of the %d forms allowed here.", it, len(u.branches)), general
}

// open gives a view that leaves the choice between the branches.
func (u *union) open() *view {
	out := merge()
	var c choice
	for _, branch := range u.branches {
		c.alternatives = append(c.alternatives, alternative{all: []*jsonschema.Schema{branch}})
	}
	out.choices = []choice{c}
	return out
}
