package lint

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"mcpmend/core/config"
)

// pass is one run of the rules over one document.
type pass struct {
	doc      *config.Document
	client   *config.Client
	options  Options
	rule     *Rule
	current  *server // nil while rules look at the document
	findings []Finding
}

func newPass(doc *config.Document, o Options) *pass {
	return &pass{doc: doc, client: doc.Client, options: o}
}

// concerns tells whether a rule is about the client of the document.
func (p *pass) concerns(r *Rule) bool {
	return len(r.Clients) == 0 || slices.Contains(r.Clients, p.client.ID)
}

// known tells whether the document's client is one of the table.
func (p *pass) known() bool { return p.client.ID != config.Generic().ID }

// report adds a finding of the present rule. Pointer, span and severity must
// be set where they differ from the server as a whole and from the rule.
func (p *pass) report(f Finding, facts ...config.Certainty) {
	f.Rule = p.rule
	f.Severity = cmpOr(f.Severity, p.rule.Severity)
	if f.Names == nil {
		f.Names = map[string]string{}
	}
	f.Names["client"] = p.client.Name
	if s := p.current; s != nil {
		f.Server = s.Name
		f.Names["server"] = s.Name
		if f.Pointer == "" {
			f.Pointer, f.Span = s.Pointer, s.Key
		}
	}
	doubt := config.High
	for _, fact := range facts {
		doubt = max(doubt, fact)
	}
	if doubt == config.Low && f.Severity == Error {
		f.Severity = Warning
	}
	if f.Sure == 0 {
		f.Sure = sureness[f.Severity] - 0.1*float64(doubt)
	}
	p.findings = append(p.findings, f)
}

// sureness is how often a finding of a severity is what is really wrong.
var sureness = map[Severity]float64{Error: 0.95, Warning: 0.6, Note: 0.3}

func cmpOr(a, b Severity) Severity {
	if a != "" {
		return a
	}
	return b
}

// dialect is what a finding about the client's own habits rests on: the row
// and how sure it is that the document is that client's.
func (p *pass) dialect(fact config.Certainty) config.Certainty {
	return max(fact, p.options.Certainty, p.client.Certainty)
}

// server is one entry, read once for all rules.
type server struct {
	*config.Server
	roles   []config.Role // of each member of the entry
	program string        // the command's base name, lower case, without .exe, .cmd and .bat
}

func (p *pass) view(s *config.Server) *server {
	v := &server{Server: s, program: programOf(s.Command)}
	if s.Node != nil && s.Node.Kind == config.Object {
		v.roles = make([]config.Role, len(s.Node.Members))
		for i, m := range s.Node.Members {
			v.roles[i] = p.roleOf(m.Name)
		}
	}
	return v
}

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

// programOf gives the base name of a command as its user means it.
func programOf(command string) string {
	name := strings.ToLower(command[strings.LastIndexAny(command, `/\`)+1:])
	for _, ext := range []string{".exe", ".cmd", ".bat"} {
		name = strings.TrimSuffix(name, ext)
	}
	return name
}

// raw is a value as JSON, with nothing escaped that need not be.
func raw(value any) json.RawMessage {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(err) // plain data of our own making
	}
	return bytes.TrimSpace(out.Bytes())
}

func add(path string, value any) config.Op {
	return config.Op{Op: "add", Path: path, Value: raw(value)}
}

func replace(path string, value any) config.Op {
	return config.Op{Op: "replace", Path: path, Value: raw(value)}
}

func remove(path string) config.Op { return config.Op{Op: "remove", Path: path} }

func move(from, to string) config.Op { return config.Op{Op: "move", From: from, Path: to} }
