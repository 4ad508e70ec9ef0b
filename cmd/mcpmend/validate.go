package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"mcpmend/core/config"
	"mcpmend/core/report"
	"mcpmend/core/schema"
)

type validateOptions struct {
	schema, arguments, tool, client, draft string
	full, jsonl, lint                      bool
	format                                 form
}

func newValidateCommand() *cobra.Command {
	var o validateOptions
	cmd := &cobra.Command{
		Use:   "validate",
		Short: "Check a tool call's arguments, or the tools themselves",
		Long: `Checks the arguments of a tool call against the tool's schema, and says what is
wrong so that it can be corrected in one go, with an example that is proven
valid. --schema takes a JSON Schema, a tool, or the answer to tools/list
together with --tool. Without --arguments it describes the tool.

With --lint it says instead which clients and model APIs refuse the tools.

With --jsonl it reads {"id","schema","arguments","draft"} a line and writes
{"id","valid","error","valid_example","repaired"}.`,
		Example: `  mcpmend validate --schema tool.json --arguments call.json
  mcpmend validate --schema tools.json --tool create-user --full < call.json
  mcpmend validate --lint --schema tools.json --client claude-code`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case o.jsonl:
				return validateLines(input(cmd), cmd.OutOrStdout())
			case o.lint:
				return lintTools(cmd, o)
			case o.schema == "":
				return hint(errors.New("no schema is given"), "mcpmend validate --schema FILE --arguments FILE; a file called - is stdin")
			}
			return validateCall(cmd, o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.schema, "schema", "", "`FILE` with the schema, the tool or the list of tools; - for stdin")
	f.StringVar(&o.arguments, "arguments", "", "`FILE` with the arguments; - for stdin")
	f.StringVar(&o.tool, "tool", "", "the tool's `NAME`")
	f.Var(&choice{&o.draft, []string{"draft2020-12", "draft7"}}, "draft", "the dialect of a schema without $schema")
	f.BoolVar(&o.full, "full", false, "describe the whole schema too")
	f.BoolVar(&o.jsonl, "jsonl", false, "read and write one JSON object a line")
	f.BoolVar(&o.lint, "lint", false, "check the tools instead of a call")
	f.StringVar(&o.client, "client", "", "with --lint: what the client or API with this `ID` refuses")
	addFormatFlag(cmd, &o.format, asText, asJSON, asMarkdown)
	return cmd
}

// validateCall checks one call.
func validateCall(cmd *cobra.Command, o validateOptions) error {
	if o.schema == "-" && o.arguments == "-" {
		return errors.New("schema and arguments cannot both come from stdin")
	}
	text, err := readInput(cmd, o.schema, "a JSON Schema, a tool or a list of tools", config.MaxSize)
	if err != nil {
		return err
	}
	tool, err := pickTool(text, o.tool)
	if err != nil {
		return err
	}
	compiled, invalid := schema.Compile(tool.InputSchema, schema.Options{Draft: o.draft})
	if invalid != nil {
		return writeResult(cmd, o, schema.Result{Error: invalid})
	}
	if o.arguments == "" && (o.schema == "-" || isTerminal(cmd.InOrStdin())) {
		return describeTool(cmd, o, compiled)
	}
	arguments, err := readInput(cmd, o.arguments, "the arguments of a call", config.MaxSize)
	if o.arguments == "" && errors.Is(err, errEmpty) {
		return describeTool(cmd, o, compiled)
	}
	if err != nil {
		return err
	}
	return writeResult(cmd, o, compiled.Explain(tool.Name, []byte(arguments)))
}

// pickTool finds the named tool, or the only one.
func pickTool(text, name string) (schema.Tool, error) {
	tools, err := schema.ReadTools([]byte(text))
	if err != nil {
		return schema.Tool{}, fmt.Errorf("cannot read the schema: %w", err)
	}
	if len(tools) == 1 && (name == "" || tools[0].Name == "" || tools[0].Name == name) {
		if tools[0].Name == "" {
			tools[0].Name = name
		}
		return tools[0], nil
	}
	var known []string
	for _, tool := range tools {
		if tool.Name == name {
			return tool, nil
		}
		known = append(known, tool.Name)
	}
	if name == "" {
		return schema.Tool{}, hint(fmt.Errorf("the file has %d tools", len(tools)), "name one: --tool %s", strings.Join(known[:min(len(known), 1)], ""))
	}
	err = fmt.Errorf("no tool is called %q", name)
	if near := schema.NearestNames(name, known); len(near) > 0 {
		return schema.Tool{}, hint(err, "did you mean %s?", strings.Join(near, " or "))
	}
	return schema.Tool{}, hint(err, "known tools: %s", strings.Join(known, ", "))
}

