// Package pack is what the bundled fix modules have in common: the request that
// they read, the answer that they write, and the edits that they make.
//
// It says of the request only what a pack looks at. The host owns the full
// shape, in core/module, which is too large to compile into every module.
package pack

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// Request is what the host asks.
type Request struct {
	ABI       int       `json:"abi"`
	Diagnosis Diagnosis `json:"diagnosis"`
	Server    Server    `json:"server"`
	Config    Config    `json:"config"`
	Facts     Facts     `json:"facts"`
}

// Diagnosis is what was found.
type Diagnosis struct {
	Code     string            `json:"code"`
	Category string            `json:"category"`
	Error    string            `json:"original_error"`
	Names    map[string]string `json:"names"`
	Evidence []struct {
		Quote string `json:"quote"`
	} `json:"evidence"`
}

// Says tells whether the error or its evidence has a text, whatever the case.
func (d Diagnosis) Says(text string) bool {
	text = strings.ToLower(text)
	if strings.Contains(strings.ToLower(d.Error), text) {
		return true
	}
	for _, e := range d.Evidence {
		if strings.Contains(strings.ToLower(e.Quote), text) {
			return true
		}
	}
	return false
}

// Server is the entry in question. Secrets are placeholders.
type Server struct {
	Name    string            `json:"name"`
	Pointer string            `json:"pointer"`
	Command string            `json:"command"`
	Args    []string          `json:"args"`
	Env     map[string]string `json:"env"`
}

// Runs tells whether the command line names a package, with or without a
// version.
func (s Server) Runs(packages ...string) bool {
	for _, arg := range append([]string{s.Command}, s.Args...) {
		for _, p := range packages {
			if arg == p || strings.HasPrefix(arg, p+"@") || strings.HasPrefix(arg, p+":") || strings.HasPrefix(arg, p+"==") {
				return true
			}
		}
	}
	return false
}

// Program is the command's name without directory and ending.
func (s Server) Program() string {
	name := s.Command[strings.LastIndexAny(s.Command, `/\`)+1:]
	lower := strings.ToLower(name)
	for _, ending := range []string{".exe", ".cmd", ".bat"} {
		if strings.HasSuffix(lower, ending) {
			return lower[:len(lower)-len(ending)]
		}
	}
	return lower
}

// Config names the document.
type Config struct {
	Client string `json:"client"`
	Format string `json:"format"`
}

// Facts is what the host knows of the machine. What is not there is unknown.
type Facts struct {
	OS        string            `json:"os"`
	WSL       bool              `json:"wsl"`
	Commands  map[string]string `json:"commands"`
	Ports     []Port            `json:"ports"`
	Published []Published       `json:"published"`
	Paths     map[string]Path   `json:"paths"`
}

// Listens tells whether something listens on a port.
func (f Facts) Listens(port int) bool {
	for _, p := range f.Ports {
		if p.Port == port {
			return true
		}
	}
	return false
}

// Port is one that listens.
type Port struct {
	Port    int    `json:"port"`
	Process string `json:"process"`
}

// Published is a port of a compose file.
type Published struct {
	Service   string `json:"service"`
	Image     string `json:"image"`
	Container int    `json:"container"`
	Host      int    `json:"host"`
	File      string `json:"file"`
}

// Path is what is known of a path. Home is the path "~", in Near.
type Path struct {
	Exists bool   `json:"exists"`
	Dir    bool   `json:"dir"`
	Near   string `json:"near"`
}

// Answer is what a pack has to say.
type Answer struct {
	Fixes []Fix
	Notes []string
}

// Fix is one proposal.
type Fix struct {
	ID                 string  `json:"id"`
	Title              string  `json:"title"`
	Description        string  `json:"description"`
	Patch              []Op    `json:"patch,omitempty"`
	RequiresUserAction bool    `json:"requires_user_action"`
	Confidence         float64 `json:"confidence"`
	InstallCommand     string  `json:"install_command,omitempty"`
	EnvVarHint         string  `json:"env_var_hint,omitempty"`
	HelpURL            string  `json:"help_url,omitempty"`
}

// Op is an operation of a JSON patch.
type Op struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value,omitempty"`
}

var escaper = strings.NewReplacer("~", "~0", "/", "~1")

// SetArg replaces an argument.
func (s Server) SetArg(i int, value string) Op {
	return Op{"replace", s.Pointer + "/args/" + strconv.Itoa(i), value}
}

// InsertArg puts an argument before another.
func (s Server) InsertArg(i int, value string) Op {
	return Op{"add", s.Pointer + "/args/" + strconv.Itoa(i), value}
}

// AppendArgs adds arguments at the end.
func (s Server) AppendArgs(values ...string) []Op {
	var ops []Op
	for _, v := range values {
		ops = append(ops, Op{"add", s.Pointer + "/args/-", v})
	}
	return ops
}

// RemoveArg takes an argument out.
func (s Server) RemoveArg(i int) Op {
	return Op{Op: "remove", Path: s.Pointer + "/args/" + strconv.Itoa(i)}
}

// SetEnv gives a variable a value, and makes "env" where there is none.
func (s Server) SetEnv(name, value string) Op {
	if len(s.Env) == 0 {
		return Op{"add", s.Pointer + "/env", map[string]string{name: value}}
	}
	return Op{"add", s.Pointer + "/env/" + escaper.Replace(name), value}
}

// Rewrite changes the values of arguments and variables, in order.
func (s Server) Rewrite(change func(string) string) []Op {
	var ops []Op
	for i, arg := range s.Args {
		if now := change(arg); now != arg {
			ops = append(ops, s.SetArg(i, now))
		}
	}
	for _, name := range Sorted(s.Env) {
		if now := change(s.Env[name]); now != s.Env[name] {
			ops = append(ops, s.SetEnv(name, now))
		}
	}
	return ops
}

// Sorted are the keys of a map: the same request gets the same answer.
func Sorted[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		at := len(keys)
		for at > 0 && keys[at-1] > k {
			at--
		}
		keys = append(keys[:at], append([]string{k}, keys[at:]...)...)
	}
	return keys
}

// Main reads the request, asks each pack and writes the answer. A request that
// cannot be read ends the module with its reason on stderr.
func Main(packs ...func(Request) Answer) {
	if err := answer(os.Stdin, os.Stdout, packs); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func answer(in io.Reader, out io.Writer, packs []func(Request) Answer) error {
	var r Request
	if err := json.NewDecoder(in).Decode(&r); err != nil {
		return fmt.Errorf("cannot read the request: %w", err)
	}
	response := struct {
		ABI   int      `json:"abi"`
		Fixes []Fix    `json:"fixes"`
		Notes []string `json:"notes,omitempty"`
	}{ABI: 1, Fixes: []Fix{}}
	for _, p := range packs {
		a := p(r)
		response.Fixes = append(response.Fixes, a.Fixes...)
		response.Notes = append(response.Notes, a.Notes...)
	}
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	return e.Encode(response)
}
