package config

import (
	"strings"
	"testing"

	"github.com/matryer/is"
)

// yamlConfigs are what people keep for Goose, Continue, LibreChat, Docker and
// the TRAE command.
var yamlConfigs = []string{
	"name: shop\nversion: 1.0.0\nschema: v1\nmcpServers:\n  - name: filesystem\n    command: npx\n    args:\n      - \"-y\"\n      - \"@scope/server-filesystem\"\n      - /home/you/shop\n    env:\n      LOG_LEVEL: info\n      REGION: eu\n  - name: issues # shared by the team\n    type: streamable-http\n    url: https://issues.example.com/mcp\n    requestOptions:\n      headers:\n        Authorization: Bearer ${{ secrets.ISSUES_TOKEN }}\n",
	"GOOSE_PROVIDER: openai\nGOOSE_MODEL: gpt-4o\nextensions:\n  developer:\n    type: builtin\n    enabled: true\n    timeout: 300\n  filesystem:\n    type: stdio\n    description: \"Files: all of the shop\"\n    enabled: true\n    cmd: npx\n    args:\n      - -y\n      - \"@scope/server-filesystem\"\n      - /home/you/shop\n    envs:\n      LOG_LEVEL: info\n    env_keys:\n      - SHOP_TOKEN\n    timeout: 300\n  issues:\n    type: streamable_http\n    enabled: false\n    uri: https://issues.example.com/mcp\n    headers:\n      Authorization: Bearer ${ISSUES_TOKEN}\n",
	"version: 1.2.1\ncache: true\nmcpSettings:\n  allowedDomains:\n    - issues.example.com\nmcpServers:\n  filesystem:\n    type: stdio\n    command: npx\n    args:\n      - \"-y\"\n      - \"@scope/server-filesystem\"\n      - /app/shop\n    env:\n      LOG_LEVEL: info\n    timeout: 60000\n  issues: # the team's tracker\n    type: streamable-http\n    url: https://issues.example.com/mcp\n    headers:\n      Authorization: \"Bearer ${ISSUES_TOKEN}\"\n      X-User: \"{{LIBRECHAT_USER_ID}}\"\n    serverInstructions: true\n",
	"registry:\n  duckduckgo:\n    ref: \"\"\n  fetch:\n    ref: \"\"\n",
	"mcpServers:\n- name: memory\n  command: npx\n  args: [\"-y\", \"@scope/memory\"]\n- name: python\n  command: uvx\n  args: [\"mcp-server\", \"--db\", \"postgres://u:p@localhost:5432/x\"]\n  env: {A: \"1\", B: two}\n",
	"extensions:\n    fetch:\n        cmd: uvx\n        args: [mcp-server-fetch]\n        type: stdio\n        enabled: true\n    win:\n        cmd: 'C:\\Program Files\\node.exe'\n        args:\n            - 'C:\\new\\server.js'\n        type: stdio\n",
	"# my servers\nmcpServers:\n  github:\n    type: stdio\n    command: docker\n    args:\n      - run\n      - -i\n      - --rm\n      - -e\n      - GITHUB_TOKEN\n      - example/github:latest\n    env:\n      GITHUB_TOKEN: \"${GITHUB_TOKEN}\"\n    # slow machine\n    initTimeout: 20000\n",
	"mcpServers:\r\n  crlf:\r\n    command: npx\r\n    args:\r\n      - -y\r\n      - pkg\r\n    env:\r\n      A: one\r\n      B: two\r\n",
	"mcp_servers:\n  - name: docs\n    type: sse\n    url: http://localhost:3001/sse\n    timeout: 30s\n  - name: tools\n    type: stdio\n    command: node\n    args:\n      - /home/you/a b/index.js\n      - --port=3000\n      - \"*.js\"\n      - \"%d\"\nmodel: small\n",
	"mcpServers:\n  notes:\n    command: npx\n    args: [-y, pkg]\n    serverInstructions: |\n      Use it for notes.\n      Key: value pairs are fine.\n    env:\n      TOKEN: abc # secret\n",
}

func keyed(line string) bool {
	return strings.Contains(line, ": ") && !strings.Contains(line, "|") && !strings.Contains(line, "value pairs")
}
func plainKeyed(line string) bool {
	return keyed(line) && !strings.ContainsAny(line, "\"'[{#") && !strings.HasPrefix(strings.TrimSpace(line), "- ")
}
func item(line string) bool {
	return strings.HasPrefix(strings.TrimSpace(line), "- ") && !strings.Contains(line, ": ")
}
func indented(line string) bool { return strings.HasPrefix(line, "  ") }

