package config

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// ConvertOptions say where the converted file will be used.
type ConvertOptions struct {
	OS OS // "" where it is not known: then nothing is wrapped for a system
}

// Converted is a document in another client's dialect.
type Converted struct {
	Text   string
	Format Format
	File   string // where the client looks for such a file, a template as in Place, or ""
	Losses []Loss // what could not be carried over
	Notes  []Loss // what was carried over in another form
}

// Loss is something that the other client cannot say.
type Loss struct {
	Server string `json:"server"`
	Field  string `json:"field"` // as the file had it, or "" for the whole entry
	Why    string `json:"why"`
}

// Convert writes the servers of a document as a file of another client:
// fields, transport words, units of time, references to variables and the way
// to switch a server off are put in its dialect. A server that it can only
// start, not reach, goes through the mcp-remote bridge. Nothing is dropped in
// silence.
func Convert(doc *Document, to *Client, o ConvertOptions) (Converted, error) {
	if len(to.Fields) == 0 || to.alone() {
		return Converted{}, fmt.Errorf("%s keeps no list of servers that could be written; choose another client", to.Name)
	}
	if len(doc.Servers) == 0 {
		return Converted{}, errors.New("the config has no servers to convert")
	}
	v := conversion{to: to, os: o.OS, taken: map[string]bool{}}
	last := map[string]int{} // of a name that is there twice, every client takes the last
	for i, s := range doc.Servers {
		last[s.Pointer] = i
	}
	for i := range doc.Servers {
		if last[doc.Servers[i].Pointer] == i {
			v.server(doc, &doc.Servers[i])
		}
	}
	root := v.document()
	format := to.Formats[0]
	return Converted{
		Text: write(root, format), Format: format, File: to.file(o.OS),
		Losses: v.losses, Notes: v.notes,
	}, nil
}

// write puts a document in a format.
func write(root *Node, format Format) string {
	switch format {
	case TOML:
		return writeTOML(root)
	case YAML:
		return writeYAML(root)
	}
	return writeJSON(root)
}

// file is the first place on a system where the client looks for a plain file.
func (c *Client) file(os OS) string {
	if files := c.Files(os); len(files) > 0 {
		return files[0]
	}
	return ""
}

type conversion struct {
	to      *Client
	os      OS
	taken   map[string]bool // names
	entries []Member
	losses  []Loss
	notes   []Loss
	name    string // of the server at hand, as the source has it
}

func (v *conversion) lose(field, format string, args ...any) {
	v.losses = append(v.losses, Loss{Server: v.name, Field: field, Why: fmt.Sprintf(format, args...)})
}

func (v *conversion) note(field, format string, args ...any) {
	v.notes = append(v.notes, Loss{Server: v.name, Field: field, Why: fmt.Sprintf(format, args...)})
}

// server converts one entry and adds it to the others.
func (v *conversion) server(doc *Document, s *Server) {
	v.name = s.Name
	if s.Node.Kind != Object || s.Command == "" && s.URL == "" {
		v.lose("", "the entry has neither a command nor a URL")
		return
	}
	p := v.read(s, doc.Dialect(s))
	if p.disabled && v.to.Spelling(RoleDisabled, p.transport) == nil && v.to.Spelling(RoleEnabled, p.transport) == nil {
		v.lose("", "it is switched off, and %s would start it: it has no switch in its file", v.to.Name)
		return
	}
	v.fitSystem(&p)
	v.bridge(&p)
	name, ok := v.freeName(s.Name)
	if !ok {
		v.lose("", "another server has this name already")
		return
	}
	if project, ok := strings.CutPrefix(s.Pointer, "/projects/"); ok {
		project, _, _ = strings.Cut(project, "/")
		v.note("", "it was for the project %s alone", pointerUnescape.Replace(project))
	}
	v.entries = append(v.entries, Member{Name: name, Value: v.write(&p, name)})
}

// freeName makes a name that the client allows and that no other server has.
func (v *conversion) freeName(name string) (string, bool) {
	fit := name
	if fit == "" {
		fit = "server"
	}
	if pattern := v.to.Limits.Name; pattern != "" && !regexp.MustCompile(pattern).MatchString(fit) {
		fit = strings.Map(func(r rune) rune {
			if r < 0x80 && (isWord(byte(r)) && r != '$' || r == '-') {
				return r
			}
			return '-'
		}, fit)
	}
	if slices.Contains(v.to.Limits.Reserved, fit) {
		fit += "-server"
	}
	if v.taken[fit] {
		return "", false
	}
	v.taken[fit] = true
	if fit != name {
		v.note("", "it is called %q: %s does not take the name it had", fit, v.to.Name)
	}
	return fit, true
}

// document puts the entries under the client's first root.
func (v *conversion) document() *Node {
	root := &Node{Kind: Object}
	for _, p := range v.to.Head {
		root.set(p.Key, textNode(p.Value))
	}
	at := v.to.Roots[0]
	servers := &Node{Kind: Object, Members: v.entries}
	if at.Shape == ListShape {
		servers = &Node{Kind: Array}
		for _, m := range v.entries {
			servers.Elements = append(servers.Elements, m.Value)
		}
	}
	root.set(at.Path, servers)
	return root
}

// shims are programs that are .cmd files on Windows.
var shims = []string{"npx", "npm", "pnpm", "pnpx", "yarn", "tsx"}

// cmdCharacters have a meaning of their own to cmd.exe, inside quotes too.
const cmdCharacters = "&|<>^%!\"()\r\n"

// fitSystem takes cmd /c away, and puts it where the client needs it to start
// a .cmd file.
func (v *conversion) fitSystem(p *portable) {
	if v.os == "" || p.transport != Stdio {
		return
	}
	if cmd := strings.ToLower(p.command.literal()); (cmd == "cmd" || cmd == "cmd.exe") && len(p.args) > 1 &&
		strings.EqualFold(p.args[0].literal(), "/c") && slices.Contains(shims, p.args[1].literal()) {
		p.command, p.args = p.args[1], p.args[2:]
	}
	if v.os != Windows || v.to.WindowsCmd != Yes || !slices.Contains(shims, p.command.literal()) {
		return
	}
	for _, arg := range p.args {
		if strings.ContainsAny(arg.literal(), cmdCharacters) || len(arg) > 1 {
			v.lose("args", "%s starts %s on Windows only through cmd /c, which would read %q as its own syntax; name node.exe and the script instead",
				v.to.Name, p.command.literal(), arg.literal())
			return
		}
	}
	p.args = append([]template{literal("/c"), p.command}, p.args...)
	p.command = literal("cmd")
	v.note("command", "on Windows %s starts it through cmd /c", v.to.Name)
}
