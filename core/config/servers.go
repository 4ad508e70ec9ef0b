package config

import (
	"cmp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
)

// readServers finds the server entries of a document, in the order of the
// text, and reads them in the client's dialect. The client's own roots are
// looked at first. Where none is there, those of other clients are, then the
// document itself as a bare map or as one entry: a server in the wrong place
// is still a server that somebody wants to see.
func readServers(root *Node, c *Client) []Server {
	if len(c.Fields) == 0 {
		return nil // names and descriptions, nothing that a client starts
	}
	r := serverReader{client: c, read: map[*Node]bool{}}
	// A client may have a list and a map at one key, in different dialects.
	for _, exact := range []bool{true, false} {
		for _, at := range c.Roots {
			if at.Path != "" {
				r.dialect, r.exact, r.list = c.dialect(at), exact, at.Shape == ListShape
				r.find(root, "", splitRoot(at.Path), sameKey)
			}
		}
	}
	r.exact = false
	if len(r.servers) == 0 {
		r.dialect = c
		for _, path := range anyRoot() {
			r.find(root, "", splitRoot(path), foldedKey)
		}
	}
	if len(r.servers) == 0 {
		r.bare(root)
	}
	inText := func(i, j int) bool { return r.servers[i].Key.Start < r.servers[j].Key.Start }
	if !sort.SliceIsSorted(r.servers, inText) {
		sort.SliceStable(r.servers, inText)
	}
	return r.servers
}

// dialect is the client whose fields are spoken below a root.
func (c *Client) dialect(at Root) *Client {
	if at.As == "" {
		return c
	}
	return ClientByID(at.As)
}

// Dialect is the client whose fields the entry is written with: the document's
// own, or another where the file keeps an older or a borrowed shape.
func (d *Document) Dialect(s *Server) *Client {
	list := false
	if names, err := SplitPointer(s.Pointer); err == nil && len(names) > 1 {
		parent := d.Root.At(Pointer(names[:len(names)-1]...))
		list = parent != nil && parent.Kind == Array
	}
	for _, at := range d.Client.Roots {
		if (at.Shape == ListShape) == list && matchesRoot(s.Pointer, splitRoot(at.Path), at.Shape) {
			return d.Client.dialect(at)
		}
	}
	return d.Client
}

func matchesRoot(pointer string, keys []string, shape Shape) bool {
	names, err := SplitPointer(pointer)
	if shape != EntryShape {
		keys = append(slices.Clone(keys), "*")
	}
	return err == nil && matchesKeys(keys, names)
}

// matchesKeys compares the keys of a root, "*" being any, with those of a path.
func matchesKeys(root, keys []string) bool {
	return slices.EqualFunc(root, keys, func(want, key string) bool { return want == "*" || want == key })
}

func splitRoot(path string) []string {
	if path == "" {
		return nil
	}
	return strings.Split(path, ".")
}

func sameKey(key, name string) bool { return key == name }

// foldedKey also takes mcp-servers and MCPServers for mcpServers.
func foldedKey(key, name string) bool {
	return len(name) <= 2*len(key) && fold(key) == fold(name)
}

var foldReplacer = strings.NewReplacer("-", "", "_", "", " ", "", ".", "")

func fold(s string) string { return strings.ToLower(foldReplacer.Replace(s)) }

// anyRoot has every root of the table once.
var anyRoot = sync.OnceValue(func() []string {
	var paths []string
	seen := map[string]bool{"": true}
	for _, c := range clients {
		if len(c.Fields) == 0 {
			continue
		}
		for _, r := range c.Roots {
			if !seen[r.Path] {
				seen[r.Path] = true
				paths = append(paths, r.Path)
			}
		}
	}
	// The longest first, so that mcp.servers is not read as a server "servers".
	sort.SliceStable(paths, func(i, j int) bool {
		return strings.Count(paths[i], ".") > strings.Count(paths[j], ".")
	})
	return paths
})

type serverReader struct {
	client  *Client        // whose document it is
	dialect *Client        // whose fields its entries have
	exact   bool           // pass over what has the wrong shape
	list    bool           // the right shape
	read    map[*Node]bool // maps and lists that have been read
	servers []Server
}

// find follows the keys of a root, "*" being all, and reads what is there.
func (r *serverReader) find(n *Node, pointer string, keys []string, same func(key, name string) bool) {
	if len(keys) == 0 {
		r.container(n, pointer)
		return
	}
	if n == nil || n.Kind != Object {
		return
	}
	for _, m := range n.Members {
		if keys[0] == "*" || same(keys[0], m.Name) {
			r.find(m.Value, pointer+Pointer(m.Name), keys[1:], same)
		}
	}
}