var yamlAccidents = []slip{
	{"no closing quote", onLine(func(l string) bool { return strings.Count(l, `"`) == 2 }, lastReplace(`"`, ""))},
	{"no opening quote", onLine(func(l string) bool {
		return strings.Count(l, `"`) == 2 && !strings.Contains(l, `""`) && !strings.Contains(l, " ${")
	}, once(`"`, ""))},
	{"no quotes", onLine(func(l string) bool {
		return (strings.Contains(l, `"@`) || strings.Contains(l, `"*`) || strings.Contains(l, `"%`)) && !strings.Contains(l, "[")
	}, func(l string) string { return strings.ReplaceAll(l, `"`, "") })},
	{"no quotes around braces", onLine(has(`"{{`), func(l string) string { return strings.ReplaceAll(l, `"`, "") })},
	{"smart quotes", onLine(func(l string) bool { return strings.Count(l, `"`) == 2 && !strings.Contains(l, `""`) }, func(l string) string { return strings.Replace(strings.Replace(l, `"`, "“", 1), `"`, "”", 1) })},
	{"backticks", onLine(func(l string) bool { return strings.Count(l, `"`) == 2 && !strings.Contains(l, `""`) }, func(l string) string { return strings.ReplaceAll(l, `"`, "`") })},
	{"equals for colon", onLine(plainKeyed, once(": ", " = "))},
	{"tight equals", onLine(plainKeyed, once(": ", "="))},
	{"no space after colon", onLine(func(l string) bool { return plainKeyed(l) && indented(l) }, once(": ", ":"))},
	{"no colon", onLine(plainKeyed, once(": ", " "))},
	{"no colon after a parent", onLine(func(l string) bool { return strings.HasSuffix(strings.TrimSpace(l), ":") }, lastReplace(":", ""))},
	{"no space after dash", onLine(item, once("- ", "-"))},
	{"tab indentation", onLine(func(l string) bool { return indented(l) }, func(l string) string {
		trimmed := strings.TrimLeft(l, " ")
		return strings.Repeat("\t", (len(l)-len(trimmed))/2) + trimmed
	})},
	{"tab everywhere", func(t string, _ func(int) int) string {
		lines := strings.SplitAfter(t, "\n")
		step := 2
		if strings.Contains(t, "\n    fetch") {
			step = 4
		}
		for i, l := range lines {
			trimmed := strings.TrimLeft(l, " ")
			lines[i] = strings.Repeat("\t", (len(l)-len(trimmed))/step) + trimmed
		}
		return strings.Join(lines, "")
	}},
	{"one space too many", onLine(func(l string) bool { return indented(l) && (keyed(l) || item(l)) }, func(l string) string { return " " + l })},
	{"one space too few", onLine(func(l string) bool {
		return indented(l) && (keyed(l) || item(l)) && !strings.HasPrefix(strings.TrimSpace(l), "- name")
	}, func(l string) string { return l[1:] })},
	{"parent one space too many", onLine(func(l string) bool { return indented(l) && strings.HasSuffix(strings.TrimSpace(l), ":") }, func(l string) string { return " " + l })},
	{"no-break space", onLine(indented, func(l string) string { return "\u00a0\u00a0" + l[2:] })},
	{"zero width", onLine(keyed, func(l string) string {
		trimmed := strings.TrimLeft(l, " ")
		return l[:len(l)-len(trimmed)] + "\u200b" + trimmed
	})},
	{"colon in a value", onLine(has(`description: "`), func(l string) string { return strings.ReplaceAll(l, `"`, "") })},
	{"json commas", onLine(func(l string) bool { return strings.HasSuffix(l, "\"\n") && keyed(l) }, func(l string) string { return l + "," })},
	{"slash comment", onLine(has(" # "), once(" # ", " // "))},
	{"slash comment line", func(t string, _ func(int) int) string { return "// my servers\n" + t }},
	{"block comment", func(t string, _ func(int) int) string { return "/* my servers */\n" + t }},
	{"bracket not closed", onLine(has("["), lastReplace("]", ""))},
	{"bracket not opened", onLine(has(`["`), once("[", ""))},
	{"bracket comma missing", onLine(has(`", "`), once(`", "`, `" "`))},
	{"bracket item unquoted", onLine(has(`"@scope/memory"`), func(l string) string { return strings.ReplaceAll(l, `"`, "") })},
	{"bracket closed by brace", onLine(has("]"), lastReplace("]", "}"))},
	{"bracket item half quoted", onLine(has(`["-y"`), once(`"-y"`, `"-y`))},
	{"double comma", onLine(has(`", "`), once(`", "`, `",, "`))},
	{"brace not closed", onLine(has("{A"), lastReplace("}", ""))},
	{"brace equals", onLine(has("{A: "), once("{A: ", "{A = "))},
	{"brace comma missing", onLine(has(`", B`), once(`", B`, `" B`))},
	{"raw backslashes", onLine(has(`'C:\`), func(l string) string { return strings.ReplaceAll(l, "'", `"`) })},
	{"fence", func(t string, _ func(int) int) string { return "```yaml\n" + t + "```\n" }},
	{"open fence", func(t string, _ func(int) int) string { return "```yaml\n" + t }},
	{"copy button", func(t string, _ func(int) int) string { return "yaml\nCopy code\n" + t }},
	{"list on the key's line", func(t string, _ func(int) int) string {
		return strings.Replace(t, "    env_keys:\n      - SHOP", "    env_keys: - SHOP", 1)
	}},
	{"half quoted key", onLine(plainKeyed, func(l string) string {
		trimmed := strings.TrimLeft(l, " ")
		return l[:len(l)-len(trimmed)] + `"` + trimmed
	})},
	{"json key", onLine(func(l string) bool {
		_, value, _ := strings.Cut(strings.TrimSpace(l), ": ")
		kind, _ := resolveYAML(value)
		return plainKeyed(l) && kind == String
	}, func(l string) string {
		trimmed := strings.TrimLeft(l, " ")
		key, value, _ := strings.Cut(trimmed, ": ")
		return l[:len(l)-len(trimmed)] + `"` + key + `": "` + value + `",`
	})},
	{"en dash", onLine(item, once("- ", "– "))},
	{"trailing bracket", onLine(has(`"]`), lastReplace("]", "]]"))},
	{"extra brace", onLine(func(l string) bool { return strings.Count(l, `"`) == 2 }, func(l string) string { return l + " }" })},
}

func TestRepairYAMLBringsBackWhatWasMeant(t *testing.T) {
	repairRate(t, YAML, yamlConfigs, yamlAccidents)
}

func TestRepairYAMLLeavesValidTextAlone(t *testing.T) {
	is := is.New(t)
	for _, text := range yamlConfigs {
		repaired := Repair(text, YAML)
		is.NoErr(repaired.Err)
		is.Equal(repaired.Text, text)
		is.Equal(len(repaired.Mends), 0)
		is.Equal(repairYAML(text), nil) // nor does the mending reader find anything in it
	}
}

func TestRepairYAML(t *testing.T) {
	for _, test := range []struct{ name, before, after string }{
		{"reserved signs", "a: @s/p\nb: %X%\nc: `d`\ne: {{F}}\ng: *.js\n", "a: \"@s/p\"\nb: \"%X%\"\nc: \"d\"\ne: \"{{F}}\"\ng: \"*.js\"\n"},
		{"reserved signs in brackets", "a: [-y, @s/p, *x]\n", "a: [-y, \"@s/p\", \"*x\"]\n"},
		{"paths", "a: \"C:\\new\\x\"\nb: \"C:\\dir\"\n", "a: \"C:\\\\new\\\\x\"\nb: \"C:\\\\dir\"\n"},
		{"JSON", "{\n  \"a\": {\"b\": \"1\" \"c\": []}\n", "{\n  \"a\": {\"b\": \"1\", \"c\": []}\n}\n"},
		{"brackets left open", "a: {\"b\": \"c\",\n  \"d\": [\"e\"\nf:\n  g: h\n", "a: {\"b\": \"c\",\n  \"d\": [\"e\"]}\nf:\n  g: h\n"},
		{"every dash without a space", "args:\n  -y\n  -pkg\n", "args:\n  - y\n  - pkg\n"},
		{"the only key without a space", "env:\n  TOKEN:abc\n", "env:\n  TOKEN: abc\n"},
		{"a colon in a value", "a: one: two # c\n", "a: \"one: two\" # c\n"},
		{"quotes in a value", "a: \"npx\" -y\n", "a: '\"npx\" -y'\n"},
		{"list on the key's line", "a: - b\nc: d\n", "a: \n  - b\nc: d\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			is := is.New(t)
			repaired := Repair(test.before, YAML)
			is.NoErr(repaired.Err)
			is.Equal(repaired.Text, test.after)
		})
	}
}
