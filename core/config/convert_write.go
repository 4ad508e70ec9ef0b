package config

import (
	"math"
	"strconv"
	"strings"
)

// write puts a server in the target's dialect. What has no field there is
// lost.
func (v *conversion) write(p *portable, name string) *Node {
	e := &Node{Kind: Object}
	c := v.to
	if f := c.Spelling(RoleName, p.transport); f != nil {
		e.set(f.Name, textNode(name))
	}
	v.writeType(e, p)
	if p.transport == Stdio {
		v.writeCommand(e, p)
	} else if f := c.Spelling(RoleURL, p.transport); f != nil {
		e.set(f.Name, textNode(v.string(p.url, RoleURL, "url")))
	} else {
		v.lose("url", "%s has no field for it", c.Name)
	}
	v.writeHeaders(e, p)
	v.writeEnv(e, p)
	v.put(e, p, RoleCwd, "cwd", !p.cwd.empty(), func(*Field) *Node { return textNode(v.string(p.cwd, RoleCwd, "cwd")) })
	v.put(e, p, RoleEnvFile, "envFile", p.envFile != "", func(*Field) *Node { return textNode(p.envFile) })
	v.writeTime(e, p, RoleTimeout, "timeout", p.timeout)
	v.writeTime(e, p, RoleStartTimeout, "start timeout", p.startTimeout)
	v.writeDisabled(e, p)
	v.put(e, p, RoleAllowTools, "approved tools", len(p.allow) > 0, func(*Field) *Node { return listNode(p.allow) })
	v.put(e, p, RoleIncludeTools, "included tools", len(p.include) > 0, func(*Field) *Node { return listNode(p.include) })
	v.put(e, p, RoleExcludeTools, "excluded tools", len(p.exclude) > 0, func(*Field) *Node { return listNode(p.exclude) })
	v.put(e, p, RoleTrust, "trust", p.trust, func(*Field) *Node { return boolNode(true) })
	v.put(e, p, RoleDescription, "description", p.description != "", func(*Field) *Node { return textNode(p.description) })
	v.writeRequired(e, p)
	// What was written must read back as it was meant: where a client tells
	// transports apart only by trying, the wish is lost.
	if t := c.transport(e, p.transport == Stdio, p.transport != Stdio); t != p.transport {
		v.lose("type", "%s does not tell %s from %s in its file", c.Name, p.transport, t)
	}
	return e
}

// put writes a field where the target has one for the role.
func (v *conversion) put(e *Node, p *portable, role Role, what string, given bool, value func(*Field) *Node) {
	if !given {
		return
	}
	if f := v.to.Spelling(role, p.transport); f != nil {
		e.set(f.Name, value(f))
		return
	}
	v.lose(what, "%s has no field for it", v.to.Name)
}

func (v *conversion) writeType(e *Node, p *portable) {
	f, words := v.to.Spelling(RoleType, p.transport), v.to.Words(p.transport)
	if f == nil || len(words.Words) == 0 || p.transport == Stdio && words.Implied != "" {
		return
	}
	e.set(f.Name, textNode(words.Words[0]))
}

// writeCommand writes program and arguments, in one array where the client
// has no field for arguments.
func (v *conversion) writeCommand(e *Node, p *portable) {
	command := v.string(p.command, RoleCommand, "command")
	args := make([]string, len(p.args))
	for i, arg := range p.args {
		args[i] = v.string(arg, RoleArgs, "args")
	}
	f, rest := v.to.Spelling(RoleCommand, Stdio), v.to.Spelling(RoleArgs, Stdio)
	if rest == nil {
		e.set(f.Name, listNode(append([]string{command}, args...)))
		return
	}
	e.set(f.Name, textNode(command))
	if len(args) > 0 || rest.Required {
		e.set(rest.Name, listNode(args))
	}
}

// string writes a template in the target's syntax.
func (v *conversion) string(t template, role Role, field string) string {
	s, lost := v.to.putTogether(t, role)
	if lost != "" {
		v.lose(field, "%s does not put in the value of %s there", v.to.Name, lost)
	} else if v.to.asksForPrefix() && s != t.literal() {
		v.note(field, "the secret must be called %s…", variablePrefixCopilot)
	}
	return s
}

