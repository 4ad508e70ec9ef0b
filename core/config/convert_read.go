package config

import (
	"slices"
	"strconv"
	"strings"
)

// portable is a server without a dialect.
type portable struct {
	transport    Transport
	command      template
	args         []template
	env          []setting
	envFile      string
	cwd          template
	url          template
	headers      []setting
	disabled     bool
	timeout      float64 // milliseconds; 0 is none
	startTimeout float64
	allow        []string
	include      []string
	exclude      []string
	trust        bool
	description  string
}

type setting struct {
	name  string
	value template
	null  bool // the variable is taken away
}

// read takes an entry out of its dialect. What only that client knows is lost.
func (v *conversion) read(s *Server, c *Client) portable {
	p := portable{transport: s.Transport, disabled: s.Disabled}
	if s.Command != "" {
		p.command = v.value(c, RoleCommand, "command", s.Command)
	}
	for _, arg := range s.Args {
		p.args = append(p.args, v.value(c, RoleArgs, "args", arg))
	}
	p.env = v.settings(c, RoleEnv, "env", s.Env)
	if s.Transport != Stdio {
		p.url = v.value(c, RoleURL, "url", s.URL)
	}
	p.headers = v.settings(c, RoleHeaders, "headers", s.Headers)
	if s.Cwd != "" {
		p.cwd = v.value(c, RoleCwd, "cwd", s.Cwd)
	}
	for _, m := range s.Node.Members {
		v.field(&p, c, m)
	}
	p.dropKeychainNames()
	c.unbridge(&p)
	return p
}

// value takes a string apart. A reference to something that only the source
// knows is lost, unless the target has the very same.
func (v *conversion) value(c *Client, role Role, field, s string) template {
	for _, r := range References(s) {
		if c.Expands(r.Form, role) != Yes || namesVariable(r.Form) || v.to.Expands(r.Form, role) == Yes {
			continue
		}
		if r.Form == "${input:ID}" {
			name := strings.ToUpper(strings.ReplaceAll(r.Name, "-", "_"))
			v.lose(field, "%s asks for %q; set the variable %s instead", c.Name, r.Name, name)
			rest := v.value(c, role, field, s[r.End:])
			return append(append(c.takeApart(s[:r.Start], role), piece{variable: name}), rest...).tidy()
		}
		v.lose(field, "%s does not know %s", v.to.Name, s[r.Start:r.End])
	}
	return c.takeApart(s, role)
}

// tidy takes out empty texts.
func (t template) tidy() template {
	return slices.DeleteFunc(t, func(p piece) bool { return p == piece{} })
}

func (v *conversion) settings(c *Client, role Role, field string, list []Variable) []setting {
	var out []setting
	for _, x := range list {
		s := setting{name: x.Name, null: x.Node != nil && x.Node.Kind == Null}
		if !s.null {
			s.value = v.value(c, role, field+"."+x.Name, x.Value)
		}
		out = append(out, s)
	}
	return out
}

// field reads a member that [Server] does not hold.
func (v *conversion) field(p *portable, c *Client, m Member) {
	f := c.fieldOf(m.Name)
	if f == nil {
		if spelled()[m.Name] == "" || c != &generic {
			v.lose(m.Name, "it is no field of %s, so its meaning is not known", c.Name)
		}
		return
	}
	if f.Effect == Ignored || f.Effect == Refused {
		return // it had no effect
	}
	n := m.Value
	switch f.Role {
	case RoleTimeout, RoleStartTimeout:
		v.time(p, c, f, m)
	case RoleEnvNames:
		for _, name := range names(n) {
			p.env = append(p.env, setting{name: name, value: variable(name)})
		}
	case RoleEnvHeaders:
		for _, x := range variables(n) {
			p.headers = append(p.headers, setting{name: x.Name, value: variable(x.Value)})
		}
	case RoleBearerVariable:
		p.headers = append(p.headers, setting{name: "Authorization", value: template{{text: "Bearer "}, {variable: n.Text}}})
	case RoleEnvFile:
		p.envFile = n.Text
	case RoleAllowTools:
		p.allow = texts(n)
	case RoleIncludeTools:
		if tools := texts(n); !slices.Contains(tools, "*") {
			p.include = tools
		}
	case RoleExcludeTools:
		p.exclude = texts(n)
	case RoleTrust:
		p.trust = n.Text == "true"
	case RoleDescription:
		p.description = n.Text
	case RoleAuth, RoleHeadersHelper, RoleOther:
		v.lose(m.Name, "only %s has it", c.Name)
	case RoleHeaders:
		if first, _, nested := strings.Cut(f.Name, "."); nested {
			for _, inner := range n.Members {
				if first+"."+inner.Name != f.Name {
					v.lose(m.Name+"."+inner.Name, "only %s has it", c.Name)
				}
			}
		}
	}
}

// names reads a list of names, or of objects with a name.
func names(n *Node) []string {
	var list []string
	for _, e := range n.Elements {
		if e.Kind == Object {
			e = e.Get("name")
		}
		if e != nil && e.Kind == String {
			list = append(list, e.Text)
		}
	}
	return list
}

// time reads a number in the field's unit, "30s", or the pair of newer
// opencode files.
func (v *conversion) time(p *portable, c *Client, f *Field, m Member) {
	scale := 1.0
	switch f.Unit {
	case Seconds:
		scale = 1000
	case "":
		v.lose(m.Name, "the unit that %s gives it is not known", c.Name)
		return
	}
	set := func(n *Node, to *float64) {
		if n == nil {
			return
		}
		x, err := strconv.ParseFloat(strings.TrimSuffix(n.Text, "s"), 64)
		if err == nil && x > 0 && x*scale < 1e12 {
			*to = x * scale
		}
	}
	switch {
	case m.Value.Kind == Object:
		set(m.Value.Get("startup"), &p.startTimeout)
		set(m.Value.Get("request"), &p.timeout)
	case f.Role == RoleStartTimeout:
		set(m.Value, &p.startTimeout)
	default:
		set(m.Value, &p.timeout)
	}
}

// dropKeychainNames leaves out variables of a remote server: there they only
// say which names its headers may use.
func (p *portable) dropKeychainNames() {
	if p.transport != Stdio {
		p.env = slices.DeleteFunc(p.env, func(s setting) bool { return s.value.only() == s.name })
	}
}
