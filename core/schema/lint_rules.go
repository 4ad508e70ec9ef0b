package schema

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Who refuses what. An API takes the clients that send it schemas unchanged
// along; clients that let the user choose the model are listed with each.
var (
	anthropic = []string{"anthropic-api", "claude-code", "claude-desktop", "cursor", "kiro", "opencode"}
	openai    = []string{"openai-api", "copilot-cli", "codex", "opencode", "vscode"}
	gemini    = []string{"gemini-api", "5ire", "cherry-studio", "opencode", "zed"}
)

// clients puts groups together, each id once.
func clients(groups ...[]string) []string {
	out := slices.Concat(groups...)
	slices.Sort(out)
	return slices.Compact(out)
}

var lintRules = []LintRule{
	{
		Code: "MCP5201", Severity: "error",
		Title:  "The schema's root does not say type object",
		Why:    "MCP asks for an object at the root of inputSchema. Clients on the TypeScript SDK refuse the whole list of tools when one of them lacks it, so that every tool of the server is gone.",
		Remedy: `Add "type": "object" at the root, and put other kinds of arguments into a property.`,
		Before: `{"name": "search", "inputSchema": {"properties": {"query": {"type": "string"}}}}`,
		After:  `{"name": "search", "inputSchema": {"type": "object", "properties": {"query": {"type": "string"}}}}`,
		check: func(t *lintedTool, found func([]string, string)) {
			if root, ok := t.root(); ok && root["type"] != "object" {
				found([]string{"inputSchema"}, "the root's type is "+jsonText(root["type"]))
			}
		},
	},
	{
		Code: "MCP5202", Severity: "error", Clients: anthropic,
		Title:  "anyOf, oneOf or allOf is at the schema's root",
		Why:    "The Anthropic API answers 400 to the whole request when the root of a tool's schema has one of these keywords; Claude Code leaves the tool out without a word.",
		Remedy: "Move the alternatives into a property, or say in the descriptions which properties belong together and check it in the server.",
		Before: `{"name": "open", "inputSchema": {"type": "object", "properties": {"id": {"type": "string"}, "url": {"type": "string"}}, "anyOf": [{"required": ["id"]}, {"required": ["url"]}]}}`,
		After:  `{"name": "open", "inputSchema": {"type": "object", "properties": {"id": {"type": "string", "description": "Give id or url"}, "url": {"type": "string"}}}}`,
		check: func(t *lintedTool, found func([]string, string)) {
			root, _ := t.root()
			for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
				if _, has := root[keyword]; has {
					found([]string{"inputSchema", keyword}, keyword+" stands at the root")
				}
			}
		},
	},
	{
		Code: "MCP5203", Severity: "error", Clients: anthropic,
		Title:  "A property's name has characters that the API refuses",
		Why:    "The Anthropic API and Bedrock want the names of the root's properties to be 1 to 64 of a-z, A-Z, 0-9, _, . and -. One other name, such as filter[id], makes them refuse the request with all its tools.",
		Remedy: "Rename the property within these characters and map it back inside the server.",
		Before: `{"name": "list", "inputSchema": {"type": "object", "properties": {"filter[id]": {"type": "string"}}}}`,
		After:  `{"name": "list", "inputSchema": {"type": "object", "properties": {"filter.id": {"type": "string"}}}}`,
		check: func(t *lintedTool, found func([]string, string)) {
			root, _ := t.root()
			properties, _ := root["properties"].(map[string]any)
			for _, name := range sorted(nil, properties) {
				if !madeOf(name, 64, "_.-") {
					found([]string{"inputSchema", "properties", name}, "the property is named "+quoted(name))
				}
			}
		},
	},
	{
		Code: "MCP5204", Severity: "error", Clients: clients([]string{"anthropic-api", "claude-code", "claude-desktop"}, openai),
		Title:  "The tool's name has characters that the API refuses",
		Why:    "The OpenAI and Anthropic APIs want names of a-z, A-Z, 0-9, _ and -. A dot, a slash or a space makes them refuse the request; some clients replace the characters, and then two tools can end up with one name.",
		Remedy: "Use letters, digits, _ and - only.",
		Before: `{"name": "files.read", "inputSchema": {"type": "object", "properties": {}}}`,
		After:  `{"name": "files_read", "inputSchema": {"type": "object", "properties": {}}}`,
		check: func(t *lintedTool, found func([]string, string)) {
			if t.Name != "" && !madeOf(t.Name, 1<<20, "_-") {
				found([]string{"name"}, "the tool is named "+quoted(t.Name))
			}
		},
	},
	{
		Code: "MCP5205", Severity: "error", Clients: clients([]string{"cline", "cursor", "gemini-cli", "roo-code"}, gemini, openai),
		Title:  "The tool's name is too long",
		Why:    "The OpenAI and Gemini APIs take 64 characters, and clients put the server's name in front: Cursor leaves a tool out when both together have more than 60.",
		Remedy: "Keep the name below 40 characters, so that there is room for the server's name.",
		Before: `{"name": "retrieve_the_complete_history_of_all_changes_to_one_single_document", "inputSchema": {"type": "object", "properties": {}}}`,
		After:  `{"name": "document_history", "inputSchema": {"type": "object", "properties": {}}}`,
		check: func(t *lintedTool, found func([]string, string)) {
			if length := utf8.RuneCountInString(t.Name); length > 60 {
				found([]string{"name"}, fmt.Sprintf("the name has %d characters", length))
			}
		},
	},
	{
		Code: "MCP5206", Severity: "error", Clients: clients(openai, gemini),
		Title:  "An array does not say what its items are",
		Why:    "The OpenAI and Gemini APIs refuse a schema of type array without items, and VS Code refuses the tool itself.",
		Remedy: `Add "items" with the type of one item.`,
		Before: `{"name": "tag", "inputSchema": {"type": "object", "properties": {"tags": {"type": "array"}}}}`,
		After:  `{"name": "tag", "inputSchema": {"type": "object", "properties": {"tags": {"type": "array", "items": {"type": "string"}}}}}`,
		check: func(t *lintedTool, found func([]string, string)) {
			t.each(func(at []string, schema map[string]any) {
				_, items := schema["items"]
				_, prefix := schema["prefixItems"]
				if schema["type"] == "array" && !items && !prefix {
					found(at, "the array has no items")
				}
			})
		},
	},
	{
		Code: "MCP5207", Severity: "error", Clients: openai,
		Title:  "The root object has no properties",
		Why:    "The OpenAI API wants properties in the root object even where a tool takes no arguments, and refuses the request without them.",
		Remedy: `Add "properties": {} to the root.`,
		Before: `{"name": "ping", "inputSchema": {"type": "object"}}`,
		After:  `{"name": "ping", "inputSchema": {"type": "object", "properties": {}}}`,
		check: func(t *lintedTool, found func([]string, string)) {
			root, ok := t.root()
			if _, has := root["properties"]; ok && !has && root["type"] == "object" {
				found([]string{"inputSchema"}, "properties is missing")
			}
		},
	},
	{
		Code: "MCP5208", Severity: "warning", Clients: gemini,
		Title:  "The schema uses keywords that the Gemini API does not know",
		Why:    "The parameters of Gemini's function declarations take a part of JSON Schema. A client that sends the schema as it is gets 400, Unknown name; others drop the keyword and the model never sees the constraint.",
		Remedy: "Say the constraint in the description as well, and write minimum and maximum, enum and plain properties where they will do.",
		Before: `{"name": "page", "inputSchema": {"type": "object", "properties": {"size": {"type": "integer", "exclusiveMinimum": 0}}}}`,
		After:  `{"name": "page", "inputSchema": {"type": "object", "properties": {"size": {"type": "integer", "minimum": 1}}}}`,
		check: func(t *lintedTool, found func([]string, string)) {
			t.each(func(at []string, schema map[string]any) {
				for _, keyword := range sorted(nil, schema) {
					if slices.Contains(unknownToGemini, keyword) {
						found(append(slices.Clone(at), keyword), quoted(keyword)+" is not known there")
					}
				}
			})
		},
	},
	{
		Code: "MCP5209", Severity: "warning", Clients: gemini,
		Title:  "A property has several types, or none",
		Why:    "A type in Gemini's function declarations is one word. A list such as [\"string\", \"null\"], or no type where there is no anyOf either, is refused or becomes an empty type.",
		Remedy: "Name one type, and leave the property out of required instead of allowing null.",
		Before: `{"name": "note", "inputSchema": {"type": "object", "properties": {"title": {"type": ["string", "null"]}}}}`,
		After:  `{"name": "note", "inputSchema": {"type": "object", "properties": {"title": {"type": "string"}}}}`,
		check: func(t *lintedTool, found func([]string, string)) {
			t.each(func(at []string, schema map[string]any) {
				if len(at) < 2 || at[len(at)-2] != "properties" {
					return
				}
				_, named := schema["type"].(string)
				if !named && !hasAny(schema, "anyOf", "oneOf", "allOf", "$ref", "enum", "const") {
					found(at, "the type is "+jsonText(schema["type"]))
				}
			})
		},
	},
	{
		Code: "MCP5210", Severity: "error",
		Title:  "The schema is not a JSON Schema, or nothing fits it",
		Why:    "Clients that validate refuse the tool, and the Anthropic API answers that the schema must match draft 2020-12. Draft-04's boolean exclusiveMinimum, a type that does not exist and references to other documents are the usual causes.",
		Remedy: "Correct the place that is named; check with mcpmend validate --lint.",
		Before: `{"name": "page", "inputSchema": {"type": "object", "properties": {"size": {"type": "integer", "minimum": 0, "exclusiveMinimum": true}}}}`,
		After:  `{"name": "page", "inputSchema": {"type": "object", "properties": {"size": {"type": "integer", "minimum": 1}}}}`,
		check: func(t *lintedTool, found func([]string, string)) {
			if t.invalid == nil {
				return
			}
			for _, issue := range t.invalid.Issues {
				found(append([]string{"inputSchema"}, splitField(issue.Field)...), issue.Problem)
			}
		},
	},
	{
		Code: "MCP5211", Severity: "warning", Clients: clients([]string{"claude-code", "trae"}, openai),
		Title:  "The tool's description is very long",
		Why:    "Claude Code cuts descriptions at 2 KB, and the OpenAI API has refused descriptions of more than 1024 characters. What comes after the cut does not reach the model.",
		Remedy: "Put the essence into the first 1000 characters and the rest into the descriptions of the properties.",
		Before: `{"name": "report", "description": "` + strings.Repeat("Makes the weekly report. ", 50) + `", "inputSchema": {"type": "object", "properties": {}}}`,
		After:  `{"name": "report", "description": "Makes the weekly report.", "inputSchema": {"type": "object", "properties": {}}}`,
		check: func(t *lintedTool, found func([]string, string)) {
			if length := utf8.RuneCountInString(t.Description); length > 1024 {
				found([]string{"description"}, fmt.Sprintf("the description has %d characters", length))
			}
		},
	},
	{
		Code: "MCP5212", Severity: "warning", Clients: gemini,
		Title:  "A required property is not described",
		Why:    "The Gemini API refuses a name in required that properties does not have; other models are told that they must give something and not what.",
		Remedy: "Describe the property, or take its name out of required.",
		Before: `{"name": "send", "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text", "channel"]}}`,
		After:  `{"name": "send", "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}, "channel": {"type": "string"}}, "required": ["text", "channel"]}}`,
		check: func(t *lintedTool, found func([]string, string)) {
			t.each(func(at []string, schema map[string]any) {
				if schema["type"] != "object" || hasAny(schema, "$ref", "allOf") {
					return
				}
				properties, _ := schema["properties"].(map[string]any)
				required, _ := schema["required"].([]any)
				for _, name := range required {
					if name, ok := name.(string); ok && properties[name] == nil {
						found(append(slices.Clone(at), "required"), quoted(name)+" is required and not described")
					}
				}
			})
		},
	},
	{
		Code: "MCP5213", Severity: "warning", Clients: gemini,
		Title:  "An enum has values that are not strings",
		Why:    "In Gemini's function declarations enum is for strings only; numbers in it are refused.",
		Remedy: "Use strings, or a number with minimum and maximum and the values in the description.",
		Before: `{"name": "rate", "inputSchema": {"type": "object", "properties": {"stars": {"type": "integer", "enum": [1, 2, 3]}}}}`,
		After:  `{"name": "rate", "inputSchema": {"type": "object", "properties": {"stars": {"type": "integer", "minimum": 1, "maximum": 3}}}}`,
		check: func(t *lintedTool, found func([]string, string)) {
			t.each(func(at []string, schema map[string]any) {
				values, _ := schema["enum"].([]any)
				for _, value := range values {
					if _, ok := value.(string); !ok {
						found(append(slices.Clone(at), "enum"), jsonText(value)+" is not a string")
						return
					}
				}
			})
		},
	},
	{
		Code: "MCP5214", Severity: "error", Clients: gemini,
		Title:  "The tool's name does not start with a letter",
		Why:    "The Gemini API wants a name to start with a letter or an underscore, and refuses the request otherwise.",
		Remedy: "Put a word in front of the digit.",
		Before: `{"name": "3d_view", "inputSchema": {"type": "object", "properties": {}}}`,
		After:  `{"name": "view_3d", "inputSchema": {"type": "object", "properties": {}}}`,
		check: func(t *lintedTool, found func([]string, string)) {
			if t.Name != "" && !madeOf(t.Name[:1], 1, "_") || t.Name != "" && t.Name[0] >= '0' && t.Name[0] <= '9' {
				found([]string{"name"}, "the tool is named "+quoted(t.Name))
			}
		},
	},
	{
		Code: "MCP5215", Severity: "note",
		Title:  "A property has no description",
		Why:    "A model knows of a property what its name and description say. Without one it guesses the format, and calls fail.",
		Remedy: "Add a description with an example of the value.",
		Before: `{"name": "send", "description": "Sends a text", "inputSchema": {"type": "object", "properties": {"to": {"type": "string"}}, "required": ["to"]}}`,
		After:  `{"name": "send", "description": "Sends a text", "inputSchema": {"type": "object", "properties": {"to": {"type": "string", "description": "Who gets it, e.g. you@example.com"}}, "required": ["to"]}}`,
		check: func(t *lintedTool, found func([]string, string)) {
			root, _ := t.root()
			properties, _ := root["properties"].(map[string]any)
			required, _ := root["required"].([]any)
			for _, name := range sorted(nil, properties) {
				schema, ok := properties[name].(map[string]any)
				if ok && slices.Contains(required, any(name)) && !hasAny(schema, "description", "title", "$ref", "enum", "const") {
					found([]string{"inputSchema", "properties", name}, quoted(name)+" is required and has no description")
				}
			}
		},
	},
}

// unknownToGemini are the keywords that were reported as Unknown name.
var unknownToGemini = []string{"$defs", "$id", "$ref", "additionalProperties", "allOf", "const", "contains", "definitions", "dependentRequired",
	"dependentSchemas", "else", "exclusiveMaximum", "exclusiveMinimum", "if", "multipleOf", "not", "patternProperties", "prefixItems",
	"propertyNames", "then", "unevaluatedItems", "unevaluatedProperties", "uniqueItems"}

// madeOf reports whether a name has 1 to limit ASCII letters, digits and the
// other characters.
func madeOf(name string, limit int, others string) bool {
	if name == "" || len(name) > limit {
		return false
	}
	return !strings.ContainsFunc(name, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune(others, r))
	})
}

func hasAny(schema map[string]any, keywords ...string) bool {
	return slices.ContainsFunc(keywords, func(keyword string) bool {
		_, has := schema[keyword]
		return has
	})
}

// splitField takes a pointer apart.
func splitField(field string) []string {
	if field == "" {
		return nil
	}
	tokens := strings.Split(field[1:], "/")
	for i, token := range tokens {
		tokens[i] = tokenUnescapes.Replace(token)
	}
	return tokens
}
