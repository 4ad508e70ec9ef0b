package doctor

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"mcpmend/core/config"
	"mcpmend/native/state"
)

// Subject is one server of one file, as it stands there now.
type Subject struct {
	File        *File
	Document    *config.Document
	Server      *config.Server
	Fingerprint string // of everything that decides what is started or called
}

// Subjects lists the servers of files. A server that its client does not use
// here, such as another project's, is left out.
func (d *Doctor) Subjects(files []File, names ...string) []Subject {
	var all []Subject
	for i := range files {
		f := &files[i]
		if f.Document == nil || f.unread {
			continue
		}
		for j := range f.Document.Servers {
			s := &f.Document.Servers[j]
			if len(names) > 0 && !slices.Contains(names, s.Name) || !d.machine.Applies(*s) {
				continue
			}
			all = append(all, Subject{File: f, Document: f.Document, Server: s, Fingerprint: state.Fingerprint(f.Path, *s)})
		}
	}
	return all
}

// Consent says why a server may not be started yet, or "" when it may. The
// user's own files may; what a project brings along may only be started when
// the user has agreed to this very entry.
func (d *Doctor) Consent(s Subject) string {
	if !d.ofProject(s) || d.TrustProject {
		return ""
	}
	if _, ok := d.trust.Servers[s.Fingerprint]; ok || d.once[s.Fingerprint] {
		return ""
	}
	if s.File.Scope != config.ProjectScope {
		return "it is started inside the project and you have not agreed to that"
	}
	return "it is defined by the project and you have not agreed to start it"
}

// ofProject says whether a project decides what starting a server means: it has
// the entry, or the directory that the entry is started in. Only the whole home
// directory is no project.
func (d *Doctor) ofProject(s Subject) bool {
	if s.File.Scope == config.ProjectScope {
		return true
	}
	cwd := s.Server.Cwd
	if cwd == "" || s.Server.Command == "" {
		return false
	}
	if !filepath.IsAbs(cwd) {
		return true // it would be below where we stand
	}
	if real, err := filepath.EvalSymlinks(cwd); err == nil {
		cwd = real
	}
	_, below := d.inside(cwd)
	_, above := d.inside(d.machine.Home)
	return below && !above
}

// Agree keeps the user's yes to one entry as it stands.
func (d *Doctor) Agree(s Subject) error {
	d.trust.Servers[s.Fingerprint] = state.Grant{What: s.Server.Name + " of " + s.File.Path, When: time.Now().UTC()}
	return d.trust.Save()
}

// AgreeOnce takes the user's yes to one entry for as long as this doctor
// lives. Nothing of it is kept.
func (d *Doctor) AgreeOnce(s Subject) {
	if d.once == nil {
		d.once = map[string]bool{}
	}
	d.once[s.Fingerprint] = true
}

// Launch is everything that starting a server means, for the person who is to
// agree: nothing is cut, and variables are shown by name.
type Launch struct {
	Argv      []string `json:"argv,omitempty"`
	Cwd       string   `json:"cwd,omitempty"`
	URL       string   `json:"url,omitempty"`
	Variables []string `json:"variables,omitempty"`
	Headers   []string `json:"headers,omitempty"`
}

// LaunchOf tells what starting the subject means.
func LaunchOf(s Subject) Launch {
	l := Launch{Cwd: s.Server.Cwd, URL: s.Server.URL}
	if s.Server.Command != "" {
		l.Argv = append([]string{s.Server.Command}, s.Server.Args...)
	}
	for _, v := range s.Server.Env {
		l.Variables = append(l.Variables, v.Name)
	}
	for _, v := range s.Server.Headers {
		l.Headers = append(l.Headers, v.Name)
	}
	return l
}

// Lines shows a launch, one argument a line, each as a JSON string in ASCII: no
// character can hide, and reading the lines back gives the very argv.
func (l Launch) Lines() []string {
	var lines []string
	for _, arg := range l.Argv {
		lines = append(lines, quotedASCII(arg))
	}
	if l.URL != "" {
		lines = append(lines, "url "+quotedASCII(config.Mask(l.URL)))
	}
	if l.Cwd != "" {
		lines = append(lines, "in "+quotedASCII(l.Cwd))
	}
	for _, name := range l.Variables {
		lines = append(lines, "with the variable "+quotedASCII(name))
	}
	for _, name := range l.Headers {
		lines = append(lines, "with the header "+quotedASCII(name))
	}
	return lines
}

func quotedASCII(s string) string {
	encoded, _ := json.Marshal(s) // a string always encodes
	var out []byte
	for _, r := range string(encoded) {
		switch {
		case r < 0x7f:
			out = append(out, byte(r))
		case r > 0xffff:
			r -= 0x10000
			out = fmt.Appendf(out, `\u%04x\u%04x`, 0xd800+(r>>10), 0xdc00+(r&0x3ff))
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
	}
	return string(out)
}
