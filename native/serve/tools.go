package serve

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mcpmend/core/config"
	"mcpmend/core/schema"
)

// tool is one tool: what it says of itself, and what it does.
type tool struct {
	name, title string
	description string
	hints       mcp.ToolAnnotations
	input       string // JSON Schema
	output      string
	work        func(c *call, arguments json.RawMessage) (answer, error)

	compiled *schema.Schema
}

func (t *tool) described() *mcp.Tool {
	hints := t.hints
	hints.Title = t.title
	return &mcp.Tool{Name: t.name, Title: t.title, Description: t.description, Annotations: &hints,
		InputSchema: json.RawMessage(t.input), OutputSchema: json.RawMessage(t.output)}
}

var (
	yes, no = true, false

	// pure tools look at nothing but what they are given.
	pure = mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: &no}
	// looking tools read the configs of this machine.
	looking = mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: &no}
	// healing tools start servers, and write what was healed when told to.
	healing = mcp.ToolAnnotations{DestructiveHint: &no, IdempotentHint: true, OpenWorldHint: &yes}
	// writing tools change a config file.
	writing = mcp.ToolAnnotations{DestructiveHint: &yes, OpenWorldHint: &yes}
)

// table is every tool, in the order in which a model meets them.
var table = []tool{
	{
		name: "list_servers", title: "List MCP servers",
		description: "List the MCP servers in every client's config on this machine, with an id for the other tools. Starts nothing.",
		hints:       looking,
		input: takes("", `
			"client": `+clientWord("Only servers of this client")),
		output: gives(`
			"servers": {"type":"array","items":` + serverSchema + `},
			"unreadable": {"type":"array","description":"Config files that could not be read","items":{"type":"object","properties":{"client":{"type":"string"},"file":{"type":"string"},"why":{"type":"string"}}}}`),
		work: work((*call).listServers),
	},
	{
		name: "check_health", title: "Check servers",
		description: "Start or reach configured servers for real and say which work, and why the others do not. With auto_heal, fixes are tried on copies and written after the user agrees. Never calls a tool of theirs.",
		hints:       healing,
		input: takes("", `
			"servers": {"type":"array","description":"Names or ids; all servers when left out","items":{"type":"string","maxLength":200},"maxItems":100},
			"client": `+clientWord("Only servers of this client")+`,
			"auto_heal": {"type":"boolean","description":"Mend what is broken; asks the user before writing","default":false}`),
		output: gives(`
			"servers": {"type":"array","items":` + healthSchema + `},
			"healthy": {"type":"integer"}, "sick": {"type":"integer"}, "healed": {"type":"integer"}`),
		work: work((*call).checkHealth),
	},
	{
		name: "test_connection", title: "Test one server",
		description: "Start or reach one configured server for real: how far it gets, its root cause when it fails, and fixes with a fix_id for apply_fix. With auto_heal, fixes are tried on a copy and written after the user agrees.",
		hints:       healing,
		input: takes(`"server"`, `
			"server": {"type":"string","description":"Name or id from list_servers","minLength":1,"maxLength":200},
			"client": `+clientWord("The client whose entry is meant, when several have the name")+`,
			"auto_heal": {"type":"boolean","description":"Mend it; asks the user before writing","default":false}`),
		output: gives(strings.TrimSuffix(strings.TrimPrefix(healthSchema, `{"type":"object","properties":{`), "}}")),
		work:   work((*call).testConnection),
	},
	{
		name: "diagnose_error", title: "Diagnose an error or config",
		description: "Find the root cause in an error, a log, a config or all of it pasted together, with evidence and fixes. Looks only at the text given, never at files.",
		hints:       pure,
		input: takes("", `
			"text": {"type":"string","description":"The error or log, as it is","maxLength":4194304},
			"config": {"type":"string","description":"The text of the config it belongs to; not a path","maxLength":4194304},
			"client": `+clientWord("The client it comes from, when the text does not tell")+`,
			"server": {"type":"string","description":"Look at this server alone","maxLength":200}`),
		output: gives(`
			"version": {"type":"integer"}, "client": {"type":"string"}, "format": {"type":"string"},
			"diagnoses": {"type":"array","description":"Root cause first","items":{"type":"object"}},
			"config": {"type":"object"}`),
		work: work((*call).diagnoseError),
	},
	{
		name: "explain_arguments", title: "Explain tool arguments",
		description: "Check the arguments of a tool call against the tool's inputSchema: every problem with its fix, what can be mended without a guess, and a call proven valid. Without arguments it describes the schema.",
		hints:       pure,
		input: takes(`"schema"`, `
			"schema": {"type":"object","description":"The tool's inputSchema"},
			"arguments": {"type":"object","description":"The arguments of the call"},
			"tool": {"type":"string","description":"The tool's name","maxLength":200},
			"draft": {"type":"string","enum":["draft2020-12","draft7"],"description":"Dialect of a schema without $schema","default":"draft2020-12"}`),
		output: gives(`
			"valid": {"type":"boolean"}, "valid_example": {"type":"object"}, "repaired": {"type":"object"}, "repaired_valid": {"type":"boolean"},
			"repairs": {"type":"array","items":{"type":"object"}}, "schema": {"type":"object"}`),
		work: work((*call).explainArguments),
	},
	{
		name: "convert_config", title: "Convert a config",
		description: "Rewrite the servers of one client's config in another client's dialect. Takes and gives text; changes no file.",
		hints:       pure,
		input: takes(`"config","to"`, `
			"config": {"type":"string","description":"The text of the config; not a path","minLength":1,"maxLength":4194304},
			"to": `+clientWord("The client to write for")+`,
			"from": `+clientWord("The client whose config it is, when the text does not tell")+`,
			"os": {"type":"string","enum":["linux","macos","windows"],"description":"The system where it will be used"}`),
		output: gives(`
			"text": {"type":"string"}, "format": {"type":"string"}, "belongs_in": {"type":"string"},
			"mended": {"type":"integer","description":"Places that were mended before it could be read"},
			"changed": {"type":"array","items":{"type":"object"}}, "left_out": {"type":"array","items":{"type":"object"}}`),
		work: work((*call).convertConfig),
	},
	{
		name: "configure_server", title: "Configure a server",
		description: "Add a server to a client's config: given by command, by url or by its name in the MCP registry. It is started on a copy first and healed if it does not work; a dry run unless dry_run is false. The user is asked before an unknown command is started and before anything is written.",
		hints:       writing,
		input: takes(`"name","client"`, `
			"name": {"type":"string","description":"What the client will call it","pattern":"^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$"},
			"client": `+clientWord("The client to configure")+`,
			"command": {"type":"string","description":"The program to start; give this, url or registry","minLength":1,"maxLength":4096},
			"args": {"type":"array","description":"Arguments of command","items":{"type":"string","maxLength":8192},"maxItems":200},
			"env": {"type":"object","description":"Variables of command: names and their values, which are strings"},
			"url": {"type":"string","description":"Address of a remote server","pattern":"^https?://[^\\s]+$","maxLength":4096},
			"headers": {"type":"object","description":"Headers for url: names and their values, which are strings"},
			"registry": {"type":"string","description":"Name in the MCP registry, such as io.github.owner/name","pattern":"^[A-Za-z0-9][A-Za-z0-9.-]{0,99}/[A-Za-z0-9][A-Za-z0-9._-]{0,99}$"},
			"dry_run": {"type":"boolean","description":"Only show what would be written","default":true}`),
		output: gives(`
			"state": {"type":"string"}, "why": {"type":"string"}, "written": {"type":"boolean"}, "dry_run": {"type":"boolean"},
			"file": {"type":"string"}, "client": {"type":"string"}, "tools": {"type":"integer"},
			"needs": {"type":"array","description":"Variables that the server needs and has not","items":{"type":"object"}},
			"notes": {"type":"array","items":{"type":"object"}},
			"diagnoses": {"type":"array","items":{"type":"object"}}, "healing": {"type":"object"},
			"diff": {"type":"array","items":{"type":"string"}}, "next_step": {"type":"string"}, "untrusted_stderr": {"type":"string"}`),
		work: work((*call).configureServer),
	},
	{
		name: "apply_fix", title: "Apply a proposed fix",
		description: "Try a fix that test_connection or check_health proposed in this session, by its fix_id, and write it if the server then works. A dry run unless dry_run is false; the user is asked before anything is written. An id holds for ten minutes and one write.",
		hints:       writing,
		input: takes(`"fix_id"`, `
			"fix_id": {"type":"string","description":"From a fix of test_connection or check_health","minLength":1,"maxLength":100},
			"dry_run": {"type":"boolean","description":"Try it on a copy and show the diff only","default":true}`),
		output: gives(strings.TrimSuffix(strings.TrimPrefix(healthSchema, `{"type":"object","properties":{`), "}}") + `,"dry_run":{"type":"boolean"}`),
		work:   work((*call).applyFix),
	},
	{
		name: "undo", title: "Undo the last write",
		description: "Take back the last config that this session wrote, byte for byte. Refused when the file was changed since. The user is asked first.",
		hints:       writing,
		input:       takes("", ""),
		output: gives(`
			"undone": {"type":"boolean"}, "file": {"type":"string"}, "diff": {"type":"array","items":{"type":"string"}}`),
		work: work((*call).undo),
	},
}

