package lint

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"mcpmend/core/config"
)

// server is one entry, read once for all rules.
type server struct {
	*config.Server
	roles   []config.Role // of each member of the entry
	command word          // zero where there is none
	args    []word
	argsKey string // of the list that args stand in
	runner  string // the program that does the work: base name, lower case, without .exe, .cmd, .bat
	rest    []word // its arguments, without those of a cmd /c before it
}

// word is one string of a command line with its place.
type word struct {
	text    string
	node    *config.Node
	pointer string
}

func (p *pass) view(s *config.Server) *server {
	v := &server{Server: s}
	if s.Node == nil || s.Node.Kind != config.Object {
		return v
	}
	v.roles = make([]config.Role, len(s.Node.Members))
	for i, m := range s.Node.Members {
		v.roles[i] = p.roleOf(m.Name)
	}
	v.readWords()
	v.runner, v.rest = programOf(v.command.text), v.args
	if v.runner == "cmd" && len(v.args) > 1 && strings.EqualFold(v.args[0].text, "/c") {
		v.runner, v.rest = programOf(v.args[1].text), v.args[2:]
	}
	return v
}

// readWords finds the command line, whether it is a program with a list of
// arguments or one list of both.
func (s *server) readWords() {
	if m := s.field(config.RoleCommand); m != nil {
		switch m.Value.Kind {
		case config.String:
			s.command = word{m.Value.Text, m.Value, s.at(m.Name)}
		case config.Array:
			s.argsKey = m.Name
			words := s.words(m)
			if len(words) > 0 {
				s.command, s.args = words[0], words[1:]
			}
		}
	}
	if m := s.field(config.RoleArgs); m != nil && m.Value.Kind == config.Array && s.argsKey == "" {
		s.argsKey = m.Name
		s.args = s.words(m)
	}
}

func (s *server) words(m *config.Member) []word {
	words := make([]word, len(m.Value.Elements))
	for i, e := range m.Value.Elements {
		words[i] = word{e.Text, e, s.at(m.Name, strconv.Itoa(i))}
	}
	return words
}

// field gives the member of the entry that has a role, or nil. Of several the
// last counts.
func (s *server) field(role config.Role) *config.Member {
	for i := len(s.roles) - 1; i >= 0; i-- {
		if s.roles[i] == role {
			return &s.Node.Members[i]
		}
	}
	return nil
}

// value is the value of the field, or nil.
func (s *server) value(role config.Role) *config.Node {
	if m := s.field(role); m != nil {
		return m.Value
	}
	return nil
}

// at is the pointer of a key of the entry, or of what is below it.
func (s *server) at(names ...string) string { return s.Pointer + config.Pointer(names...) }

// strings gives every string of the entry that the server or the transport
// gets to see, each with the role of the field that holds it.
func (s *server) strings(yield func(config.Role, word) bool) {
	if s.command.node != nil && !yield(config.RoleCommand, s.command) {
		return
	}
	for _, a := range s.args {
		if a.node.Kind == config.String && !yield(config.RoleArgs, a) {
			return
		}
	}
	for i, role := range s.roles {
		m := &s.Node.Members[i]
		switch {
		case role == config.RoleURL || role == config.RoleCwd:
			if m.Value.Kind == config.String && !yield(role, word{m.Value.Text, m.Value, s.at(m.Name)}) {
				return
			}
		case role == config.RoleEnv || role == config.RoleHeaders:
			for _, v := range m.Value.Members {
				if v.Value.Kind == config.String && !yield(role, word{v.Value.Text, v.Value, s.at(m.Name, v.Name)}) {
					return
				}
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

func (s *server) shell() bool { return slices.Contains(shells, programOf(s.command.text)) }

// roleOf gives what a key is for: to the client, or else to any other.
func (p *pass) roleOf(key string) config.Role {
	if f := p.client.Field(key); f != nil {
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
