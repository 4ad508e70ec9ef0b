package lint

import (
	"slices"
	"strings"

	"mcpmend/core/config"
)

var transportRules = []Rule{
	{
		Code: "MCP4201", Category: "config_shape", Severity: Error,
		Title:  "{client|The client} needs a {want_key|type} beside {key|a URL}",
		Why:    "An entry with {key|a URL} and no {want_key|type} does not match the schema of {client|this client} and is not loaded.",
		Remedy: `Add "{want_key|type}": "{want|http}".`,
		Before: Example{Client: "claude-code", Text: `{"mcpServers": {"notes": {"url": "https://notes.example.com/mcp"}}}`},
		After:  Example{Client: "claude-code", Text: `{"mcpServers": {"notes": {"type": "http", "url": "https://notes.example.com/mcp"}}}`},
		server: func(p *pass, s *server) {
			m, effect := s.field(config.RoleURL), p.client.Untyped.URL
			if s.command.text != "" {
				m, effect = s.field(config.RoleCommand), p.client.Untyped.Command
			}
			if m == nil || effect < config.Ignored || s.typeMember(p) != nil {
				return
			}
			p.reportMissingType(s, m, p.dialect(p.client.Untyped.Certainty))
		},
	},
	{
		Code: "MCP4202", Category: "transport_mismatch", Severity: Warning,
		Title:  "{client|The client} takes this address for SSE",
		Why:    "Where the entry names no transport, {client|this client} speaks the older SSE to a URL. A server that speaks streamable HTTP answers with 404 or 405.",
		Remedy: "Say that it is streamable HTTP, unless the server really speaks SSE.",
		Before: Example{Client: "cline", Text: `{"mcpServers": {"notes": {"url": "https://notes.example.com/mcp"}}}`},
		After:  Example{Client: "cline", Text: `{"mcpServers": {"notes": {"type": "streamableHttp", "url": "https://notes.example.com/mcp"}}}`},
		server: func(p *pass, s *server) {
			url := s.field(config.RoleURL)
			if url == nil || s.command.text != "" || p.client.Untyped.URL >= config.Ignored || p.client.Untyped.Means != config.SSE || s.typeMember(p) != nil {
				return
			}
			if url.Name == p.client.HTTP.Implied || pathSays(url.Value.Text) == config.SSE || pathSays(url.Value.Text) == "" {
				return
			}
			p.reportMissingType(s, url, p.dialect(p.client.Untyped.Certainty))
		},
	},
	{
		Code: "MCP4203", Category: "config_shape", Severity: Error,
		Title:  "{client|The client} does not know the {key|type} {value|}",
		Why:    "Every client has its own word for each way to talk to a server. {client|This one} refuses what it does not know.",
		Remedy: `Write {want?"%"|one of its own words}.`,
		Before: Example{Client: "cline", Text: `{"mcpServers": {"notes": {"type": "streamable-http", "url": "https://notes.example.com/mcp"}}}`},
		After:  Example{Client: "cline", Text: `{"mcpServers": {"notes": {"type": "streamableHttp", "url": "https://notes.example.com/mcp"}}}`},
		server: wrongWord,
	},
	{
		Code: "MCP4204", Category: "config_shape", Severity: Error,
		Title:  "{client|The client} reads {want_key|type}, not {key|this key}",
		Why:    "The word for the transport is under a key of another client. It is dropped, and what is left is an entry without a type.",
		Remedy: "Rename {key|the key} to {want_key|type}.",
		Before: Example{Client: "claude-code", Text: `{"mcpServers": {"notes": {"transport": "http", "url": "https://notes.example.com/mcp"}}}`},
		After:  Example{Client: "claude-code", Text: `{"mcpServers": {"notes": {"type": "http", "url": "https://notes.example.com/mcp"}}}`},
		server: func(p *pass, s *server) {
			want := p.client.Spelling(config.RoleType, s.talks())
			m := s.typeMember(p)
			if m == nil || want == nil || s.get(want.Name) != nil || p.client.Field(m.Name) != nil && p.client.Field(m.Name).Effect < config.Ignored {
				return
			}
			f := Finding{Pointer: s.at(m.Name), Span: m.Key, Names: map[string]string{"key": m.Name, "want_key": want.Name}}
			t := transports[strings.ToLower(m.Value.Text)]
			if s.value(config.RoleURL) == nil || p.client.Untyped.URL < config.Ignored {
				f.Severity = Note
			}
			if words := p.client.Words(t).Words; len(words) > 0 {
				f.Fix = Fix{Title: "Rename it to " + want.Name, Safe: true, Patch: config.Patch{
					move(s.at(m.Name), s.at(want.Name)), replace(s.at(want.Name), words[0]),
				}}
			}
			p.report(&f, p.dialect(p.client.Untyped.Certainty))
		},
	},
	{
		Code: "MCP4205", Category: "config_shape", Severity: Error,
		Title:  "{client|The client} starts programs and takes no URL in its file",
		Why:    "Its file lists programs to start. An entry with a URL is skipped, with a notice or without.",
		Remedy: "Add the address in the client's own settings for remote servers, or bridge it with a program such as mcp-remote.",
		Before: Example{Client: "claude-desktop", Text: `{"mcpServers": {"notes": {"url": "https://notes.example.com/mcp"}}}`},
		After:  Example{Client: "claude-desktop", Text: `{"mcpServers": {"notes": {"command": "npx", "args": ["-y", "mcp-remote", "https://notes.example.com/mcp"]}}}`},
		server: func(p *pass, s *server) {
			url := s.field(config.RoleURL)
			if url == nil || s.command.text != "" || !p.client.Stdio.Known() || p.client.HTTP.Known() || p.client.SSE.Known() {
				return
			}
			fact := p.client.HTTP.Certainty
			if f := p.client.Field(url.Name); f != nil {
				fact = f.Certainty
			}
			p.report(&Finding{Pointer: s.at(url.Name), Span: url.Key, Names: map[string]string{"key": url.Name}}, p.dialect(fact))
		},
	},
	{
		Code: "MCP4206", Category: "config_shape", Severity: Error,
		Title:  "The {key|type} says {value|one thing} and the other keys say another",
		Why:    "A program is started over stdio, an address is called over HTTP. Where the two disagree the client follows the type and misses the key that it needs.",
		Remedy: `Write {want?"%"|the type that fits}, or remove it.`,
		Before: Example{Client: "vscode", Text: `{"servers": {"notes": {"type": "stdio", "url": "https://notes.example.com/mcp"}}}`},
		After:  Example{Client: "vscode", Text: `{"servers": {"notes": {"type": "http", "url": "https://notes.example.com/mcp"}}}`},
		server: contradiction,
	},
	{
		Code: "MCP4207", Category: "config_shape", Severity: Error,
		Title:  "The command is {value|the name of a transport}, not a program",
		Why:    "The client tries to start a program of that name.",
		Remedy: "Write the address as the URL of the entry, without a command.",
		Before: Example{Client: "cursor", Text: `{"mcpServers": {"notes": {"command": "sse", "args": ["http://localhost:3000/sse"]}}}`},
		After:  Example{Client: "cursor", Text: `{"mcpServers": {"notes": {"url": "http://localhost:3000/sse"}}}`},
		server: func(p *pass, s *server) {
			if t := transports[strings.ToLower(s.command.text)]; t != config.SSE && (t != config.HTTP || strings.EqualFold(s.command.text, "remote")) {
				return
			}
			f := Finding{Pointer: s.command.pointer(), Span: s.command.node.Span, Names: map[string]string{"value": s.command.text}}
			if len(s.args) == 1 && isURL(s.args[0].text) && s.value(config.RoleURL) == nil {
				f.Fix = Fix{Title: "Make it a URL", Patch: s.toURL(p, s.args[0].text)}
			}
			p.report(&f)
		},
	},
	{
		Code: "MCP4208", Category: "config_shape", Severity: Error,
		Title:  "The address has no http:// or https://",
		Why:    "Without it {value|the text} is no URL, and the client refuses it.",
		Remedy: "Write the whole address.",
		Before: Example{Text: `{"mcpServers": {"notes": {"url": "localhost:3000/sse"}}}`},
		After:  Example{Text: `{"mcpServers": {"notes": {"url": "http://localhost:3000/sse"}}}`},
		server: func(p *pass, s *server) {
			m := s.field(config.RoleURL)
			if m == nil || m.Value.Kind != config.String {
				return
			}
			text := strings.TrimSpace(m.Value.Text)
			host, _, _ := strings.Cut(strings.TrimPrefix(text, "//"), "/")
			meant, slip := respelt(text)
			if text == "" || knownScheme(text) && !slip || strings.ContainsAny(text[:1], "${%<[") || strings.HasPrefix(text, "unix:") {
				return
			}
			f := Finding{Pointer: s.at(m.Name), Span: m.Value.Span, Names: map[string]string{"value": text}}
			if slip {
				f.Fix = Fix{Title: "Write the scheme in full", Patch: config.Patch{replace(s.at(m.Name), meant)}}
			} else if !strings.Contains(text, "://") && (strings.ContainsAny(host, ".:") || host == "localhost") {
				scheme := "https://"
				if local(host) {
					scheme = "http://"
				}
				f.Fix = Fix{Title: "Add " + scheme, Patch: config.Patch{replace(s.at(m.Name), scheme+strings.TrimPrefix(text, "//"))}}
			}
			p.report(&f)
		},
	},
	{
		Code: "MCP4210", Category: "transport_mismatch", Severity: Warning,
		Title:  "The address ends in {value|one transport} and the type says another",
		Why:    "By custom /sse is the end point of the older SSE and /mcp that of streamable HTTP. Each answers the other with an error.",
		Remedy: "Check what the server speaks, and make type and address agree.",
		Before: Example{Client: "claude-code", Text: `{"mcpServers": {"notes": {"type": "sse", "url": "https://notes.example.com/mcp"}}}`},
		After:  Example{Client: "claude-code", Text: `{"mcpServers": {"notes": {"type": "http", "url": "https://notes.example.com/mcp"}}}`},
		server: func(p *pass, s *server) {
			kind, url := s.value(config.RoleType), s.field(config.RoleURL)
			if kind == nil || url == nil || strings.EqualFold(kind.Text, "remote") {
				return
			}
			says, means := transports[strings.ToLower(kind.Text)], pathSays(url.Value.Text)
			if says == "" || means == "" || says == means || says == config.Stdio {
				return
			}
			f := Finding{Pointer: s.at(url.Name), Span: url.Value.Span, Names: map[string]string{"value": lastSegment(url.Value.Text)}}
			if words := p.client.Words(means).Words; len(words) > 0 && p.client.Words(says).Known() {
				f.Fix = Fix{Title: "Change the type", Patch: config.Patch{replace(s.at(s.field(config.RoleType).Name), words[0])}}
			}
			p.report(&f)
		},
	},
	{
		Code: "MCP4211", Category: "config_shape", Severity: Error,
		Title:  "{client|The client} does not speak SSE",
		Why:    "SSE is the older of the two ways over HTTP, and {client|this client} has only the newer one.",
		Remedy: "Use the server's streamable HTTP address, with the word that the client has for it.",
		Before: Example{Client: "goose", Format: config.YAML, Text: "extensions:\n  notes:\n    type: sse\n    name: notes\n    uri: https://notes.example.com/mcp\n    enabled: true\n    timeout: 300\n"},
		After:  Example{Client: "goose", Format: config.YAML, Text: "extensions:\n  notes:\n    type: streamable_http\n    name: notes\n    uri: https://notes.example.com/mcp\n    enabled: true\n    timeout: 300\n"},
		server: func(p *pass, s *server) {
			m := s.typeMember(p)
			if m == nil || !p.known() || transports[strings.ToLower(m.Value.Text)] != config.SSE || p.client.SSE.Known() || !p.client.HTTP.Known() {
				return
			}
			if f := p.client.Field(m.Name); f == nil || f.Effect >= config.Ignored {
				return
			}
			f := Finding{Pointer: s.at(m.Name), Span: m.Value.Span}
			if words := p.client.HTTP.Words; len(words) > 0 {
				f.Fix = Fix{Title: "Use streamable HTTP", Patch: config.Patch{replace(s.at(m.Name), words[0])}}
			}
			p.report(&f, p.dialect(p.client.SSE.Certainty))
		},
	},
	{
		Code: "MCP4212", Category: "config_shape", Severity: Error,
		Title:  "The command is an address",
		Why:    "A command is a program to start; the client looks for a file of that name.",
		Remedy: "Write the address as the URL of the entry, without a command.",
		Before: Example{Client: "cursor", Text: `{"mcpServers": {"notes": {"command": "https://notes.example.com/mcp"}}}`},
		After:  Example{Client: "cursor", Text: `{"mcpServers": {"notes": {"url": "https://notes.example.com/mcp"}}}`},
		server: func(p *pass, s *server) {
			if !isURL(s.command.text) {
				return
			}
			f := Finding{Pointer: s.command.pointer(), Span: s.command.node.Span}
			if len(s.args) == 0 && s.value(config.RoleURL) == nil {
				f.Fix = Fix{Title: "Make it a URL", Patch: s.toURL(p, s.command.text)}
			}
			p.report(&f)
		},
	},
	{
		Code: "MCP4213", Category: "connection_refused", Severity: Note,
		Title:  "{value|This address} is one to listen on, not one to call",
		Why:    "A server that listens on 0.0.0.0 listens everywhere. Calling that address works on some systems only.",
		Remedy: "Call localhost or the machine's own name.",
		Before: Example{Text: `{"mcpServers": {"notes": {"url": "http://0.0.0.0:3000/mcp"}}}`},
		After:  Example{Text: `{"mcpServers": {"notes": {"url": "http://localhost:3000/mcp"}}}`},
		server: func(p *pass, s *server) {
			m := s.field(config.RoleURL)
			if m == nil || !strings.HasPrefix(host(m.Value.Text), "0.0.0.0") {
				return
			}
			p.report(&Finding{
				Pointer: s.at(m.Name), Span: m.Value.Span, Names: map[string]string{"value": host(m.Value.Text)},
				Fix: Fix{Title: "Call localhost", Patch: config.Patch{replace(s.at(m.Name), strings.Replace(m.Value.Text, "0.0.0.0", "localhost", 1))}},
			})
		},
	},
	{
		Code: "MCP4214", Category: "connection_refused", Severity: Note,
		Title:  "localhost may not be the machine that is meant",
		Why:    "{client|This client} often runs in a container, where localhost is the container itself.",
		Remedy: "Use host.docker.internal or the name of the service, and allow that host where the client has a list.",
		Before: Example{Client: "librechat", Format: config.YAML, Text: "mcpServers:\n  notes:\n    type: streamable-http\n    url: http://localhost:3001/mcp\n"},
		After:  Example{Client: "librechat", Format: config.YAML, Text: "mcpServers:\n  notes:\n    type: streamable-http\n    url: http://host.docker.internal:3001/mcp\n"},
		server: func(p *pass, s *server) {
			m := s.field(config.RoleURL)
			if m == nil || p.client.Launch != config.FromService || !local(host(m.Value.Text)) {
				return
			}
			f := Finding{Pointer: s.at(m.Name), Span: m.Value.Span, Names: map[string]string{"value": host(m.Value.Text)}}
			if name, _, _ := strings.Cut(host(m.Value.Text), ":"); name != "[" { // as of [::1]
				f.Fix = Fix{Title: "Call host.docker.internal", Patch: config.Patch{replace(s.at(m.Name), strings.Replace(m.Value.Text, name, "host.docker.internal", 1))}}
			}
			p.report(&f)
		},
	},
	{
		Code: "MCP4215", Category: "transport_mismatch", Severity: Note,
		Title:  "Older versions of {client|the client} take {key|url} for SSE",
		Why:    "They had another key for streamable HTTP and spoke the older SSE to this one.",
		Remedy: "Update the client, or write {want|its older key} where an old version must read the file.",
		Before: Example{Client: "gemini-cli", Text: `{"mcpServers": {"notes": {"url": "https://notes.example.com/mcp"}}}`},
		After:  Example{Client: "gemini-cli", Text: `{"mcpServers": {"notes": {"httpUrl": "https://notes.example.com/mcp"}}}`},
		server: func(p *pass, s *server) {
			old := p.client.HTTP.Implied
			f := p.client.Field(old)
			m := s.field(config.RoleURL)
			if f == nil || f.Effect != config.Deprecated || m == nil || m.Name == old || s.command.text != "" || pathSays(m.Value.Text) == config.SSE {
				return
			}
			p.report(&Finding{
				Pointer: s.at(m.Name), Span: m.Key, Names: map[string]string{"key": m.Name, "want": old},
			}, p.dialect(f.Certainty))
		},
	},
}