// work fits a method with typed arguments into the table. The arguments were
// checked against the schema; what that leaves open, the values of a map, is
// decided by the type.
func work[In any](do func(*call, In) (answer, error)) func(*call, json.RawMessage) (answer, error) {
	return func(c *call, arguments json.RawMessage) (answer, error) {
		var in In
		err := json.Unmarshal(arguments, &in)
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) {
			field := strings.SplitN(wrong.Field, ".", 2)[0]
			return answer{}, badArgument(field, "A value is of type "+wrong.Value+".", "strings as values", "Send every value of "+field+" as a string.")
		}
		if err != nil {
			return answer{}, err
		}
		return do(c, in)
	}
}

const errorSchema = `"error": {"type":"object","description":"Why the call failed"}`

const serverSchema = `{"type":"object","properties":{"id":{"type":"string"},"name":{"type":"string"},"untrusted_name":{"type":"string"},"client":{"type":"string"},"scope":{"type":"string"},"file":{"type":"string"},"transport":{"type":"string"},"enabled":{"type":"boolean"},"needs_consent":{"type":"boolean"}}}`

const healthSchema = `{"type":"object","properties":{"server":` + serverSchema + `,"state":{"type":"string"},"why":{"type":"string"},"new":{"type":"boolean"},"tools":{"type":"integer"},"ms":{"type":"number"},"phases":{"type":"array","items":{"type":"object"}},"diagnoses":{"type":"array","items":{"type":"object"}},"healing":{"type":"object","description":"What was tried"},"written":{"type":"boolean"},"diff":{"type":"array","items":{"type":"string"}},"next_step":{"type":"string"},"untrusted_stderr":{"type":"string"}}}`

// takes is the schema of arguments.
func takes(required, properties string) string {
	return `{"type":"object","properties":{` + properties + `},"required":[` + required + `]}`
}

// strict is the schema that arguments are checked against: no others are
// taken. It is not what the tool shows, since some clients refuse a schema
// with this keyword.
func (t *tool) strict() string {
	return strings.TrimSuffix(t.input, "}") + `,"additionalProperties":false}`
}

// gives is the schema of a result. It stays open, so that a key may be added.
func gives(properties string) string {
	return `{"type":"object","properties":{` + properties + "," + errorSchema + `}}`
}

// clientWord is the schema of a client's id.
func clientWord(description string) string {
	var ids []string
	for _, c := range config.Clients() {
		ids = append(ids, c.ID)
	}
	data, _ := json.Marshal(map[string]any{"type": "string", "description": description, "enum": ids}) // strings always encode
	return string(data)
}
