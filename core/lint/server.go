package lint

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"mcpmend/core/config"
)

// server is one entry, read once for all rules. Later entries are read into the
// same place: rules keep nothing of it but strings.
type server struct {
	*config.Server
	roles   []config.Role           // of each member of the entry
	fields  []field                 // one for each role that the entry has
	keys    map[string]*config.Node // only where there are many
	words   []word                  // of the command line
	command word                    // zero where there is none
	args    []word
	argsKey string // of the list that args stand in
	program string // the command's base name, lower case, without .exe, .cmd, .bat
	runner  string // the program that does the work, after a cmd /c before it
	rest    []word // its arguments
	values  []value
	marks   marks // of all values
	shell   bool  // the command is a shell
}

// marks are what a string has, found in one go so that a rule need not look at
// strings that cannot concern it.
type marks uint8

const (
	hasSign  marks = 1 << iota // $, %, { or ~: it may refer to something
	hasSlash                   // / or \
	hasColon
	hasQuote // at its beginning
	hasAngle // <, at its beginning
	hasSpace // at its beginning or end
	hasWide  // beyond ASCII
)

func marksOf(text string) marks {
	var m marks
	for i := range len(text) {
		switch c := text[i]; {
		case c == '$' || c == '%' || c == '{' || c == '~':
			m |= hasSign
		case c == '/' || c == '\\':
			m |= hasSlash
		case c == ':':
			m |= hasColon
		case (c == '"' || c == '\'') && i == 0:
			m |= hasQuote
		case c == '<' && i == 0:
			m |= hasAngle
		case (c == ' ' || c == '\t' || c == '\n' || c == '\r') && (i == 0 || i == len(text)-1):
			m |= hasSpace
		case c >= 0x80:
			m |= hasWide
		}
	}
	return m
}

// field is what an entry has for a role.
type field struct {
	role config.Role
	last int  // the member that counts
	read bool // the client reads at least one of its spellings
}

// value is a string of the entry with the role of the field that holds it.
type value struct {
	role config.Role
	word word
}

// word is one string of an entry with its place. The pointer is made when it
// is asked for: most words are never reported.
type word struct {
	text  string
	marks marks
	node  *config.Node
	in    *server
	key   string // of the entry
	name  string // below the key, where it is an object
	index int    // below the key, where it is a list; -1 elsewhere
}

func (w *word) pointer() string {
	switch {
	case w.index >= 0:
		return w.in.at(w.key, strconv.Itoa(w.index))
	case w.name != "":
		return w.in.at(w.key, w.name)
	}
	return w.in.at(w.key)
}

// next points at the place after a word of a list.
func (w *word) next() string { return w.in.at(w.key, strconv.Itoa(w.index+1)) }

// view reads an entry.
func (p *pass) view(v *server, s *config.Server) {
	*v = server{Server: s, roles: v.roles[:0], fields: v.fields[:0], words: v.words[:0], values: v.values[:0]}
	if len(s.Pointer) > maxPointer {
		v.Server = &config.Server{Name: s.Name, Pointer: s.Pointer, Key: s.Key}
		return
	}
	if s.Node == nil || s.Node.Kind != config.Object {
		return
	}
	for i := range s.Node.Members {
		v.note(p, i)
	}
	if len(s.Node.Members) > 32 {
		v.keys = make(map[string]*config.Node, len(s.Node.Members))
		for _, m := range s.Node.Members {
			v.keys[m.Name] = m.Value
		}
	}
	v.readWords()
	v.readValues()
	v.program = programOf(v.command.text)
	v.runner, v.rest = v.program, v.args
	v.shell = slices.Contains(shells, v.program)
	if v.program == "cmd" && len(v.args) > 1 && strings.EqualFold(v.args[0].text, "/c") {
		v.runner, v.rest = programOf(v.args[1].text), v.args[2:]
	}
}

// readWords finds the command line, whether it is a program with a list of
// arguments or one list of both.
func (s *server) readWords() {
	if m := s.field(config.RoleCommand); m != nil {
		switch m.Value.Kind {
		case config.String:
			s.command = s.word(m.Name, m.Value)
		case config.Array:
			s.argsKey = m.Name
			if words := s.list(m); len(words) > 0 {
				s.command, s.args = words[0], words[1:]
			}
		}
	}
	if m := s.field(config.RoleArgs); m != nil && m.Value.Kind == config.Array && s.argsKey == "" {
		s.argsKey = m.Name
		s.args = s.list(m)
	}
}

func (s *server) list(m *config.Member) []word {
	for i, e := range m.Value.Elements {
		s.words = append(s.words, word{text: e.Text, node: e, in: s, key: m.Name, index: i})
	}
	return s.words
}

