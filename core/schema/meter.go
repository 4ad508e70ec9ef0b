package schema

import (
	"errors"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"mcpmend/core/schema/ecma"
)

// Work is counted in steps of the pattern matcher; a visit of a schema costs
// the validator about as much as thirty of those. Half a million steps take
// some 20 ms. Large arguments earn more, up to the limit.
const (
	visitCost     = 30
	baseWork      = 500_000
	workPerValue  = 1_000
	maxWork       = 20_000_000
	maxExpansion  = 100_000 // nodes of the graph of references
	maxSubschemas = 5_000   // the compiler's time grows with their square
	// Enumerated values are compared one by one, and outside the meter.
	maxSchemaValues = 30_000
)

// errOverBudget ends a validation that costs more than it may.
var errOverBudget = errors.New("checking these arguments takes more work than one call may cost")

// meter is the budget of one validation. It ends the validator, which has no
// limit of its own, by a panic that [Schema.validate] catches.
type meter struct {
	left  int
	spent int // over all validations
}

func (m *meter) spend(steps int) {
	if m.left -= steps; m.left < 0 {
		panic(errOverBudget)
	}
}

// pattern makes the package's regular expressions known to the validator.
type pattern struct {
	*ecma.Pattern
	meter *meter
}

func (p pattern) MatchString(s string) bool {
	matched, err := p.Match(s, &p.meter.left)
	if err != nil {
		panic(errOverBudget)
	}
	return matched
}

// visit is hung into every compiled schema: the validator calls it each time
// the schema is applied.
type visit struct {
	owner *Schema
	names bool // the schema has propertyNames
	place string
	width int // subschemas that each application may look at
}

func (v *visit) Validate(context *jsonschema.ValidatorContext, value any) {
	cost := visitCost + v.width*2
	switch value := value.(type) {
	case map[string]any:
		cost += len(value) * (2 + v.width/8)
		if v.names {
			v.owner.names = append(v.owner.names, placedObject{v.place, slices.Clone(context.ValueLocation()), value})
		}
	case []any:
		cost += len(value) * 4
	}
	v.owner.meter.spend(cost)
}

// placedObject is an object that a schema with propertyNames was applied to.
// The validator's own error has a location that later steps may overwrite.
type placedObject struct {
	schema string
	at     []string
	value  map[string]any
}

// validate runs the validator within the budget. It returns nil, a
// *jsonschema.ValidationError or errOverBudget.
func (s *Schema) validate(root *jsonschema.Schema, value any) (err error) {
	work := min(baseWork+workPerValue*countValues(value), maxWork)
	s.meter.left = work
	s.names = s.names[:0]
	defer func() {
		s.meter.spent += work - s.meter.left
		switch cause := recover(); cause {
		case nil:
		case errOverBudget:
			err = errOverBudget
		default:
			panic(cause)
		}
	}()
	return root.Validate(value)
}

// countValues measures a document; a long text counts for several values.
func countValues(value any) int {
	count := 1
	switch value := value.(type) {
	case string:
		count += len(value) / 512
	case map[string]any:
		for _, member := range value {
			count += countValues(member)
		}
	case []any:
		for _, item := range value {
			count += countValues(item)
		}
	}
	return count
}
