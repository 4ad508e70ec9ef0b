package lint

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"mcpmend/core/config"
)

var nameRules = []Rule{
	{
		Code: "MCP4341", Category: "invalid_schema", Severity: Note,
		Title:  "The server's name leaves little room for its tools' names",
		Why:    "{client|The client} joins the names of server and tool and allows {want|a limited number of} characters together; tools with longer names are dropped.",
		Remedy: "Give the server a short name.",
		Before: Example{Client: "cursor", Text: `{"mcpServers": {"my-very-long-company-wide-documentation-server": {"command": "notes-mcp"}}}`},
		After:  Example{Client: "cursor", Text: `{"mcpServers": {"docs": {"command": "notes-mcp"}}}`},
		server: func(p *pass, s *server) {
			limit := p.client.Limits.ServerAndTool
			if limit == 0 {
				limit = p.client.Limits.ToolName
			}
			if length := utf8.RuneCountInString(s.Name); limit == 0 || length*10 < limit*6 {
				return
			} else if length >= limit {
				p.report(&Finding{Severity: Warning, Names: map[string]string{"want": strconv.Itoa(limit)}}, p.dialect(p.client.Limits.Certainty))
				return
			}
			p.report(&Finding{Names: map[string]string{"want": strconv.Itoa(limit)}}, p.dialect(p.client.Limits.Certainty))
		},
	},
	{
		Code: "MCP4342", Category: "config_shape", Severity: Error,
		Title:  "{client|The client} does not take this name for a server",
		Why:    "Its names may have only letters, digits, - and _.",
		Remedy: "Rename the server to {want|a name of such characters}.",
		Before: Example{Client: "codex", Format: config.TOML, Text: "[mcp_servers.\"my notes\"]\ncommand = \"notes-mcp\"\n"},
		After:  Example{Client: "codex", Format: config.TOML, Text: "[mcp_servers.my-notes]\ncommand = \"notes-mcp\"\n"},
		server: func(p *pass, s *server) {
			pattern := p.client.Limits.Name
			if pattern == "" || s.Pointer == "" || namePattern(pattern).MatchString(s.Name) {
				return
			}
			f := Finding{Names: map[string]string{}}
			if to := p.rename(s, strings.Map(nameRune, s.Name)); to != "" {
				f.Names["want"] = to
				f.Fix = Fix{Title: "Rename it to " + to, Patch: config.Patch{move(s.Pointer, parent(s.Pointer)+config.Pointer(to))}}
			}
			p.report(&f, p.dialect(p.client.Limits.Certainty))
		},
	},
	{
		Code: "MCP4343", Category: "config_shape", Severity: Note,
		Title:  "The server's name has {value|a reserved character} in it",
		Why:    "{client|The client} joins the names of server and tool with the same character, so its rules on tools may miss this server.",
		Remedy: "Use a hyphen instead.",
		Before: Example{Client: "gemini-cli", Text: `{"mcpServers": {"my_notes": {"command": "notes-mcp"}}}`},
		After:  Example{Client: "gemini-cli", Text: `{"mcpServers": {"my-notes": {"command": "notes-mcp"}}}`},
		server: func(p *pass, s *server) {
			avoid := p.client.Limits.Avoid
			if avoid == "" || !strings.ContainsAny(s.Name, avoid) {
				return
			}
			f := Finding{Names: map[string]string{"value": avoid}}
			to := strings.Map(func(r rune) rune {
				if strings.ContainsRune(avoid, r) {
					return '-'
				}
				return r
			}, s.Name)
			if to = p.rename(s, to); to != "" {
				f.Fix = Fix{Title: "Rename it to " + to, Patch: config.Patch{move(s.Pointer, parent(s.Pointer)+config.Pointer(to))}}
			}
			p.report(&f, p.dialect(p.client.Limits.Certainty))
		},
	},
	{
		Code: "MCP4344", Category: "config_shape", Severity: Error,
		Title:  "{client|The client} keeps this name for itself",
		Why:    "A server of this name is refused or hidden by the client's own.",
		Remedy: "Give the server another name.",
		Before: Example{Client: "claude-code", Text: `{"mcpServers": {"workspace": {"command": "notes-mcp"}}}`},
		After:  Example{Client: "claude-code", Text: `{"mcpServers": {"my-workspace": {"command": "notes-mcp"}}}`},
		server: func(p *pass, s *server) {
			if slices.Contains(p.client.Limits.Reserved, s.Name) {
				p.report(&Finding{}, p.dialect(p.client.Limits.Certainty))
			}
		},
	},
	{
		Code: "MCP4345", Category: "config_shape", Severity: Warning,
		Title:  "The server's name begins or ends with a character that is not seen",
		Why:    "The name is part of the names of all its tools, and what refers to it by its visible letters does not find it.",
		Remedy: "Type the name again.",
		Before: Example{Text: `{"mcpServers": {"notes ": {"command": "notes-mcp"}}}`},
		After:  Example{Text: `{"mcpServers": {"notes": {"command": "notes-mcp"}}}`},
		server: func(p *pass, s *server) {
			clean := unblanked(s.Name)
			if clean == s.Name {
				return
			}
			f := Finding{}
			if to := p.rename(s, clean); to != "" {
				f.Fix = Fix{Title: "Rename it", Patch: config.Patch{move(s.Pointer, parent(s.Pointer)+config.Pointer(to))}, Safe: true}
			}
			p.report(&f)
		},
	},
	{
		Code: "MCP4346", Category: "config_shape", Severity: Error,
		Title:  "The server has no name",
		Why:    "The name is empty, and clients know their servers by name.",
		Remedy: "Give it one.",
		Before: Example{Text: `{"mcpServers": {"": {"command": "notes-mcp"}}}`},
		After:  Example{Text: `{"mcpServers": {"notes": {"command": "notes-mcp"}}}`},
		server: func(p *pass, s *server) {
			if s.Name == "" && strings.HasSuffix(s.Pointer, "/") {
				p.report(&Finding{})
			}
		},
	},
	{
		Code: "MCP4347", Category: "config_shape", Severity: Error,
		Title:  "The server's name is longer than any client can show",
		Why:    "A name of thousands of characters is most often a text that was pasted where a name belongs. Nothing below it is looked at.",
		Remedy: "Give the server a short name.",
		Before: Example{Text: `{"mcpServers": {"` + strings.Repeat("notes", 500) + `": {"command": "notes-mcp"}}}`},
		After:  Example{Text: `{"mcpServers": {"notes": {"command": "notes-mcp"}}}`},
		server: func(p *pass, s *server) {
			if len(s.Pointer) > maxPointer {
				p.report(&Finding{})
			}
		},
	},
}