func (s *server) word(key string, n *config.Node) word {
	return word{text: n.Text, node: n, in: s, key: key, index: -1}
}

// note keeps the role of a member, and for each role the member that counts: of
// several the last.
func (s *server) note(p *pass, member int) {
	name := s.Node.Members[member].Name
	f := p.client.Field(name)
	role := meaning(f, name)
	s.roles = append(s.roles, role)
	if role == "" {
		return
	}
	i := slices.IndexFunc(s.fields, func(f field) bool { return f.role == role })
	if i < 0 {
		i = len(s.fields)
		s.fields = append(s.fields, field{role: role})
	}
	s.fields[i].last = member
	s.fields[i].read = s.fields[i].read || f != nil && f.Effect < config.Ignored
}

// field gives the member of the entry that has a role, or nil.
func (s *server) field(role config.Role) *config.Member {
	for _, f := range s.fields {
		if f.role == role {
			return &s.Node.Members[f.last]
		}
	}
	return nil
}

// reads tells whether the entry has a role in a key that the client reads.
func (s *server) reads(role config.Role) bool {
	return slices.ContainsFunc(s.fields, func(f field) bool { return f.role == role && f.read })
}

// value is the value of the field, or nil.
func (s *server) value(role config.Role) *config.Node {
	if m := s.field(role); m != nil {
		return m.Value
	}
	return nil
}

// get is the value of a key of the entry, or nil. An entry may have any number
// of keys, and rules ask for each of them.
func (s *server) get(key string) *config.Node {
	if s.keys != nil {
		return s.keys[key]
	}
	return s.Node.Get(key)
}

// at is the pointer of a key of the entry, or of what is below it.
func (s *server) at(names ...string) string { return s.Pointer + config.Pointer(names...) }

// strings gives the strings of the entry that the server or the transport gets
// to see and that have one of the marks, each with the role of its field.
func (s *server) strings(any marks) func(yield func(config.Role, *word) bool) {
	return func(yield func(config.Role, *word) bool) {
		if s.marks&any == 0 {
			return
		}
		for i := range s.values {
			if v := &s.values[i]; v.word.marks&any != 0 && !yield(v.role, &v.word) {
				return
			}
		}
	}
}

// all gives every such string.
func (s *server) all(yield func(config.Role, *word) bool) {
	for i := range s.values {
		if !yield(s.values[i].role, &s.values[i].word) {
			return
		}
	}
}

func (s *server) readValues() {
	add := func(role config.Role, w word) {
		if w.node != nil && w.node.Kind == config.String {
			w.marks = marksOf(w.text)
			s.marks |= w.marks
			s.values = append(s.values, value{role, w})
		}
	}
	add(config.RoleCommand, s.command)
	for _, a := range s.args {
		add(config.RoleArgs, a)
	}
	for i, role := range s.roles {
		m := &s.Node.Members[i]
		switch role {
		case config.RoleURL, config.RoleCwd:
			add(role, s.word(m.Name, m.Value))
		case config.RoleEnv, config.RoleHeaders:
			for _, v := range m.Value.Members {
				w := s.word(m.Name, v.Value)
				w.name = v.Name
				add(role, w)
			}
		}
	}
}

// programOf gives the base name of a command as its user means it.
func programOf(command string) string {
	name := strings.ToLower(command[strings.LastIndexAny(command, `/\`)+1:])
	for _, ext := range []string{".exe", ".cmd", ".bat"} {
		name = strings.TrimSuffix(name, ext)
	}
	return name
}

// shells read a command line from one argument, where spaces, quotes and
// variables have their own meaning.
var shells = []string{"sh", "bash", "zsh", "fish", "dash", "cmd", "powershell", "pwsh", "wsl"}

// roleOf gives what a key is for: to the client, or else to any other.
func (p *pass) roleOf(key string) config.Role { return meaning(p.client.Field(key), key) }

func meaning(f *config.Field, key string) config.Role {
	if f != nil {
		return f.Role
	}
	return vocabulary()[key]
}

// vocabulary is what any client's key is for. Where clients disagree the first
// of the table is right.
var vocabulary = sync.OnceValue(func() map[string]config.Role {
	roles := map[string]config.Role{}
	for _, c := range config.Clients() {
		for _, f := range c.Fields {
			if _, ok := roles[f.Name]; !ok && f.Role != config.RoleOther {
				roles[f.Name] = f.Role
			}
		}
	}
	return roles
})

// spelling gives the key that the client has for a role, or the common one.
func (p *pass) spelling(role config.Role, t config.Transport) string {
	if f := p.client.Spelling(role, t); f != nil {
		return f.Name
	}
	return string(role)
}
