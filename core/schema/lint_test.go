package schema

import (
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// Each rule finds its own example and is content with the mended one.
func TestLintRules(t *testing.T) {
	codes := map[string]bool{}
	for _, rule := range LintRules() {
		t.Run(rule.Code, func(t *testing.T) {
			is := is.New(t)
			is.True(strings.HasPrefix(rule.Code, "MCP52") && !codes[rule.Code])
			codes[rule.Code] = true
			is.True(rule.Title != "" && rule.Why != "" && rule.Remedy != "")
			is.True(slices.Contains([]string{"error", "warning", "note"}, rule.Severity))
			for _, example := range []struct {
				text   string
				raises bool
			}{{rule.Before, true}, {rule.After, false}} {
				tools, err := ReadTools([]byte(example.text))
				is.NoErr(err)
				is.Equal(len(tools), 1)
				raised := slices.ContainsFunc(LintTool(tools[0], ""), func(f Finding) bool { return f.Code == rule.Code })
				is.Equal(raised, example.raises)
			}
		})
	}
}

func TestLintNamesTheClient(t *testing.T) {
	is := is.New(t)
	tool := Tool{Name: "open", InputSchema: []byte(`{"type":"object","properties":{"a":{"type":"array"}},"oneOf":[{"required":["a"]}]}`)}
	codes := func(client string) (out []string) {
		for _, finding := range LintTool(tool, client) {
			out = append(out, finding.Code)
		}
		return out
	}
	is.Equal(codes(""), []string{"MCP5202", "MCP5206"})
	is.Equal(codes("claude-code"), []string{"MCP5202"})
	is.Equal(codes("vscode"), []string{"MCP5206"})
	is.Equal(LintTool(tool, "claude-code")[0].Pointer, "/inputSchema/oneOf")
}

func TestReadTools(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"answer", `{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a","inputSchema":{}},{"name":"b","inputSchema":{}}]}}`, []string{"a", "b"}},
		{"result", `{"tools":[{"name":"a","inputSchema":{}}]}`, []string{"a"}},
		{"list", `[{"name":"a","inputSchema":{}}]`, []string{"a"}},
		{"tool", `{"name":"a","inputSchema":{"type":"object"}}`, []string{"a"}},
		{"schema", `{"type":"object"}`, []string{""}},
		{"schema with a property called tools", `{"type":"object","properties":{"tools":{}}}`, []string{""}},
		{"boolean", `true`, []string{""}},
	} {
		t.Run(test.name, func(t *testing.T) {
			is := is.New(t)
			tools, err := ReadTools([]byte(test.text))
			is.NoErr(err)
			var names []string
			for _, tool := range tools {
				names = append(names, tool.Name)
				is.True(len(tool.InputSchema) > 0)
			}
			is.Equal(names, test.want)
		})
	}
	is := is.New(t)
	_, err := ReadTools([]byte(`{"tools":`))
	is.True(err != nil)
}
