package schema

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// Accepts reports whether arguments are valid, and does no more: it is what
// every call of a proxy passes through. What cannot be read or costs too much
// to check is not accepted; [Schema.Explain] tells why.
func (s *Schema) Accepts(arguments []byte) bool {
	value, err := decode(orEmpty(arguments), maxArgumentBytes, ranks{})
	if err != nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.validate(s.root, value) == nil
}

// orEmpty gives the arguments of a call that has none.
func orEmpty(arguments []byte) []byte {
	if len(arguments) == 0 {
		return []byte("{}")
	}
	return arguments
}

// Explain checks the arguments of a call to tool, whose name may be empty.
// Empty arguments are an empty object, as MCP has it.
func (s *Schema) Explain(tool string, arguments []byte) Result {
	s.mu.Lock()
	defer s.mu.Unlock()
	order := ranks{}
	value, err := decode(orEmpty(arguments), maxArgumentBytes, order)
	if err != nil {
		return Result{Error: s.unreadable(tool, err)}
	}
	err = s.validate(s.root, value)
	if err == nil {
		result := Result{Valid: true}
		if equal(value, masked("", value)) {
			result.Example = encode(value, order)
		} else if example, ok := s.generate(&base{value: value}); ok {
			result.Example = encode(example, order)
		}
		return result
	}
	invalid := &jsonschema.ValidationError{}
	if !errors.As(err, &invalid) {
		return Result{Error: invalidSchema("", upperFirst(err.Error())+".")}
	}
	if place := cycle(invalid); place != "" {
		return Result{Error: invalidSchema(schemaPointer(place), "The schema refers to itself without end, so that nothing can be checked against it.")}
	}
	failures := s.allFailures(value, invalid)
	documentation := s.describe()
	result := Result{Error: &Error{Type: Validation, Issues: s.issues(value, failures), Schema: &documentation}}
	repaired, repairs, valid := s.repair(value, order, result.Error.Issues, failures)
	if len(repairs) > 0 {
		for key := range s.rank {
			if _, known := order[key]; !known {
				order[key] = len(order) + s.rank[key]
			}
		}
		result.Repaired, result.Repairs, result.RepairedValid = encode(repaired, order), repairs, valid
	}
	if example, ok := s.generate(&base{value: repaired, failed: result.Error.Issues}); ok {
		result.Example = encode(example, s.rank)
	}
	result.Error.ValidExample = result.Example
	result.Error.Summary = summary(tool, len(byPlace(failures)))
	result.Error.Suggestions = suggestions(result.Error.Issues, len(result.Example) > 0)
	return result
}

func summary(tool string, issues int) string {
	who := "The tool"
	if tool != "" {
		who = "Tool '" + plainText(tool) + "'"
	}
	return fmt.Sprintf("%s received invalid arguments. %s found.", who, noun{"validation error", "validation errors"}.count(issues))
}

// plainText makes a name from outside fit for a line of text.
func plainText(name string) string {
	return cut(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, name), 128)
}

// unreadable is the error of arguments that are no JSON, or past a limit.
func (s *Schema) unreadable(tool string, err error) *Error {
	documentation := s.describe()
	example := s.example()
	return &Error{
		Type:    Validation,
		Summary: summary(tool, 1),
		Issues: []Issue{{
			Problem:  "The text of the arguments " + err.Error() + ".",
			Expected: "one JSON object",
			Fix:      "Send the arguments as one complete JSON object.",
		}},
		Schema:       &documentation,
		Suggestions:  []string{"Check quotes, commas and brackets: the arguments could not be read at all."},
		ValidExample: example,
	}
}

// cycle finds a reference that leads back to itself on the same value.
func cycle(err *jsonschema.ValidationError) string {
	if _, ok := err.ErrorKind.(*kind.RefCycle); ok {
		return err.SchemaURL
	}
	for _, cause := range err.Causes {
		if place := cycle(cause); place != "" {
			return place
		}
	}
	return ""
}

// suggestionGroup is what kind of thing an issue is about.
type suggestionGroup uint8

const (
	general suggestionGroup = iota
	missing
	unknown
	wrongType
	wrongFormat
	outOfRange
	wrongValue
)

// advice is the suggestion of each group, in the order they are given.
var advice = []struct {
	group suggestionGroup
	text  string
}{
	{missing, "Add the missing required properties: %s."},
	{unknown, "Rename or remove the properties that the tool does not have: %s."},
	{wrongType, "Check the JSON types, with no quotes around numbers, true, false, arrays and objects: %s."},
	{wrongFormat, "Check formats and patterns: %s."},
	{outOfRange, "Keep numbers, lengths and counts within their limits: %s."},
	{wrongValue, "Use the listed values exactly as written, including case: %s."},
}

func suggestions(issues []Issue, example bool) []string {
	var out []string
	for _, row := range advice {
		var names []string
		for _, issue := range issues {
			if issue.group == row.group {
				names = append(names, fieldName(issue.Field))
			}
		}
		if len(names) > 0 {
			out = append(out, fmt.Sprintf(row.text, joinAnd(names)))
		}
	}
	if example {
		return append(out, "Correct all of this in one call; the valid example shows the shape.")
	}
	return append(out, "Correct all of this in one call.")
}

// fieldName gives a pointer for use in a sentence: the bare name at the top,
// the pointer below.
func fieldName(field string) string {
	name := strings.TrimPrefix(field, "/")
	if field == "" {
		return "the arguments as a whole"
	}
	if strings.Contains(name, "/") {
		return quoted(field)
	}
	return quoted(tokenUnescapes.Replace(name))
}
