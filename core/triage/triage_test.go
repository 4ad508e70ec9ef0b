package triage

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// codePattern: the first digit is the subject, and codes are never reused.
var codePattern = regexp.MustCompile(`^MCP[1-6]\d{3}$`)

// categories is the closed set.
var categories = []Category{
	CommandNotFound, PackageNotFound, ModuleMissing, RuntimeVersion, PathNotFound, PermissionDenied,
	MissingEnvVar, AuthFailed, OAuthFailed, ConnectionRefused, NetworkUnreachable, TLSFailed, Timeout,
	TransportMismatch, StdoutPollution, ProtocolMismatch, ConnectionClosed, ServerCrash, InvalidArguments,
	InvalidSchema, ConfigSyntax, ConfigShape, PortInUse, ContainerUnavailable, RateLimited, SessionExpired,
	Unknown,
}

func TestRules(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Rules() {
		t.Run(r.Code, func(t *testing.T) {
			is := is.New(t)
			is.True(codePattern.MatchString(r.Code))
			is.True(!seen[r.Code]) // a code is given once
			seen[r.Code] = true
			is.True(slices.Contains(categories, r.Category))
			is.True(r.Title != "" && r.Explanation != "" && r.Remedy != "" && r.Example != "")
			is.True(!strings.Contains(r.Title, "|}")) // a title reads well without its names
			is.True(r.Specificity > 0 && r.Specificity <= 100)
			is.True(len(r.Literals) > 0)
			for _, l := range r.Literals {
				is.Equal(l, strings.ToLower(l)) // the automaton folds the text, not the literal
				is.True(len(l) >= 2)
			}
		})
	}
}

// Every rule finds its own example, which proves at once that one of its
// literals stands in what its pattern matches.
func TestExamples(t *testing.T) {
	for _, r := range Rules() {
		t.Run(r.Code, func(t *testing.T) {
			for _, m := range Read(r.Example).Matches {
				if m.Rule.Code == r.Code {
					return
				}
			}
			t.Errorf("%s does not match its example %q", r.Code, r.Example)
		})
	}
}

func TestNames(t *testing.T) {
	for _, test := range []struct{ text, name, want string }{
		{"spawn npx ENOENT", "command", "npx"},
		{`Error: spawn C:\Program Files\nodejs\npx.cmd ENOENT`, "command", `C:\Program Files\nodejs\npx.cmd`},
		{"connect ECONNREFUSED ::1:8100", "port", "8100"},
		{"getaddrinfo EAI_AGAIN mcp.example.com", "host", "mcp.example.com"},
		{"getaddrinfo EAI_AGAIN mcp.example.com", "variable", ""},
		{"Error: YOUR_API_KEY is required", "variable", ""},
		{"Error: NOTES_API_KEY environment variable is required", "variable", "NOTES_API_KEY"},
		{"No matching version found for @example/notes@^9.1.0.", "package", "@example/notes"},
		{"No matching version found for @example/notes@^9.1.0.", "version", "^9.1.0"},
		{"MCP error -32602: Input validation error: Invalid arguments for tool add_note: Required", "tool", "add_note"},
		{"1 validation error for add_noteArguments", "tool", "add_note"},
		{`[{"code":"invalid_type","expected":"string","path":["title"],"message":"Required"}]`, "argument", "title"},
		{`{"stack":"Error: Cannot find module \"zod\"\n    at x"}`, "module", "zod"},
	} {
		t.Run(test.text, func(t *testing.T) {
			is := is.New(t)
			got := ""
			for _, m := range Read(test.text).Matches {
				if v := m.Names[test.name]; v != "" {
					got = v
				}
			}
			is.Equal(got, test.want)
		})
	}
}

// A program that was named by its path was not looked for on PATH.
func TestProgramsNamedByPath(t *testing.T) {
	for text, want := range map[string]string{
		"ENOENT: no such file or directory, posix_spawn '/opt/homebrew/bin/uvx'":           "/opt/homebrew/bin/uvx",
		`exec: "/usr/local/bin/node": stat /usr/local/bin/node: no such file or directory`: "/usr/local/bin/node",
		"fork/exec /home/you/bin/notes: no such file or directory":                         "/home/you/bin/notes",
		`Cannot run program "/usr/bin/npx": error=2, No such file or directory`:            "/usr/bin/npx",
		"bash: line 1: /home/you/.local/bin/uvx: No such file or directory":                "/home/you/.local/bin/uvx",
		"zsh: command not found: /opt/node/bin/npx":                                        "/opt/node/bin/npx",
		`exec: "npx": executable file not found in $PATH`:                                  "",
		"bash: line 1: /home/you/.nvm/bin/npx -y weather-mcp: No such file or directory":   "",
	} {
		t.Run(text, func(t *testing.T) {
			got := ""
			for _, m := range Read(text).Matches {
				if m.Rule.Code == "MCP1014" {
					got = m.Names["command"]
				}
			}
			is.New(t).Equal(got, want)
		})
	}
}