// container reads a map or a list of entries, whichever it is, or an entry
// that stands alone where a client has it so.
func (r *serverReader) container(n *Node, pointer string) {
	if r.read[n] || r.exact && (n.Kind == Array) != r.list {
		return
	}
	r.read[n] = true
	switch {
	case n.Kind == Array:
		for i, e := range n.Elements {
			name, key := listName(e)
			r.entry(Server{Name: name, Pointer: pointer + "/" + strconv.Itoa(i), Node: e, Key: key})
		}
	case n.Kind != Object:
	case r.client.alone() && entryLike(n):
		r.entry(Server{Pointer: pointer, Node: n, Key: n.Span})
	default:
		r.servers = slices.Grow(r.servers, len(n.Members))
		for _, m := range n.Members {
			at := pointer + Pointer(m.Name)
			if wrapper(m) {
				r.exact = false
				r.container(m.Value, at)
				continue
			}
			r.entry(Server{Name: m.Name, Pointer: at, Node: m.Value, Key: m.Key})
		}
	}
}

// alone tells whether the client's first root is one entry, as in a bundle.
func (c *Client) alone() bool { return len(c.Roots) > 0 && c.Roots[0].Shape == EntryShape }

// wrapper tells whether a member of a server map is a second map around the
// servers, as it comes from pasting one config into another.
func wrapper(m Member) bool {
	switch m.Name {
	case "mcpServers", "mcp_servers", "mcp-servers", "servers", "mcp":
		return m.Value.Kind == Object && len(m.Value.Members) > 0 && !entryLike(m.Value) &&
			all(m.Value.Members, func(m Member) bool { return m.Value.Kind == Object }) ||
			m.Value.Kind == Array
	}
	return false
}

// bare reads a document without a root key of any client: a map or a list of
// entries, one entry, or entries under a misspelt key.
func (r *serverReader) bare(root *Node) {
	switch {
	case root.Kind == Object && entryLike(root):
		r.entry(Server{Node: root, Key: root.Span})
	case root.Kind == Object && len(root.Members) > 0 && all(root.Members, func(m Member) bool { return entryLike(m.Value) }),
		root.Kind == Array && len(root.Elements) > 0 && all(root.Elements, entryLike):
		r.container(root, "")
	case root.Kind == Object:
		for _, m := range root.Members {
			if rootLike(m) {
				r.container(m.Value, Pointer(m.Name))
			}
		}
	}
}

// rootLike tells whether a member holds servers under a key that no client has,
// such as mcpServer or my_servers.
func rootLike(m Member) bool {
	key := fold(m.Name)
	return (strings.Contains(key, "mcp") || strings.Contains(key, "server")) && m.Value.Kind == Object &&
		len(m.Value.Members) > 0 && all(m.Value.Members, func(m Member) bool { return entryLike(m.Value) })
}

// entryLike tells whether a value has what a server is started or reached by.
func entryLike(n *Node) bool {
	if n.Kind != Object {
		return false
	}
	for _, m := range n.Members {
		switch spelled()[m.Name] {
		case RoleCommand, RoleURL:
			if m.Value.Kind == String || m.Value.Kind == Array || m.Value.Get("path") != nil {
				return true
			}
		}
	}
	return false
}

// spelled has every spelling of the table with its role.
var spelled = sync.OnceValue(func() map[string]Role {
	roles := map[string]Role{}
	for _, c := range clients {
		for _, f := range c.Fields {
			if roles[f.Name] == "" {
				roles[f.Name] = f.Role
			}
		}
	}
	return roles
})

func listName(n *Node) (string, Span) {
	for _, key := range []string{"name", "key", "id"} {
		if v := n.Get(key); v != nil && v.Kind == String {
			return v.Text, v.Span
		}
	}
	return "", n.Span
}

// entry reads one entry and keeps it, unless it is a server that the client
// brings along itself.
func (r *serverReader) entry(s Server) {
	c, n := r.dialect, s.Node
	if n.Kind != Object {
		r.servers = append(r.servers, s)
		return
	}
	command, url := c.lookup(n, RoleCommand), c.lookup(n, RoleURL)
	if command == nil && url == nil && c.provided(n) {
		return
	}
	s.readCommand(command)
	if args := c.lookup(n, RoleArgs); args != nil {
		s.Args = append(s.Args, texts(args)...)
	}
	s.Env = append(s.Env, variables(c.lookup(n, RoleEnv))...)
	s.Headers = variables(c.lookup(n, RoleHeaders))
	s.URL, s.Cwd = text(url), text(c.lookup(n, RoleCwd))
	disabled, enabled := text(c.lookup(n, RoleDisabled)), text(c.lookup(n, RoleEnabled))
	s.Disabled = disabled == "true" || enabled == "false" || enabled == "disabled"
	s.Transport = c.transport(n, command != nil, url != nil)
	r.servers = append(r.servers, s)
}

