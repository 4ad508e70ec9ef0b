package wrap

import (
	"fmt"
	"slices"
	"strings"

	"mcpmend/core/config"
	"mcpmend/native/files"
)

// Installed remembers how entries were written before they were made to run
// through the wrapper, byte for byte, so that it can be undone exactly.
type Installed struct {
	file    string
	entries []installedEntry
}

type installedEntry struct {
	Path     string `json:"path"` // of the config
	Pointer  string `json:"pointer"`
	Original string `json:"original"`
	Wrapped  string `json:"wrapped"`
}

// LoadInstalled reads the memory from a file, which need not be there.
func LoadInstalled(file string) (*Installed, error) {
	i := &Installed{file: file}
	if err := files.Load(file, &i.entries); err != nil {
		return nil, err
	}
	return i, nil
}

// Save keeps the memory; it is called once the config has been written.
func (i *Installed) Save() error { return files.Save(i.file, i.entries) }

// Install gives the config's text with the server run through the wrapper, and
// remembers the entry as it was. Program is the wrapper's own path.
func (i *Installed) Install(path string, d *config.Document, s *config.Server, program string) (string, error) {
	want := *s
	switch {
	case isWrapped(s):
		return "", fmt.Errorf("%s runs through the wrapper already", s.Name)
	case s.Transport == config.Stdio && s.Command != "":
		want.Command, want.Args = program, append([]string{"wrap", "--", s.Command}, s.Args...)
	case s.URL != "" && len(s.Headers) > 0:
		return "", fmt.Errorf("%s has headers, which would have to stand on the wrapper's command line for all to see; use mcpmend wrap --url with --header 'Name: ${VARIABLE}'", s.Name)
	case s.URL != "":
		want.Transport, want.URL = config.Stdio, ""
		want.Command, want.Args = program, []string{"wrap", "--url", s.URL}
	default:
		return "", fmt.Errorf("%s has neither a command nor an address", s.Name)
	}
	text, err := rewritten(d, s, want)
	if err != nil {
		return "", err
	}
	after, err := config.Parse(text, config.Options{Format: d.Format, Client: d.Client.ID})
	if err != nil {
		return "", fmt.Errorf("cannot change the entry of %s: %w", s.Name, err)
	}
	for _, n := range after.Servers {
		if n.Pointer == s.Pointer {
			i.forget(path, s.Pointer)
			i.entries = append(i.entries, installedEntry{
				Path: path, Pointer: s.Pointer,
				Original: d.Text[s.Node.Start:s.Node.End], Wrapped: text[n.Node.Start:n.Node.End],
			})
			return text, nil
		}
	}
	return "", fmt.Errorf("the entry of %s is not where it was", s.Name)
}

// Uninstall gives the config's text with the entry as it was before Install. An
// entry that was edited since keeps those edits: only the command goes back.
func (i *Installed) Uninstall(path string, d *config.Document, s *config.Server) (string, error) {
	if !isWrapped(s) {
		return "", fmt.Errorf("%s does not run through the wrapper", s.Name)
	}
	now := d.Text[s.Node.Start:s.Node.End]
	for _, e := range i.entries {
		if e.Path == path && e.Pointer == s.Pointer && e.Wrapped == now {
			i.forget(path, s.Pointer)
			return d.Text[:s.Node.Start] + e.Original + d.Text[s.Node.End:], nil
		}
	}
	want := *s
	if at := slices.Index(s.Args, "--"); at >= 0 && at+1 < len(s.Args) {
		want.Command, want.Args = s.Args[at+1], s.Args[at+2:]
	} else if at := slices.Index(s.Args, "--url"); at >= 0 && at+1 < len(s.Args) {
		want.Transport, want.URL, want.Command, want.Args = config.HTTP, s.Args[at+1], "", nil
	} else {
		return "", fmt.Errorf("the entry of %s does not say what it wraps", s.Name)
	}
	text, err := rewritten(d, s, want)
	if err != nil {
		return "", err
	}
	i.forget(path, s.Pointer)
	return text, nil
}

// rewritten is the config's text with a server as it should be.
func rewritten(d *config.Document, s *config.Server, want config.Server) (string, error) {
	patch := d.Rewrite(s, want)
	if patch == nil {
		return "", fmt.Errorf("the client's config cannot say this about %s", s.Name)
	}
	text, _, err := config.Apply(d.Text, d.Format, patch)
	if err != nil {
		return "", fmt.Errorf("cannot change the entry of %s: %w", s.Name, err)
	}
	return text, nil
}

func (i *Installed) forget(path, pointer string) {
	i.entries = slices.DeleteFunc(i.entries, func(e installedEntry) bool { return e.Path == path && e.Pointer == pointer })
}

// isWrapped recognises an entry that runs mcpmend wrap.
func isWrapped(s *config.Server) bool {
	name := strings.ToLower(s.Command[strings.LastIndexAny(s.Command, `/\`)+1:])
	return strings.HasPrefix(name, "mcpmend") && len(s.Args) > 0 && s.Args[0] == "wrap" // people keep binaries as mcpmend-1.2 too
}
