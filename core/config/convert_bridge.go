package config

import (
	"slices"
	"strings"
)

// The stdio bridge to remote servers. Its headers stand in variables: several
// clients split an argument at its spaces, and a token does not belong in a
// process list.
const (
	bridgePackage  = "mcp-remote"
	bridgeVariable = "MCP_HEADER_"
)

// bridge makes a remote server one that is started, where the target cannot
// reach it.
func (v *conversion) bridge(p *portable) {
	if p.transport == Stdio || v.to.Words(p.transport).Known() {
		return
	}
	b := *p
	b.transport, b.command, b.url, b.headers = Stdio, literal("npx"), nil, nil
	b.args = []template{literal("-y"), literal(bridgePackage), p.url}
	if p.transport == SSE {
		b.args = append(b.args, literal("--transport"), literal("sse-only"))
	}
	if plainRemote(p.url.literal()) {
		b.args = append(b.args, literal("--allow-http"))
	}
	for _, h := range p.headers {
		name := bridgeVariable + strings.ToUpper(strings.ReplaceAll(h.name, "-", "_"))
		b.args = append(b.args, literal("--header"), literal(h.name+":${"+name+"}"))
		b.env = append(b.env, setting{name: name, value: h.value})
	}
	v.note("url", "%s cannot reach it by %s itself, so it goes through %s, which needs Node", v.to.Name, p.transport, bridgePackage)
	*p = b
	v.fitSystem(p)
}

// plainRemote tells whether the bridge refuses a URL without being told: plain
// HTTP to another machine.
func plainRemote(url string) bool {
	host, ok := strings.CutPrefix(url, "http://")
	return ok && !strings.HasPrefix(host, "localhost") && !strings.HasPrefix(host, "127.0.0.1")
}

// unbridge undoes bridge for a client that needed it. Where the client could
// have reached the server itself, somebody wanted the bridge, and it stays; so
// it does with options that a plain entry could not say.
func (c *Client) unbridge(p *portable) {
	if p.transport != Stdio || p.command.literal() != "npx" || len(p.args) < 3 ||
		p.args[0].literal() != "-y" || p.args[1].literal() != bridgePackage {
		return
	}
	r := *p
	r.transport, r.command, r.url, r.args = HTTP, nil, p.args[2], nil
	r.env = slices.Clone(p.env)
	for rest := p.args[3:]; len(rest) > 0; {
		switch option := rest[0].literal(); {
		case option == "--allow-http":
			rest = rest[1:]
		case option == "--transport" && len(rest) > 1 && rest[1].literal() == "sse-only":
			r.transport, rest = SSE, rest[2:]
		case option == "--header" && len(rest) > 1 && r.takeHeader(rest[1].literal()):
			rest = rest[2:]
		default:
			return
		}
	}
	if len(r.env) == 0 && !c.Words(r.transport).Known() {
		*p = r
	}
}

// takeHeader moves a header's value from its variable to the header.
func (p *portable) takeHeader(arg string) bool {
	name, ref, ok := strings.Cut(arg, ":")
	inner, isVariable := strings.CutPrefix(strings.TrimSpace(ref), "${")
	i := slices.IndexFunc(p.env, func(s setting) bool { return s.name+"}" == inner })
	if !ok || !isVariable || i < 0 {
		return false
	}
	p.headers = append(p.headers, setting{name: name, value: p.env[i].value})
	p.env = slices.Delete(p.env, i, i+1)
	return true
}
