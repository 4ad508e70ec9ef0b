package config

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// Rewrite gives the patch after which the entry of s says what want says, in
// the dialect that the entry is written in. Only what differs is touched; name
// and place stay. It is nil where nothing differs or the client has no way to
// say it.
func (d *Document) Rewrite(s *Server, want Server) Patch {
	w := rewriter{server: s, client: d.Dialect(s)}
	if want.Transport != s.Transport {
		w.word(want.Transport)
	}
	if want.Command != s.Command || !slices.Equal(want.Args, s.Args) {
		w.commandLine(want)
	}
	w.variables(RoleEnv, s.Env, want.Env, want.Transport)
	w.variables(RoleHeaders, s.Headers, want.Headers, want.Transport)
	w.text(RoleURL, s.URL, want.URL, want.Transport)
	w.text(RoleCwd, s.Cwd, want.Cwd, want.Transport)
	if w.failed {
		return nil
	}
	return w.patch
}

// Timeout gives the patch that sets the client's own time limit for a server,
// in its own unit, or nil where the client has no such field.
func (d *Document) Timeout(s *Server, seconds int) Patch {
	w := rewriter{server: s, client: d.Dialect(s)}
	for _, role := range []Role{RoleStartTimeout, RoleTimeout} {
		f := w.client.Spelling(role, s.Transport)
		if f == nil || f.Unit == "" || f.Certainty == Low {
			continue
		}
		value := seconds
		if f.Unit == Milliseconds {
			value *= 1000
		}
		if f.Max > 0 && value > f.Max {
			continue
		}
		w.put(f.Name, value)
		return w.patch
	}
	return nil
}

// rewriter gathers the operations on one entry.
type rewriter struct {
	server *Server
	client *Client
	patch  Patch
	failed bool
}

func (w *rewriter) add(op, path string, value any) {
	o := Op{Op: op, Path: path}
	if op != "remove" {
		o.Value = encode(value)
	}
	w.patch = append(w.patch, o)
}

// encode writes a string, a number, or lists and maps of strings.
func encode(value any) json.RawMessage {
	var out strings.Builder
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	_ = e.Encode(value)
	return json.RawMessage(strings.TrimSpace(out.String()))
}

// pointer is where a field of the entry is, its name being a dotted path.
func (w *rewriter) pointer(name string) string {
	return w.server.Pointer + Pointer(strings.Split(name, ".")...)
}

// spelling is the field that the entry has for a role, or else the one that
// the client would write; "" where it has none.
func (w *rewriter) spelling(role Role, t Transport) string {
	for _, f := range w.client.Fields {
		if f.Role == role && f.Effect != Ignored && w.server.Node.nested(f.Name) != nil {
			return f.Name
		}
	}
	if role == RoleCommand || role == RoleURL || role == RoleType {
		for _, m := range w.server.Node.Members {
			if spelled()[m.Name] == role {
				return m.Name
			}
		}
	}
	if f := w.client.Spelling(role, t); f != nil {
		return f.Name
	}
	return ""
}

// put sets a field, whether or not it is there. A parent that is missing is
// made with it.
func (w *rewriter) put(name string, value any) {
	if w.server.Node.nested(name) != nil {
		w.add("replace", w.pointer(name), value)
		return
	}
	keys := strings.Split(name, ".")
	n := w.server.Node
	for i, key := range keys[:len(keys)-1] {
		if n = n.Get(key); n == nil {
			for j := len(keys) - 1; j > i; j-- {
				value = map[string]any{keys[j]: value}
			}
			w.add("add", w.pointer(strings.Join(keys[:i+1], ".")), value)
			return
		}
	}
	w.add("add", w.pointer(name), value)
}

// word writes the client's own word for a transport, or drops the word where
// the key alone says it.
func (w *rewriter) word(t Transport) {
	words := w.client.Words(t)
	name := w.spelling(RoleType, t)
	switch {
	case !words.Known():
		w.failed = true
	case len(words.Words) > 0 && name != "":
		w.put(name, words.Words[0])
	case name != "" && w.server.Node.nested(name) != nil:
		w.add("remove", w.pointer(name), nil)
	}
}

func (w *rewriter) text(role Role, have, want string, t Transport) {
	if have == want {
		return
	}
	name := w.spelling(role, t)
	switch {
	case name == "":
		w.failed = true
	case want == "":
		w.add("remove", w.pointer(name), nil)
	default:
		w.put(name, want)
	}
}

