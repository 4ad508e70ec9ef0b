package lint

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"mcpmend/core/config"
)

// holder is what holds the servers of a document: an object or a list under a
// key, or the document itself.
type holder struct {
	path []string
	node *config.Node
	key  config.Span // of the last name of the path
}

func (h holder) pointer() string { return config.Pointer(h.path...) }

// span is where to point: at the key, or at the whole where there is none.
func (h holder) span() config.Span {
	if len(h.path) == 0 {
		return h.node.Span
	}
	return h.key
}

// holder finds what holds the first server, and so most often all of them.
func (p *pass) holder() (holder, bool) {
	if len(p.doc.Servers) == 0 {
		return holder{}, false
	}
	names, err := config.SplitPointer(p.doc.Servers[0].Pointer)
	if err != nil {
		return holder{}, false
	}
	h := holder{node: p.doc.Root}
	if len(names) == 0 {
		return h, true
	}
	for _, name := range names[:len(names)-1] {
		i := slices.IndexFunc(h.node.Members, func(m config.Member) bool { return m.Name == name })
		if i < 0 {
			return holder{}, false
		}
		h.path = append(h.path, name)
		h.key, h.node = h.node.Members[i].Key, h.node.Members[i].Value
	}
	return h, true
}

// ownRoot tells whether the servers stand where the client looks for them.
func (p *pass) ownRoot(h holder) bool {
	for _, r := range p.client.Roots {
		keys := rootKeys(r)
		if p.ofAnotherFile(r) {
			continue
		}
		if r.Shape == config.EntryShape && len(keys) > 0 {
			keys = keys[:len(keys)-1] // the entry itself is under the last key
		}
		if matches(keys, h.path) {
			return true
		}
	}
	return false
}