// knownScheme tells whether an address begins with a scheme that some client can
// call, or with a reference that may be one.
func knownScheme(address string) bool {
	scheme, _, ok := strings.Cut(address, "://")
	return ok && (strings.ContainsAny(scheme, "${%") || slices.Contains([]string{"http", "https", "ws", "wss", "unix", "npipe", "pipe"}, strings.ToLower(scheme)))
}

// respelt gives the address that one with a slip in its http:// or https:// was
// meant to be, as in https//host or htps://host.
func respelt(address string) (string, bool) {
	rest := strings.TrimLeftFunc(address, func(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' })
	scheme := strings.ToLower(address[:len(address)-len(rest)])
	after := strings.TrimLeft(rest, ":;/\\ ")
	sign := rest[:len(rest)-len(after)]
	meant := "http"
	if strings.Contains(scheme, "s") {
		meant = "https"
	}
	right := scheme == meant && sign == "://"
	if right || after == "" || len(scheme) < 3 || !strings.ContainsAny(sign, "/\\") || !close(scheme, meant) {
		return "", false
	}
	return meant + "://" + after, true
}

// transports is what any client's word for a transport means, in lower case.
var transports = map[string]config.Transport{
	"stdio": config.Stdio, "local": config.Stdio, "command": config.Stdio, "process": config.Stdio,
	"sse":  config.SSE,
	"http": config.HTTP, "streamable-http": config.HTTP, "streamablehttp": config.HTTP, "streamable_http": config.HTTP,
	"streamable": config.HTTP, "http-stream": config.HTTP, "httpstream": config.HTTP, "http_stream": config.HTTP, "remote": config.HTTP,
}

// typeMember gives the key that names the transport, be it the client's own or
// one of another client.
func (s *server) typeMember(p *pass) *config.Member {
	if m := s.field(config.RoleType); m != nil && m.Value.Kind == config.String {
		return m
	}
	for i, m := range members(s.Node) {
		if slices.Contains([]string{"type", "transport", "transportType", "transport_type"}, m.Name) && m.Value.Kind == config.String && transports[strings.ToLower(m.Value.Text)] != "" {
			return &s.Node.Members[i]
		}
	}
	return nil
}

// reportMissingType reports an address without a type, and adds the one that
// its path speaks for.
// reportMissingType says that nothing tells the transport beside the command or
// the URL.
func (p *pass) reportMissingType(s *server, m *config.Member, facts ...config.Certainty) {
	t := config.HTTP
	if s.command.text != "" {
		t = config.Stdio
	} else if pathSays(m.Value.Text) == config.SSE {
		t = config.SSE
	}
	words := p.client.Words(t)
	f := Finding{Pointer: s.at(m.Name), Span: m.Key, Names: map[string]string{"key": m.Name}}
	if key := p.client.Spelling(config.RoleType, t); key != nil && len(words.Words) > 0 {
		f.Names["want_key"], f.Names["want"] = key.Name, words.Words[0]
		f.Fix = Fix{Title: "Add the type", Patch: config.Patch{add(s.at(key.Name), words.Words[0])}}
	} else if words.Implied != "" && words.Implied != m.Name {
		f.Fix = Fix{Title: "Rename the key to " + words.Implied, Patch: config.Patch{move(s.at(m.Name), s.at(words.Implied))}}
	}
	p.report(&f, facts...)
}

func wrongWord(p *pass, s *server) {
	m := s.field(config.RoleType)
	if m == nil || m.Value.Kind != config.String {
		return
	}
	field := p.client.Field(m.Name)
	if field == nil || field.Effect >= config.Ignored || slices.Contains(field.Values, m.Value.Text) {
		return
	}
	known := slices.Concat(p.client.Stdio.Words, p.client.SSE.Words, p.client.HTTP.Words)
	if len(known) == 0 || slices.Contains(known, m.Value.Text) {
		return
	}
	t := transports[strings.ToLower(strings.TrimSpace(m.Value.Text))]
	if t == config.SSE && !p.client.SSE.Known() {
		return // it has a rule of its own
	}
	f := Finding{Pointer: s.at(m.Name), Span: m.Value.Span, Names: map[string]string{"key": m.Name, "value": m.Value.Text}}
	if t == "" || t == config.Stdio && s.command.node == nil && s.value(config.RoleURL) != nil {
		t = s.talks()
	}
	words := p.client.Words(t)
	if len(words.Words) > 0 {
		f.Names["want"] = words.Words[0]
		f.Fix = Fix{Title: "Write " + words.Words[0], Patch: config.Patch{replace(s.at(m.Name), words.Words[0])}, Safe: true}
	} else if words.Implied != "" {
		f.Severity = Note // the key alone decides, and the word is not looked at
	}
	p.report(&f, p.dialect(max(field.Certainty, words.Certainty)))
}

func contradiction(p *pass, s *server) {
	m := s.field(config.RoleType)
	url := s.value(config.RoleURL)
	if m == nil || m.Value.Kind != config.String || (url == nil) == (s.command.node == nil) {
		return
	}
	if f := p.client.Field(m.Name); f != nil && f.Effect >= config.Ignored {
		return
	}
	says := transports[strings.ToLower(m.Value.Text)]
	if says == "" || (says == config.Stdio) == (url == nil) {
		return
	}
	f := Finding{Pointer: s.at(m.Name), Span: m.Value.Span, Names: map[string]string{"key": m.Name, "value": m.Value.Text}}
	t := s.talks()
	if url != nil && pathSays(url.Text) == config.SSE {
		t = config.SSE
	}
	if words := p.client.Words(t).Words; len(words) > 0 {
		f.Names["want"] = words[0]
		f.Fix = Fix{Title: "Write " + words[0], Patch: config.Patch{replace(s.at(m.Name), words[0])}}
	} else {
		f.Fix = Fix{Title: "Remove the type", Patch: config.Patch{remove(s.at(m.Name))}}
	}
	p.report(&f)
}

// toURL turns an entry that starts a program into one that calls an address.
func (s *server) toURL(p *pass, address string) config.Patch {
	t := config.HTTP
	if pathSays(address) == config.SSE {
		t = config.SSE
	}
	var patch config.Patch
	for _, role := range []config.Role{config.RoleCommand, config.RoleArgs} {
		if m := s.field(role); m != nil {
			patch = append(patch, remove(s.at(m.Name)))
		}
	}
	patch = append(patch, add(s.at(p.spelling(config.RoleURL, t)), address))
	key, words := p.client.Spelling(config.RoleType, t), p.client.Words(t).Words
	if s.value(config.RoleType) == nil && key != nil && len(words) > 0 && p.client.Untyped.URL >= config.Ignored {
		patch = append(patch, add(s.at(key.Name), words[0]))
	}
	return patch
}