// commandLine writes command and arguments in the shape that the entry has:
// two fields, one array, or an object with path and args.
func (w *rewriter) commandLine(want Server) {
	name := w.spelling(RoleCommand, Stdio)
	if name == "" {
		w.failed = true
		return
	}
	have := w.server.Node.nested(name)
	f := w.client.Field(name)
	switch {
	case have != nil && have.Kind == Object:
		w.replaceText(have.Get("path"), w.pointer(name)+"/path", want.Command)
		w.list(have.Get("args"), w.pointer(name)+"/args", want.Args)
	case have != nil && have.Kind == Array, have == nil && f != nil && f.Types&AsString == 0 && f.Types&AsList != 0:
		list := append([]string{want.Command}, want.Args...)
		if want.Command == "" {
			list = nil
		}
		w.list(have, w.pointer(name), list)
	default:
		w.replaceText(have, w.pointer(name), want.Command)
		args := w.spelling(RoleArgs, Stdio)
		if args == "" {
			w.failed = w.failed || len(want.Args) > 0
			return
		}
		w.list(w.server.Node.nested(args), w.pointer(args), want.Args)
	}
}

func (w *rewriter) replaceText(have *Node, pointer, want string) {
	switch {
	case have == nil && want != "":
		w.add("add", pointer, want)
	case have != nil && want == "":
		w.add("remove", pointer, nil)
	case have != nil && have.Text != want:
		w.add("replace", pointer, want)
	}
}

// list changes as few elements as it can: what is the same at both ends stays.
func (w *rewriter) list(have *Node, pointer string, want []string) {
	switch {
	case have == nil && len(want) == 0, have != nil && have.Kind == Array && len(have.Elements)+len(want) == 0:
		return
	case have == nil:
		w.add("add", pointer, want)
		return
	case len(want) == 0:
		w.add("remove", pointer, nil)
		return
	case have.Kind != Array:
		w.add("replace", pointer, want)
		return
	}
	old := texts(have)
	start := 0
	for start < len(old) && start < len(want) && old[start] == want[start] {
		start++
	}
	end := 0
	for end < len(old)-start && end < len(want)-start && old[len(old)-1-end] == want[len(want)-1-end] {
		end++
	}
	removed, added := len(old)-start-end, len(want)-start-end
	for i := range min(removed, added) {
		w.add("replace", pointer+"/"+strconv.Itoa(start+i), want[start+i])
	}
	for i := removed - 1; i >= added; i-- { // from behind, so that indexes hold
		w.add("remove", pointer+"/"+strconv.Itoa(start+i), nil)
	}
	for i := removed; i < added; i++ {
		w.add("add", pointer+"/"+strconv.Itoa(start+i), want[start+i])
	}
}

// variables sets, changes and removes single variables.
func (w *rewriter) variables(role Role, have, want []Variable, t Transport) {
	name := w.spelling(role, t)
	at := w.server.Node.nested(name)
	if name == "" || at != nil && at.Kind != Object {
		same := slices.EqualFunc(have, want, func(a, b Variable) bool { return a.Name == b.Name && a.Value == b.Value })
		w.failed = w.failed || !same
		return
	}
	old := map[string]string{}
	for _, v := range have {
		old[v.Name] = v.Value
	}
	fresh := map[string]string{}
	for _, v := range want {
		value, known := old[v.Name]
		delete(old, v.Name)
		switch {
		case known && value == v.Value:
		case at == nil:
			fresh[v.Name] = v.Value
		case known:
			w.add("replace", w.pointer(name)+Pointer(v.Name), v.Value)
		default:
			w.add("add", w.pointer(name)+Pointer(v.Name), v.Value)
		}
	}
	for _, v := range have {
		if _, gone := old[v.Name]; gone {
			w.add("remove", w.pointer(name)+Pointer(v.Name), nil)
		}
	}
	if len(fresh) > 0 {
		w.put(name, fresh)
	}
}

// TimeoutOf reads the time limit, in seconds, that an entry sets.
func (d *Document) TimeoutOf(s *Server) (seconds int, set bool) {
	c := d.Dialect(s)
	for _, role := range []Role{RoleStartTimeout, RoleTimeout} {
		f := c.Spelling(role, s.Transport)
		if f == nil || f.Unit == "" {
			continue
		}
		if n := s.Node.nested(f.Name); n != nil && n.Kind == Number {
			value, err := strconv.ParseFloat(n.Text, 64)
			if f.Unit == Milliseconds {
				value /= 1000
			}
			return int(value), err == nil
		}
	}
	return 0, false
}
