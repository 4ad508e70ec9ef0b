package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"mcpmend/core/config"
	"mcpmend/core/schema/ecma"
)

// home is the address that a schema is compiled under. Nothing can be loaded
// from it.
const home = "tool:///schema"

var drafts = map[string]*jsonschema.Draft{
	"":             jsonschema.Draft2020,
	"draft2020-12": jsonschema.Draft2020,
	"draft7":       jsonschema.Draft7,
}

// Compile reads a schema. The error is of type [InvalidSchema] and says where
// the schema is wrong; it never panics, whatever the schema.
func Compile(text []byte, options Options) (*Schema, *Error) {
	draft, ok := drafts[options.Draft]
	if !ok {
		return nil, invalidSchema("", fmt.Sprintf("The draft %q is not known; use draft2020-12 or draft7.", options.Draft))
	}
	rank := ranks{}
	document, err := decodeUnder(text, maxSchemaBytes, rank, "properties")
	if err != nil {
		return nil, invalidSchema("", "The schema "+err.Error()+".")
	}
	switch document.(type) {
	case map[string]any, bool:
	default:
		return nil, invalidSchema("", fmt.Sprintf("A schema is a JSON object, and this is %s.", withArticle(typeName(document))))
	}
	if count := countObjects(document); count > maxSubschemas {
		return nil, invalidSchema("", fmt.Sprintf("The schema has %d objects; at most %d are read.", count, maxSubschemas))
	}
	if count := countValues(document); count > maxSchemaValues {
		return nil, invalidSchema("", fmt.Sprintf("The schema has %d values; at most %d are read.", count, maxSchemaValues))
	}
	s := &Schema{rank: rank, meter: &meter{left: 2 * baseWork}}
	if s.root, err = s.compile(document, draft); err != nil {
		return nil, compileError(document, err)
	}
	graph := newGraph(s.root)
	if graph.expanded(s.root) > maxExpansion {
		return nil, invalidSchema("", fmt.Sprintf("The schema's references expand to more than %d subschemas, so nothing is checked against it.", maxExpansion))
	}
	s.byPlace = graph.byPlace
	for place, sub := range graph.byPlace {
		sub.Extensions = append(sub.Extensions, &visit{s, sub.PropertyNames != nil, place, graph.width(sub)})
	}
	if place, why := unsatisfiable(s.root); why != "" {
		return nil, invalidSchema(schemaPointer(place), why)
	}
	s.describe = sync.OnceValue(s.document)
	s.example = sync.OnceValue(func() json.RawMessage {
		value, ok := s.generate(nil)
		if !ok {
			return nil
		}
		return encode(value, s.rank)
	})
	return s, nil
}

// compile calls the validator's compiler, which panics on some schemas.
func (s *Schema) compile(document any, draft *jsonschema.Draft) (compiled *jsonschema.Schema, err error) {
	defer func() {
		if cause := recover(); cause == errOverBudget {
			err = errOverBudget
		} else if cause != nil {
			err = errors.New("the schema has identifiers that contradict each other")
		}
	}()
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(draft)
	compiler.AssertFormat()
	compiler.UseLoader(refuse{})
	compiler.UseRegexpEngine(func(source string) (jsonschema.Regexp, error) {
		s.meter.spend(visitCost * (1 + len(source)))
		compiled, err := ecma.Compile(source)
		if err != nil {
			return nil, err
		}
		return pattern{compiled, s.meter}, nil
	})
	if err := compiler.AddResource(home, document); err != nil {
		return nil, err
	}
	return compiler.Compile(home)
}

// refuse is the loader: the metaschemas come with the validator, and nothing
// else is ever loaded.
type refuse struct{}

func (refuse) Load(string) (any, error) {
	return nil, errors.New("references are never loaded from disk or network")
}

func countObjects(value any) int {
	count := 0
	switch value := value.(type) {
	case map[string]any:
		count = 1
		for _, member := range value {
			count += countObjects(member)
		}
	case []any:
		for _, item := range value {
			count += countObjects(item)
		}
	}
	return count
}