func TestPlaces(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"plain":       {"[error] [github] spawn npx ENOENT", "spawn npx ENOENT"},
		"colours":     {"\x1b[31m[error]\x1b[0m spawn \x1b[1mnpx\x1b[0m ENOENT\x1b[0m", "spawn \x1b[1mnpx\x1b[0m ENOENT"},
		"frame":       {"│ ✖ spawn npx ENOENT      │\n", "spawn npx ENOENT      │"},
		"broken line": {"sh: line 1: notes-mcp: command not\n found", "sh: line 1: notes-mcp: command not\n found"},
		"announced":   {"Configuration is invalid at opencode.jsonc\n  ↳ Invalid input mcp.notes\n", "Invalid input mcp.notes"},
		"broken by a terminal": {
			"MCP client for `notes` failed to start: MCP startup failed: handshaking with MCP\n  server failed: connection closed: initialize response",
			"handshaking with MCP\n  server failed: connection closed",
		},
		"behind a colon": {"Error: the versions do not meet:\nthe connection closed in between", "the versions do not meet:\nthe connection closed"},
		"invalid bytes":  {"\xff\xfe spawn npx ENOENT", "spawn npx ENOENT"},
		"json log":       {`{"time":"2026-01-01T00:00:00Z","level":"ERROR","msg":"spawn npx ENOENT","pid":` + strings.Repeat("1", 200) + `}`, "spawn npx ENOENT"},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			found := false
			for _, m := range Read(test.text).Matches {
				found = found || strings.Contains(test.text[m.Start:m.End], test.want)
			}
			is.True(found)
		})
	}
}

// Where no rule knows the words, the line that says most is kept: neither a
// frame of a stack nor a member that only sorts an error.
func TestTelling(t *testing.T) {
	for text, want := range map[string]string{
		"the gauge is wet\nsend help":                                                                    "send help",
		"Error: the gauge is wet\n    at read (gauge.js:1:2)":                                            "Error: the gauge is wet",
		"{\n  \"message\": \"the gauge cannot be read\",\n  \"type\": \"GaugeError\",\n  \"code\": 7\n}": `"message": "the gauge cannot be read",`,
		"the gauge failed\n+ Exception Group Traceback (most recent call last):":                         "the gauge failed",
	} {
		t.Run(want, func(t *testing.T) {
			is.New(t).Equal(Read(text).Telling, want)
		})
	}
}

func TestServers(t *testing.T) {
	is := is.New(t)
	log := Read("2026-01-01T00:00:00.000Z [notes] [error] spawn npx ENOENT\n" +
		"2026-01-01T00:00:01.000Z [error] [weather] spawn uvx ENOENT\n")
	servers := map[string]string{}
	for _, m := range log.Matches {
		if m.Rule.Code == "MCP1001" {
			servers[m.Names["command"]] = m.Server
		}
	}
	is.Equal(servers, map[string]string{"npx": "notes", "uvx": "weather"})
}

func TestClients(t *testing.T) {
	for text, want := range map[string]string{
		"2026-01-01T00:00:00.000Z [notes] [info] Server transport closed unexpectedly, this is likely due to the process exiting early": "claude-desktop",
		"2026-01-01 00:00:00.000 [info] otes: Handling ListOfferings action":                                                            "cursor",
		"2026-01-01 00:00:00.000 [info] Connection state: Running":                                                                      "vscode",
		"MCP client for `notes` failed to start: program not found":                                                                     "codex",
		"nothing of note": "",
	} {
		t.Run(want, func(t *testing.T) {
			is.New(t).Equal(Read(text).Client, want)
		})
	}
}

// Several texts may be read at once; the race detector looks on.
func TestParallel(t *testing.T) {
	for range 4 {
		t.Run("reader", func(t *testing.T) {
			t.Parallel()
			for _, r := range Rules() {
				Read(r.Example)
			}
		})
	}
}
