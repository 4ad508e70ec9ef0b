package probe

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"mcpmend/core/config"
	"mcpmend/native/proc"
)

// inherited is what a client hands on that does not hand on everything.
var inherited = map[string][]string{
	"unix":    {"HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "LANG", "LC_ALL", "TMPDIR"},
	"windows": {"APPDATA", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATH", "PATHEXT", "COMSPEC", "PROCESSOR_ARCHITECTURE", "PROGRAMFILES", "SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TMP", "USERNAME", "USERPROFILE"},
}

// environment is what the client would give the server: its share of the
// user's, then the entry's own. A server never sees more of us than that.
func (t Target) environment(s config.Server) []string {
	all := t.Client != nil && t.Client.Environment == config.InheritAll
	names := inherited["unix"]
	if runtime.GOOS == "windows" {
		names = inherited["windows"]
	}
	values := map[string]string{}
	for _, pair := range t.Environ {
		name, value, _ := strings.Cut(pair, "=")
		if all || slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, name) }) {
			values[name] = value
		}
	}
	if t.Path != nil {
		values["PATH"] = strings.Join(t.Path, string(filepath.ListSeparator))
	}
	for _, v := range s.Env {
		values[v.Name] = v.Value
	}
	var env []string
	for name, value := range values {
		env = append(env, name+"="+value)
	}
	slices.Sort(env)
	return env
}

// command is what to start. The program is looked up on the PATH that the
// server will have, as the client does, and never in the working directory.
func (t Target) command(s config.Server, dir string) (proc.Command, error) {
	env := t.environment(s)
	path, err := lookup(s.Command, env, dir)
	if err != nil {
		return proc.Command{}, err
	}
	return proc.Command{Path: path, Args: s.Args, Dir: dir, Env: env}, nil
}

// lookup finds a program. Its errors are worded as clients word them, since
// they are read by the same rules.
func lookup(command string, env []string, dir string) (string, error) {
	if command == "" {
		return "", errors.New("the entry has no command")
	}
	if strings.ContainsAny(command, `/\`) && (runtime.GOOS == "windows" || strings.Contains(command, "/")) {
		path := command
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		info, err := os.Stat(path)
		switch {
		case err != nil:
			return "", fmt.Errorf("spawn %s ENOENT", command)
		case info.IsDir(), runtime.GOOS != "windows" && info.Mode()&0o111 == 0:
			return "", fmt.Errorf("EACCES: permission denied, access '%s'", command) // in which the path can be told
		}
		return path, nil
	}
	endings := []string{""}
	if runtime.GOOS == "windows" {
		endings = []string{".exe", ".cmd", ".bat", ""}
	}
	for _, pair := range env {
		name, value, _ := strings.Cut(pair, "=")
		if !strings.EqualFold(name, "PATH") {
			continue
		}
		for _, place := range filepath.SplitList(value) {
			if !filepath.IsAbs(place) {
				continue // what it leads to depends on where one stands
			}
			for _, ending := range endings {
				path := filepath.Join(place, command+ending)
				if info, err := os.Stat(path); err == nil && !info.IsDir() && (runtime.GOOS == "windows" || info.Mode()&0o111 != 0) {
					return path, nil
				}
			}
		}
	}
	return "", fmt.Errorf("spawn %s ENOENT", command)
}

// expanded is the server with its references replaced as the client replaces
// them. A reference that the client does not know stays as it is, and so does
// one to a variable that is not set: the server gets the very text.
func (t Target) expanded() config.Server {
	s := t.Server
	s.Command = t.expand(s.Command, config.RoleCommand)
	s.URL = t.expand(s.URL, config.RoleURL)
	s.Cwd = t.expand(s.Cwd, config.RoleCwd)
	s.Args = slices.Clone(s.Args)
	for i := range s.Args {
		s.Args[i] = t.expand(s.Args[i], config.RoleArgs)
	}
	s.Env = slices.Clone(s.Env)
	for i := range s.Env {
		s.Env[i].Value = t.expand(s.Env[i].Value, config.RoleEnv)
	}
	s.Headers = slices.Clone(s.Headers)
	for i := range s.Headers {
		s.Headers[i].Value = t.expand(s.Headers[i].Value, config.RoleHeaders)
	}
	return s
}

func (t Target) expand(text string, role config.Role) string {
	if t.Client == nil || !strings.ContainsAny(text, "${%") {
		return text
	}
	references := config.References(text)
	for _, r := range slices.Backward(references) {
		if t.Client.Expands(r.Form, role) != config.Yes {
			continue
		}
		value := t.Getenv(r.Name)
		if value == "" {
			value = r.Default
		}
		if value != "" || t.Client.Interpolation.Unset == config.UnsetEmpty {
			text = text[:r.Start] + value + text[r.End:]
		}
	}
	return text
}
