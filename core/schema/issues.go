package schema

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"mcpmend/core/config"
)

// failure is one failed keyword at one place of the arguments.
type failure struct {
	at     []string // the value that failed, or the member that is missing or unknown
	kind   jsonschema.ErrorKind
	schema *jsonschema.Schema // nil for a schema of the validator's own
	place  string             // of the schema
	forms  int                // how many forms of a union there were, where one was chosen
	union  *union             // for a union none of whose forms was meant more than the others
	near   string             // the name that an unknown or a missing one was confused with
}

// maxIssueObjects bounds the issues of one answer; the summary counts all.
const maxIssueObjects = 1000

// allFailures lists what the last validation found wrong with a value.
// The validator walks maps, so the order is made here.
func (s *Schema) allFailures(value any, err *jsonschema.ValidationError) []failure {
	found := s.failures(value, err)
	slices.SortStableFunc(found, func(a, b failure) int {
		return cmp.Or(
			s.comparePlaces(a.at, b.at),
			strings.Compare(a.place, b.place),
			strings.Compare(fmt.Sprintf("%T", a.kind), fmt.Sprintf("%T", b.kind)),
		)
	})
	return s.pairNames(value, found)
}

// issues puts failures into words: one issue for each place,
// in the order of the arguments.
func (s *Schema) issues(value any, failures []failure) []Issue {
	var out []Issue
	for _, group := range byPlace(failures) {
		if len(out) == maxIssueObjects {
			break
		}
		out = append(out, s.issue(value, group))
	}
	return out
}

// failures flattens the tree of errors.
func (s *Schema) failures(value any, err *jsonschema.ValidationError) []failure {
	var out []failure
	at := err.InstanceLocation
	leaf := func(tokens ...string) {
		out = append(out, failure{
			at: append(slices.Clone(at), tokens...), kind: err.ErrorKind, schema: s.byPlace[err.SchemaURL], place: err.SchemaURL,
		})
	}
	switch k := err.ErrorKind.(type) {
	case *kind.Schema, *kind.Group, *kind.Reference, *kind.AllOf:
		for _, cause := range err.Causes {
			out = append(out, s.failures(value, cause)...)
		}
	case *kind.AnyOf:
		return s.unionFailures(value, err, at)
	case *kind.OneOf:
		if len(k.Subschemas) == 0 {
			return s.unionFailures(value, err, at)
		}
		leaf()
	case *kind.Required:
		for _, name := range k.Missing {
			leaf(name)
		}
	case *kind.DependentRequired:
		for _, name := range k.Missing {
			leaf(name)
		}
	case *kind.Dependency:
		for _, name := range k.Missing {
			leaf(name)
		}
	case *kind.AdditionalProperties:
		for _, name := range k.Properties {
			leaf(name)
		}
	case *kind.PropertyNames:
		// The location in this error is not to be trusted: see placedObject.
		found := false
		for _, seen := range s.names {
			owner := s.byPlace[seen.schema]
			if _, has := seen.value[k.Property]; has && owner.PropertyNames.Location == err.SchemaURL {
				at, found = seen.at, true
				leaf(k.Property)
			}
		}
		if !found {
			leaf(k.Property)
		}
	case *kind.FalseSchema:
		leaf()
		if place, found := strings.CutSuffix(err.SchemaURL, "/unevaluatedProperties"); found {
			out[0].schema = s.byPlace[place] // it knows the names
		}
	default:
		leaf()
	}
	return out
}

// byPlace groups failures that concern the same value, and drops repetitions.
func byPlace(failures []failure) [][]failure {
	var order []string
	groups := map[string][]failure{}
	for _, f := range failures {
		key := config.Pointer(f.at...)
		if _, known := groups[key]; !known {
			order = append(order, key)
		}
		groups[key] = append(groups[key], f)
	}
	out := make([][]failure, len(order))
	for i, key := range order {
		out[i] = groups[key]
	}
	return out
}

// comparePlaces orders places as the schema and the arguments have them.
func (s *Schema) comparePlaces(a, b []string) int {
	for i := range min(len(a), len(b)) {
		if a[i] == b[i] {
			continue
		}
		left, errLeft := strconv.Atoi(a[i])
		right, errRight := strconv.Atoi(b[i])
		if errLeft == nil && errRight == nil {
			return left - right
		}
		return s.rank.compare(a[i], b[i])
	}
	return len(a) - len(b)
}

// issue makes one issue of all failures at a place.
func (s *Schema) issue(value any, group []failure) Issue {
	at := group[0].at
	received, present := lookUp(value, at)
	issue := Issue{Field: config.Pointer(at...), group: general}
	var problems []string
	for _, f := range group {
		problem, kind := s.problem(f, received)
		if !slices.Contains(problems, problem) {
			problems = append(problems, problem)
		}
		if issue.group == general {
			issue.group = kind
		}
	}
	issue.Problem = cut(strings.Join(problems, " "), 1000)
	if present {
		issue.Received = s.echo(at, received)
	}
	issue.Expected, issue.Fix = s.remedy(group, value, received, present)
	return issue
}
