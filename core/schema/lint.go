package schema

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"mcpmend/core/config"
)

// Tool is a tool as a server lists it.
type Tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"inputSchema"`
}

// LintRule is something in a tool that a client or a model's API refuses.
type LintRule struct {
	Code     string // MCP52xx; never reused
	Severity string // "error": a listed client refuses the tool or the whole request; "warning"; "note"
	Title    string
	Why      string
	Remedy   string
	Before   string // a tool that raises the rule
	After    string // one that does not
	// Clients are ids of the client table and of the APIs behind them:
	// anthropic-api, openai-api, gemini-api. Empty means all.
	Clients []string

	check func(t *lintedTool, found func(at []string, detail string))
}

// Finding is one place where a rule applies.
type Finding struct {
	Code     string   `json:"code"`
	Severity string   `json:"severity"`
	Tool     string   `json:"tool"`
	Pointer  string   `json:"pointer"` // into the tool
	Title    string   `json:"title"`
	Detail   string   `json:"detail"`
	Remedy   string   `json:"remedy"`
	Clients  []string `json:"clients"`
}

// LintRules lists the rules by code.
func LintRules() []LintRule { return slices.Clone(lintRules) }

// LintClients lists the ids that LintTool can be narrowed to.
func LintClients() []string {
	var out []string
	for _, rule := range lintRules {
		for _, client := range rule.Clients {
			if !slices.Contains(out, client) {
				out = append(out, client)
			}
		}
	}
	slices.Sort(out)
	return out
}

// LintTool says what clients refuse about a tool; client narrows it to one of
// them.
func LintTool(tool Tool, client string) []Finding {
	t := &lintedTool{Tool: tool}
	if document, err := decode(tool.InputSchema, maxSchemaBytes, ranks{}); err == nil {
		t.schema = document
	}
	_, t.invalid = Compile(tool.InputSchema, Options{})
	var out []Finding
	for _, rule := range lintRules {
		if client != "" && len(rule.Clients) > 0 && !slices.Contains(rule.Clients, client) {
			continue
		}
		places := 0
		rule.check(t, func(at []string, detail string) {
			if places++; places > maxPlaces {
				return
			}
			out = append(out, Finding{
				Code: rule.Code, Severity: rule.Severity, Tool: plainText(tool.Name), Pointer: config.Pointer(at...),
				Title: rule.Title, Detail: detail, Remedy: rule.Remedy, Clients: rule.Clients,
			})
		})
	}
	return out
}

// maxPlaces bounds the findings of one rule in one tool.
const maxPlaces = 10

// lintedTool is a tool with its schema taken apart.
type lintedTool struct {
	Tool
	schema  any    // nil where it is no JSON
	invalid *Error // why it does not compile
}

// root gives the schema, if it is an object.
func (t *lintedTool) root() (map[string]any, bool) {
	object, ok := t.schema.(map[string]any)
	return object, ok
}

// each calls visit for the schema and all its subschemas, in a fixed order.
func (t *lintedTool) each(visit func(at []string, schema map[string]any)) {
	walkSchemas(t.schema, []string{"inputSchema"}, visit)
}

// Keywords by what they hold.
var (
	schemaKeywords = []string{"additionalItems", "additionalProperties", "contains", "else", "if", "items", "not", "propertyNames", "then", "unevaluatedItems", "unevaluatedProperties"}
	listKeywords   = []string{"allOf", "anyOf", "items", "oneOf", "prefixItems"}
	mapKeywords    = []string{"$defs", "definitions", "dependentSchemas", "patternProperties", "properties"}
)

func walkSchemas(value any, at []string, visit func([]string, map[string]any)) {
	schema, ok := value.(map[string]any)
	if !ok {
		return
	}
	at = slices.Clip(at)
	visit(at, schema)
	for _, keyword := range schemaKeywords {
		walkSchemas(schema[keyword], append(at, keyword), visit)
	}
	for _, keyword := range listKeywords {
		list, _ := schema[keyword].([]any)
		for i, sub := range list {
			walkSchemas(sub, append(at, keyword, strconv.Itoa(i)), visit)
		}
	}
	for _, keyword := range mapKeywords {
		members, _ := schema[keyword].(map[string]any)
		for _, name := range sorted(nil, members) {
			walkSchemas(members[name], append(at, keyword, name), visit)
		}
	}
}

// ReadTools reads tools from what people have at hand: the answer to
// tools/list, its result, the list of tools, one tool, or a bare schema.
func ReadTools(text []byte) ([]Tool, error) {
	if len(text) > maxArgumentBytes {
		return nil, fmt.Errorf("the tools have %d bytes; at most %d are read", len(text), maxArgumentBytes)
	}
	if err := scan(text, ranks{}, ""); err != nil {
		return nil, fmt.Errorf("the text %w", err)
	}
	var list []Tool
	if json.Unmarshal(text, &list) == nil {
		return list, nil
	}
	var object struct {
		Result *struct {
			Tools []Tool `json:"tools"`
		} `json:"result"`
		Tools       []Tool          `json:"tools"`
		Name        string          `json:"name"`
		Description string          `json:"description"`
		InputSchema json.RawMessage `json:"inputSchema"`
	}
	if err := json.Unmarshal(text, &object); err != nil {
		if json.Valid(text) { // a schema whose members have other types
			return []Tool{{InputSchema: text}}, nil
		}
		return nil, syntaxError(text, err)
	}
	switch {
	case object.Result != nil:
		return object.Result.Tools, nil
	case object.Tools != nil:
		return object.Tools, nil
	case object.InputSchema != nil:
		return []Tool{{object.Name, object.Description, object.InputSchema}}, nil
	}
	return []Tool{{InputSchema: text}}, nil
}