// writeEnv writes variables; those that only hand on a value of the same name
// go to the list of names, where the client cannot refer to them.
func (v *conversion) writeEnv(e *Node, p *portable) {
	f, byName := v.to.Spelling(RoleEnv, p.transport), v.to.Spelling(RoleEnvNames, p.transport)
	values := &Node{Kind: Object}
	var handed []string
	for _, s := range p.env {
		field := "env." + s.name
		switch {
		case s.null:
			v.lose(field, "%s cannot take a variable away", v.to.Name)
		case byName != nil && s.value.only() == s.name:
			handed = append(handed, s.name)
		case f == nil:
			v.lose(field, "%s has no field for variables", v.to.Name)
		default:
			values.add(s.name, textNode(v.string(s.value, RoleEnv, field)))
		}
	}
	if p.transport != Stdio && byName != nil && v.to.Spelling(RoleEnvHeaders, p.transport) == nil {
		for _, h := range p.headers {
			for _, part := range h.value {
				if part.variable != "" {
					handed = append(handed, part.variable)
				}
			}
		}
	}
	if len(values.Members) > 0 {
		e.set(f.Name, values)
	}
	if len(handed) > 0 {
		e.set(byName.Name, listNode(handed))
	}
}

// writeHeaders writes headers; those that are a variable go to the fields
// that name one, where the client cannot refer to it.
func (v *conversion) writeHeaders(e *Node, p *portable) {
	f := v.to.Spelling(RoleHeaders, p.transport)
	byName, bearer := v.to.Spelling(RoleEnvHeaders, p.transport), v.to.Spelling(RoleBearerVariable, p.transport)
	plain, named := &Node{Kind: Object}, &Node{Kind: Object}
	for _, h := range p.headers {
		switch {
		case bearer != nil && strings.EqualFold(h.name, "Authorization") && len(h.value) == 2 &&
			h.value[0].text == "Bearer " && h.value[1].variable != "" && !h.value[1].hasDefault:
			e.set(bearer.Name, textNode(h.value[1].variable))
		case byName != nil && h.value.only() != "":
			named.add(h.name, textNode(h.value.only()))
		case f == nil:
			v.lose("headers."+h.name, "%s has no field for headers", v.to.Name)
		default:
			plain.add(h.name, textNode(v.string(h.value, RoleHeaders, "headers."+h.name)))
		}
	}
	if len(plain.Members) > 0 {
		e.set(f.Name, plain)
	}
	if len(named.Members) > 0 {
		e.set(byName.Name, named)
	}
}

// writeTime writes milliseconds in the field's unit, rounded up to what the
// field can hold.
func (v *conversion) writeTime(e *Node, p *portable, role Role, what string, ms float64) {
	f := v.to.Spelling(role, p.transport)
	if ms == 0 {
		return
	}
	if f == nil || f.Unit == "" {
		v.lose(what, "%s has no field for it", v.to.Name)
		return
	}
	x := ms
	if f.Unit == Seconds {
		x = ms / 1000
	}
	fit := math.Ceil(x)
	if f.Max > 0 {
		fit = min(max(fit, float64(f.Min)), float64(f.Max))
	}
	if fit != x {
		v.lose(what, "%s takes %v %s at this place", v.to.Name, fit, f.Unit)
	}
	number := strconv.FormatFloat(fit, 'f', -1, 64)
	if f.Types&AsNumber == 0 {
		e.set(f.Name, textNode(number+string(f.Unit)))
		return
	}
	e.set(f.Name, &Node{Kind: Number, Text: number})
}

func (v *conversion) writeDisabled(e *Node, p *portable) {
	if !p.disabled {
		return
	}
	if f := v.to.Spelling(RoleDisabled, p.transport); f != nil {
		e.set(f.Name, boolNode(true))
	} else if f := v.to.Spelling(RoleEnabled, p.transport); f.Types&AsBool != 0 {
		e.set(f.Name, boolNode(false))
	} else {
		e.set(f.Name, textNode("disabled"))
	}
}

// writeRequired adds what the client insists on and the source had no word
// for: all tools.
func (v *conversion) writeRequired(e *Node, p *portable) {
	for _, f := range v.to.Fields {
		if f.Required && f.Role == RoleIncludeTools && f.serves(p.transport) && e.nested(f.Name) == nil {
			e.set(f.Name, listNode([]string{"*"}))
		}
	}
}

// set adds a member at a name that may be a path, as in requestInit.headers.
func (n *Node) set(name string, value *Node) {
	first, rest, nested := strings.Cut(name, ".")
	if !nested {
		n.add(name, value)
		return
	}
	inner := n.Get(first)
	if inner == nil {
		inner = &Node{Kind: Object}
		n.add(first, inner)
	}
	inner.set(rest, value)
}

func (n *Node) add(name string, value *Node) {
	n.Members = append(n.Members, Member{Name: name, Value: value})
}

func textNode(s string) *Node { return &Node{Kind: String, Text: s} }

func boolNode(b bool) *Node { return &Node{Kind: Bool, Text: strconv.FormatBool(b)} }

func listNode(list []string) *Node {
	n := &Node{Kind: Array}
	for _, s := range list {
		n.Elements = append(n.Elements, textNode(s))
	}
	return n
}
