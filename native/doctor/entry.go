package doctor

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"mcpmend/core/config"
	"mcpmend/native/discover"
)

// Removed is the text of a subject's file without the server.
func Removed(s Subject) (string, error) {
	text, _, err := config.Apply(s.Document.Text, s.Document.Format, config.Patch{{Op: "remove", Path: s.Server.Pointer}})
	return text, err
}

// Switched is the text of a subject's file with the server switched on or off
// in the client's own way.
func Switched(s Subject, on bool) (string, error) {
	c := s.Document.Dialect(s.Server)
	for _, role := range []config.Role{config.RoleDisabled, config.RoleEnabled} {
		f := c.Spelling(role, s.Server.Transport)
		if f == nil || f.Types&config.AsBool == 0 {
			continue
		}
		value, _ := json.Marshal(on == (role == config.RoleEnabled)) // a bool always encodes
		op := config.Op{Op: "add", Path: s.Server.Pointer + config.Pointer(f.Name), Value: value}
		text, _, err := config.Apply(s.Document.Text, s.Document.Format, config.Patch{op})
		return text, err
	}
	if on {
		return "", fmt.Errorf("%s has no switch for a server in its config: what is there is on", c.Name)
	}
	return "", fmt.Errorf("%s has no switch for a server in its config; remove the entry instead", c.Name)
}

// Addition is a server that is about to be written into a client's file.
type Addition struct {
	Subject Subject // in the copy of the file that has it
	After   string
	Notes   []config.Loss // what the client cannot say, or says in another way
}

// Add puts a server into the config of a client, in its dialect: into the file
// that it has, or into a new one where it looks first.
func (d *Doctor) Add(client *config.Client, s config.Server) (*Addition, error) {
	entry, notes, err := d.entry(client, s)
	if err != nil {
		return nil, err
	}
	file, err := d.fileOf(client)
	if err != nil {
		return nil, err
	}
	after, err := added(file, entry)
	if err != nil {
		return nil, err
	}
	doc, err := config.Parse(after, config.Options{Client: client.ID, File: file.Path})
	if err != nil {
		return nil, err
	}
	for i := range doc.Servers {
		if doc.Servers[i].Pointer == entry.pointer {
			a := &Addition{After: after, Notes: notes}
			a.Subject = Subject{File: file, Document: doc, Server: &doc.Servers[i]}
			return a, nil
		}
	}
	return nil, fmt.Errorf("the entry is not where %s would look for it", client.Name)
}

// written is an entry in a client's dialect.
type written struct {
	name, pointer string
	value         json.RawMessage
	text          string // a whole file with this entry alone
	format        config.Format
}

// entry writes a server by converting a config of the common shape, so that
// there is one place that knows dialects.
func (d *Doctor) entry(client *config.Client, s config.Server) (written, []config.Loss, error) {
	common, err := json.Marshal(map[string]any{"mcpServers": map[string]any{s.Name: commonEntry(s)}})
	if err != nil {
		return written{}, nil, err
	}
	doc, err := config.Parse(string(common), config.Options{Client: "generic", Format: config.JSON})
	if err != nil {
		return written{}, nil, err
	}
	converted, err := config.Convert(doc, client, config.ConvertOptions{OS: d.machine.OS})
	if err != nil {
		return written{}, nil, err
	}
	out, err := config.Parse(converted.Text, config.Options{Client: client.ID, Format: converted.Format})
	if err != nil {
		return written{}, nil, err
	}
	if len(out.Servers) != 1 {
		return written{}, nil, fmt.Errorf("%s cannot have such a server: %s", client.Name, losses(converted.Losses))
	}
	value, err := inOrder(out.Servers[0].Node)
	w := written{name: out.Servers[0].Name, pointer: out.Servers[0].Pointer, value: value, text: converted.Text, format: converted.Format}
	return w, append(converted.Losses, converted.Notes...), err
}

// inOrder is an entry as JSON, its keys as they were written: people look for
// the command before its arguments.
func inOrder(entry *config.Node) (json.RawMessage, error) {
	out := []byte("{")
	for i, m := range entry.Members {
		member, err := json.Marshal(map[string]any{m.Name: m.Value.Value()})
		if err != nil {
			return nil, err
		}
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, member[1:len(member)-1]...) // without its braces
	}
	return append(out, '}'), nil
}

func losses(list []config.Loss) string {
	var all []string
	for _, l := range list {
		all = append(all, l.Why)
	}
	return strings.Join(all, "; ")
}

func commonEntry(s config.Server) map[string]any {
	entry := map[string]any{}
	if s.URL != "" {
		entry["url"] = s.URL
		entry["type"] = string(s.Transport)
	} else {
		entry["command"], entry["args"] = s.Command, s.Args
		if s.Args == nil {
			entry["args"] = []string{}
		}
	}
	for key, list := range map[string][]config.Variable{"env": s.Env, "headers": s.Headers} {
		if len(list) == 0 {
			continue
		}
		values := map[string]string{}
		for _, v := range list {
			values[v.Name] = v.Value
		}
		entry[key] = values
	}
	return entry
}

// fileOf is the file that a client's user-wide servers go into.
func (d *Doctor) fileOf(client *config.Client) (*File, error) {
	for _, f := range discover.Files(d.machine) {
		if f.Client.ID == client.ID && f.Scope == config.UserScope && !f.Unread && !f.Legacy {
			if f.Err != nil {
				return nil, f.Err
			}
			file := examine(f)
			return &file, nil
		}
	}
	path := d.machine.Default(client)
	if path == "" {
		return nil, fmt.Errorf("%s keeps its servers in no file that could be written; add it in the program itself", client.Name)
	}
	if info, err := os.Stat(path); err == nil {
		// It says nothing of servers yet, and so was not found: Claude Code, Codex,
		// Gemini and Zed keep other settings there too.
		text, err := readConfig(path, info)
		file := examine(discover.File{Path: path, Real: path, Client: client, Scope: config.UserScope, Text: text})
		return &file, err
	}
	if _, err := os.Stat(filepath.Dir(path)); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s does not seem to be installed: there is no %s. Make that directory if it is to be configured all the same", client.Name, filepath.Dir(path))
	}
	return &File{Path: path, Client: client.ID, Scope: config.UserScope, missing: true}, nil
}

// added is the text of a file with one entry more. Parents that are missing are
// made; an entry of the same name is not overwritten.
func added(file *File, entry written) (string, error) {
	if file.missing || strings.TrimSpace(file.Text) == "" {
		return entry.text, nil
	}
	if file.Document == nil {
		return "", fmt.Errorf("%s does not parse; mend it first: mcpmend fix", file.Path)
	}
	names, err := config.SplitPointer(entry.pointer)
	if err != nil {
		return "", err
	}
	if file.Document.Root.At(entry.pointer) != nil {
		return "", fmt.Errorf("%s has a server called %s already", file.Path, entry.name)
	}
	// The value goes in at the deepest parent that exists.
	value := any(entry.value)
	at := len(names) - 1
	for at > 0 && file.Document.Root.At(config.Pointer(names[:at]...)) == nil {
		value = map[string]any{names[at]: value}
		at--
	}
	data, err := json.Marshal(value)
	if err != nil {
		return "", err
	}
	text, _, err := config.Apply(file.Text, file.Document.Format, config.Patch{{Op: "add", Path: config.Pointer(names[:at+1]...), Value: data}})
	return text, err
}