// readCommand takes a program, a program with its arguments in one array, or
// the object {path, args, env} of older Zed files.
func (s *Server) readCommand(command *Node) {
	switch {
	case command == nil:
	case command.Kind == Array:
		if list := texts(command); len(list) > 0 {
			s.Command, s.Args = list[0], list[1:]
		}
	case command.Kind == Object:
		s.Command = text(command.Get("path"))
		s.Args = texts(command.Get("args"))
		s.Env = variables(command.Get("env"))
	default:
		s.Command = text(command)
	}
}

// lookup gives the value that an entry has for a role, by the client's own
// spellings. What decides the transport, the command and the URL, is also
// taken in any other client's spelling.
func (c *Client) lookup(n *Node, role Role) *Node {
	for _, f := range c.Fields {
		if f.Role == role && f.Effect != Ignored {
			if v := n.nested(f.Name); v != nil {
				return v
			}
		}
	}
	if role != RoleCommand && role != RoleURL && role != RoleType && c != &generic {
		return nil
	}
	for _, m := range n.Members {
		if spelled()[m.Name] == role {
			return m.Value
		}
	}
	return nil
}

// nested gives the value at a dotted name, as in requestInit.headers.
func (n *Node) nested(name string) *Node {
	if strings.IndexByte(name, '.') < 0 {
		return n.Get(name)
	}
	for key := range strings.SplitSeq(name, ".") {
		n = n.Get(key)
	}
	return n
}

// provided tells whether an entry without command and URL is right as it is:
// it names an extension, or a type that is built in.
func (c *Client) provided(n *Node) bool {
	if c.lookup(n, RoleProvided) != nil {
		return true
	}
	word := text(c.lookup(n, RoleType))
	f := c.Spelling(RoleType, "")
	return f != nil && slices.Contains(f.Values, word) && c.wordMeans(word) == ""
}

// transport follows the client's rules: its own words, then the words that
// anyone understands, then what the keys imply.
func (c *Client) transport(n *Node, command, url bool) Transport {
	word := c.lookup(n, RoleType)
	if word == nil {
		word = n.Get("transport")
	}
	if word != nil && word.Kind == String {
		if t := c.wordMeans(word.Text); t != "" {
			return t
		}
	}
	if !url || command && !c.Untyped.URLFirst {
		return Stdio
	}
	if c.HTTP.Implied != c.SSE.Implied {
		if c.HTTP.Implied != "" && n.Get(c.HTTP.Implied) != nil {
			return HTTP
		}
		if c.SSE.Implied != "" && n.Get(c.SSE.Implied) != nil {
			return SSE
		}
	}
	return cmp.Or(c.Untyped.Means, HTTP)
}

// wordMeans gives the transport that a word of a type field stands for, or "".
func (c *Client) wordMeans(word string) Transport {
	for _, t := range []Transport{Stdio, HTTP, SSE} {
		if slices.Contains(c.Words(t).Words, word) {
			return t
		}
	}
	switch fold(word) {
	case "stdio", "local":
		return Stdio
	case "sse":
		return SSE
	case "http", "https", "streamablehttp", "streamable", "streaminghttp", "remote":
		return HTTP
	}
	return ""
}

func text(n *Node) string {
	if n == nil {
		return ""
	}
	return n.Text
}

// texts gives the elements of a list as strings, numbers as they are written,
// and a lone scalar as the only element.
func texts(n *Node) []string {
	if n == nil {
		return nil
	}
	if n.Kind != Array {
		if n.Kind == Object || n.Kind == Null {
			return nil
		}
		return []string{n.Text}
	}
	list := make([]string, len(n.Elements))
	for i, e := range n.Elements {
		list[i] = e.Text
	}
	return list
}

// variables reads an object, or a list of NAME=value as compose files have it.
func variables(n *Node) []Variable {
	var list []Variable
	switch {
	case n == nil:
	case n.Kind == Object:
		list = make([]Variable, 0, len(n.Members))
		for _, m := range n.Members {
			list = append(list, Variable{Name: m.Name, Value: m.Value.Text, Node: m.Value})
		}
	case n.Kind == Array:
		for _, e := range n.Elements {
			if name, value, ok := strings.Cut(e.Text, "="); ok && e.Kind == String {
				list = append(list, Variable{Name: name, Value: value, Node: e})
			}
		}
	}
	return list
}