// ofAnotherFile tells whether a root counts in certain files of the client
// alone, as in the editor's settings, and this is one of its other files.
func (p *pass) ofAnotherFile(r config.Root) bool {
	base := func(path string) string { return path[strings.LastIndexAny(path, `/\`)+1:] }
	bound, here := false, false
	for _, place := range p.client.Places {
		mine := r.Legacy && place.Key == r.Path
		if base(place.Path) != base(p.options.File) {
			bound = bound || mine
			continue
		}
		if mine {
			return false
		}
		here = true
	}
	return bound && here
}

// takes tells whether the client has a root of that shape where the servers
// stand, or, where it has none there, anywhere.
func (p *pass) takes(h holder, shape config.Shape) bool {
	return slices.ContainsFunc(p.client.Roots, func(r config.Root) bool {
		return r.Shape == shape && (matches(rootKeys(r), h.path) || !p.ownRoot(h)) && (r.Format == "" || r.Format == p.doc.Format)
	})
}

// wantedRoot gives the root that the client looks for, or for an unknown
// client the spelling that some client has.
func (p *pass) wantedRoot(h holder) (string, config.Certainty) {
	if !p.known() {
		for _, c := range config.Clients() {
			for _, r := range c.Roots {
				if matches(rootKeys(r), h.path) {
					return "", config.High // some client reads it
				}
			}
		}
		return "mcpServers", config.Medium
	}
	for _, r := range p.client.Roots {
		if r.Path != "" && !r.Legacy && r.Shape != config.EntryShape {
			return r.Path, r.Certainty
		}
	}
	return "", config.High
}

// doubled tells whether the servers stand under two keys that each hold
// servers.
func (p *pass) doubled(h holder) bool {
	if len(h.path) < 2 || p.ownRoot(h) {
		return false
	}
	last := len(h.path) - 1
	return anyRoot(h.path[last]) && (p.ownRoot(holder{path: h.path[:last]}) || h.path[last-1] == "mcpServers")
}

func rootKeys(r config.Root) []string {
	if r.Path == "" {
		return nil
	}
	return strings.Split(r.Path, ".")
}

func matches(keys, path []string) bool {
	return slices.EqualFunc(keys, path, func(key, name string) bool { return key == "*" || key == name })
}

// anyRoot tells whether a key holds the servers in some client's files.
func anyRoot(key string) bool { return roots()[key] }

var roots = sync.OnceValue(func() map[string]bool {
	known := map[string]bool{}
	for _, c := range config.Clients() {
		for _, r := range c.Roots {
			if r.Path != "" && !strings.Contains(r.Path, ".") && r.Shape != config.EntryShape {
				known[r.Path] = true
			}
		}
	}
	return known
})

// entryLike tells whether a value has a command or a URL.
func (p *pass) entryLike(n *config.Node) bool {
	return n.Kind == config.Object && slices.ContainsFunc(n.Members, func(m config.Member) bool {
		role := p.roleOf(m.Name)
		return (role == config.RoleCommand || role == config.RoleURL) && (m.Value.Kind == config.String || m.Value.Kind == config.Array)
	})
}

// surelyEntry tells whether a value is a server and not something else that
// has a command: it has arguments, variables or a type as well.
func (p *pass) surelyEntry(n *config.Node) bool {
	return p.entryLike(n) && slices.ContainsFunc(n.Members, func(m config.Member) bool {
		switch p.roleOf(m.Name) {
		case config.RoleArgs, config.RoleEnv:
			return m.Value.Kind == config.Array || m.Value.Kind == config.Object
		case config.RoleType:
			return m.Value.Kind == config.String && transports[strings.ToLower(m.Value.Text)] != ""
		}
		return false
	})
}

// grouped tells whether an object holds servers and nothing else.
func (p *pass) grouped(n *config.Node) bool {
	return len(n.Members) > 0 && !slices.ContainsFunc(n.Members, func(m config.Member) bool {
		return !p.entryLike(m.Value) || p.roleOf(m.Name) != "" || slices.Contains(settingsKeys, m.Name)
	})
}

// settingsKeys are keys under which people put the settings of one server that
// belong to the entry itself.
var settingsKeys = []string{"transport", "config", "settings", "options", "params", "launch", "stdio", "server", "connection"}

// tooShallow tells whether an object that should hold servers is one.
func (p *pass) tooShallow(n *config.Node) bool {
	return p.entryLike(n) && !slices.ContainsFunc(n.Members, func(m config.Member) bool { return p.entryLike(m.Value) })
}

// merge joins an object with the one right before it, in the text of a JSON
// document.
func (p *pass) merge(first *config.Node, second config.Member) (config.Edit, bool) {
	text := p.doc.Text
	if p.doc.Format != config.JSON && p.doc.Format != config.JSONC || first.Kind != config.Object || len(first.Members) == 0 || len(second.Value.Members) == 0 {
		return config.Edit{}, false
	}
	between := text[first.End:second.Key.Start]
	last := first.Members[len(first.Members)-1].Value.End
	head := text[second.Value.Start+1 : second.Value.Members[0].Key.Start]
	blank := strings.Trim(between+text[last:first.End-1]+head, ", \t\r\n") == ""
	return config.Edit{Start: last, End: second.Value.Start + 1, Insert: ",", Why: "two objects made one"}, blank
}

// lift moves the members of an object to where pointer stands, and removes what
// stood there. The object is what pointer names, or one below it.
func lift(pointer, below string, n *config.Node) config.Patch {
	var patch config.Patch
	var own *config.Node // the member that takes the place of what held it
	for _, m := range n.Members {
		if to := parent(pointer) + config.Pointer(m.Name); to == pointer {
			own = m.Value
		} else {
			patch = append(patch, move(pointer+below+config.Pointer(m.Name), to))
		}
	}
	if own != nil {
		return append(patch, config.Op{Op: "replace", Path: pointer, Value: plainJSON(own, "")})
	}
	return append(patch, remove(pointer))
}

// listToObject makes an object of a list whose items have different names.
func listToObject(n *config.Node) (json.RawMessage, bool) {
	var out bytes.Buffer
	seen := map[string]bool{}
	for _, e := range n.Elements {
		name := e.Get("name")
		if name == nil || name.Kind != config.String || name.Text == "" || seen[name.Text] {
			return nil, false
		}
		seen[name.Text] = true
		if out.Len() == 0 {
			out.WriteByte('{')
		} else {
			out.WriteByte(',')
		}
		out.Write(raw(name.Text))
		out.WriteByte(':')
		out.Write(plainJSON(e, "name"))
	}
	if out.Len() == 0 {
		return nil, false
	}
	out.WriteByte('}')
	return out.Bytes(), true
}

// objectToList makes a list of an object of servers, with their names inside.
func objectToList(n *config.Node) json.RawMessage {
	out := bytes.NewBufferString("[")
	for i, m := range n.Members {
		if i > 0 {
			out.WriteByte(',')
		}
		inner := plainJSON(m.Value, "name")
		out.WriteString(`{"name":`)
		out.Write(raw(m.Name))
		if len(inner) > 2 {
			out.WriteByte(',')
		}
		out.Write(inner[1:])
	}
	out.WriteByte(']')
	return out.Bytes()
}

// plainJSON writes a value as JSON in the order of the document, without one
// key of its own.
func plainJSON(n *config.Node, without string) json.RawMessage {
	var out bytes.Buffer
	if n.Kind != config.Object {
		return raw(n.Value())
	}
	out.WriteByte('{')
	for _, m := range n.Members {
		if m.Name == without {
			continue
		}
		if out.Len() > 1 {
			out.WriteByte(',')
		}
		out.Write(raw(m.Name))
		out.WriteByte(':')
		out.Write(plainJSON(m.Value, ""))
	}
	out.WriteByte('}')
	return out.Bytes()
}