// writeResult shows the answer to one call.
func writeResult(cmd *cobra.Command, o validateOptions, result schema.Result) error {
	var err error
	if o.format == asJSON {
		err = showJSON(cmd, result)
	} else {
		err = show(cmd, resultText(result, o, style(cmd.OutOrStdout())))
	}
	if err != nil {
		return err
	}
	if !result.Valid {
		return errProblems
	}
	return nil
}

// describeTool shows what a tool wants, with an example.
func describeTool(cmd *cobra.Command, o validateOptions, compiled *schema.Schema) error {
	documentation := compiled.Documentation()
	if o.format == asJSON {
		return showJSON(cmd, struct {
			Schema  schema.Documentation `json:"schema"`
			Example json.RawMessage      `json:"valid_example,omitempty"`
		}{documentation, compiled.Example()})
	}
	return show(cmd, documentation.Markdown())
}

// resultText is the answer for people.
func resultText(result schema.Result, o validateOptions, s report.Style) string {
	switch {
	case result.Valid:
		return "The arguments are valid.\n"
	case o.full || o.format == asMarkdown:
		return report.SafeLines(result.Error.Markdown(o.full))
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%s\n\n", s.Bold(report.Safe(result.Error.Summary)))
	for _, issue := range result.Error.Issues {
		field := issue.Field
		if field == "" {
			field = "(the whole)"
		}
		fmt.Fprintf(&out, "%s\n", s.Bold(report.Safe(field)))
		fmt.Fprintf(&out, "  %s\n", report.Safe(issue.Problem))
		if len(issue.Received) > 0 {
			fmt.Fprintf(&out, "  received  %s\n", report.Safe(string(issue.Received)))
		}
		fmt.Fprintf(&out, "  expected  %s\n", report.Safe(issue.Expected))
		fmt.Fprintf(&out, "  fix       %s\n\n", report.Safe(issue.Fix))
	}
	for _, repair := range result.Repairs {
		fmt.Fprintf(&out, "Mended without a guess at %s: %s.\n", report.Safe(repair.Field), report.Safe(repair.What))
	}
	if len(result.Repairs) > 0 {
		out.WriteString("\n")
	}
	if len(result.Example) > 0 {
		fmt.Fprintf(&out, "%s\n%s\n", s.Bold("A valid call"), report.SafeLines(indented(result.Example)))
	}
	return out.String()
}

func indented(text json.RawMessage) string {
	var out bytes.Buffer
	if json.Indent(&out, text, "", "  ") != nil {
		return string(text)
	}
	return out.String()
}

// validateLines is the batch form.
func validateLines(in io.Reader, out io.Writer) error {
	cache := schema.NewCache()
	return eachLine(in, out, func(line []byte) (any, error) {
		var ask struct {
			ID        *string         `json:"id"`
			Schema    json.RawMessage `json:"schema"`
			Arguments json.RawMessage `json:"arguments"`
			Draft     string          `json:"draft"`
		}
		if err := json.Unmarshal(line, &ask); err != nil {
			return nil, err
		}
		if ask.ID == nil {
			return nil, errors.New(`no "id"`)
		}
		if ask.Schema == nil {
			return nil, errors.New(`no "schema"`)
		}
		type answer struct {
			ID    string `json:"id"`
			Valid *bool  `json:"valid"` // null where nothing was to be checked
			Error any    `json:"error"`
			// The rest of a result, and the documentation where it was asked for.
			Example       json.RawMessage       `json:"valid_example,omitempty"`
			Repaired      json.RawMessage       `json:"repaired,omitempty"`
			RepairedValid bool                  `json:"repaired_valid,omitempty"`
			Repairs       []schema.Repair       `json:"repairs,omitempty"`
			Schema        *schema.Documentation `json:"schema,omitempty"`
		}
		compiled, invalid := cache.Compile(ask.Schema, schema.Options{Draft: ask.Draft})
		if invalid != nil {
			return answer{ID: *ask.ID, Valid: new(bool), Error: invalid}, nil
		}
		if ask.Arguments == nil || string(ask.Arguments) == "null" {
			documentation := compiled.Documentation()
			return answer{ID: *ask.ID, Example: compiled.Example(), Schema: &documentation}, nil
		}
		result := compiled.Explain("", ask.Arguments)
		reply := answer{ID: *ask.ID, Valid: &result.Valid, Example: result.Example, Repaired: result.Repaired,
			RepairedValid: result.RepairedValid, Repairs: result.Repairs}
		if result.Error != nil { // a nil pointer in an interface would not be null
			reply.Error = result.Error
		}
		return reply, nil
	})
}