// maxPointer bounds the pointer of an entry that is looked into: every finding
// below it repeats the pointer.
const maxPointer = 2000

// namePattern compiles a client's pattern on first use.
var namePattern = func() func(string) *regexp.Regexp {
	var compiled sync.Map
	return func(pattern string) *regexp.Regexp {
		if re, ok := compiled.Load(pattern); ok {
			return re.(*regexp.Regexp)
		}
		re := regexp.MustCompile(pattern)
		compiled.Store(pattern, re)
		return re
	}
}()

func nameRune(r rune) rune {
	if r == '_' || r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
		return r
	}
	return '-'
}

// rename gives the new name where the entry can have it: its name is a key,
// and no other server is called so.
func (p *pass) rename(s *server, to string) string {
	names, err := config.SplitPointer(s.Pointer)
	if err != nil || len(names) == 0 || names[len(names)-1] != s.Name || to == "" || p.names()[to] {
		return ""
	}
	return to
}

// names has the names of all servers.
func (p *pass) names() map[string]bool {
	if p.taken == nil {
		p.taken = make(map[string]bool, len(p.doc.Servers))
		for i := range p.doc.Servers {
			p.taken[p.doc.Servers[i].Name] = true
		}
	}
	return p.taken
}

// parent gives the pointer of what holds the value that a pointer names.
func parent(pointer string) string { return pointer[:strings.LastIndexByte(pointer, '/')] }