// invalidSchema is the error of a schema with one issue.
func invalidSchema(field, problem string) *Error {
	return &Error{
		Type:    InvalidSchema,
		Summary: "The tool's schema cannot be used: " + lowerFirst(problem),
		Issues: []Issue{{
			Field:    field,
			Problem:  problem,
			Expected: "a JSON Schema that some arguments can satisfy",
			Fix:      "Correct the tool's inputSchema; the arguments are not the cause.",
		}},
		Suggestions: []string{"Report this to the author of the server: no arguments can be checked against this schema."},
	}
}

// compileError puts the compiler's error into words.
func compileError(document any, err error) *Error {
	var (
		metaschema *jsonschema.SchemaValidationError
		regex      *jsonschema.InvalidRegexError
		load       *jsonschema.LoadURLError
		notFound   *jsonschema.JSONPointerNotFoundError
		noAnchor   *jsonschema.AnchorNotFoundError
	)
	switch {
	case errors.As(err, &metaschema):
		return metaschemaError(document, metaschema)
	case errors.As(err, &regex):
		return invalidSchema(schemaPointer(regex.URL), fmt.Sprintf("The pattern %s cannot be read: %v.", quoted(regex.Regex), regex.Err))
	case errors.As(err, &load):
		return invalidSchema("", fmt.Sprintf("The schema refers to %s outside itself. References are never loaded from disk or network.", quoted(load.URL)))
	case errors.As(err, &notFound):
		return invalidSchema("", fmt.Sprintf("The schema refers to %s, which it does not have.", quoted("#"+schemaPointer(notFound.URL))))
	case errors.As(err, &noAnchor):
		return invalidSchema("", fmt.Sprintf("The schema refers to the anchor %s, which it does not have.", quoted(noAnchor.Reference)))
	case errors.Is(err, errOverBudget):
		return invalidSchema("", "Reading the schema takes more work than it may cost.")
	}
	return invalidSchema("", "The schema cannot be compiled: "+strings.ReplaceAll(err.Error(), home, "")+".")
}

// metaschemaError lists where a schema breaks the rules of its dialect.
func metaschemaError(document any, err *jsonschema.SchemaValidationError) *Error {
	invalid := &jsonschema.ValidationError{}
	if !errors.As(err.Err, &invalid) {
		return invalidSchema(schemaPointer(err.URL), "The schema breaks the rules of its dialect.")
	}
	base, _ := config.SplitPointer(schemaPointer(err.URL))
	inner, _ := lookUp(document, base)
	reader := &Schema{rank: ranks{}}
	explained := reader.issues(inner, reader.allFailures(inner, invalid))
	out := invalidSchema("", "")
	out.Issues = nil
	for _, issue := range explained {
		if len(out.Issues) == maxSchemaIssues {
			break
		}
		issue.Field = config.Pointer(base...) + issue.Field
		issue.Patch = nil
		if strings.HasSuffix(issue.Field, "/exclusiveMinimum") || strings.HasSuffix(issue.Field, "/exclusiveMaximum") {
			issue.Fix = "Give the bound itself as a number; true and false are the spelling of draft-04."
		}
		out.Issues = append(out.Issues, issue)
	}
	if len(out.Issues) == 0 {
		return invalidSchema(schemaPointer(err.URL), "The schema breaks the rules of its dialect.")
	}
	out.Summary = fmt.Sprintf("The tool's schema cannot be used: at %s it breaks the rules of JSON Schema.", quoted(out.Issues[0].Field))
	return out
}

// maxSchemaIssues bounds what is said about a broken schema.
const maxSchemaIssues = 20

// schemaPointer gives the pointer of a place the validator names by address.
func schemaPointer(address string) string {
	_, fragment, _ := strings.Cut(address, "#")
	return unescapeFragment(fragment)
}
