package module

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"mcpmend/core/catalog"
	"mcpmend/core/config"
)

// inScope lets an operation touch the one server's entry only, and puts
// secrets back into its value.
func (c *Call) inScope(op *config.Op) error {
	if !slices.Contains([]string{"add", "remove", "replace", "move", "copy", "test"}, op.Op) {
		return fmt.Errorf("its patch has an operation %q", op.Op)
	}
	paths := []string{op.Path}
	if op.Op == "move" || op.Op == "copy" {
		paths = append(paths, op.From)
	}
	for _, path := range paths {
		if _, err := config.SplitPointer(path); err != nil || !strings.HasPrefix(path, c.Request.Server.Pointer+"/") {
			return fmt.Errorf("its patch touches %q, outside the server's entry", path)
		}
	}
	if strings.Contains(op.Path+op.From, placeholderStart) {
		return errors.New("its patch has the placeholder of a secret in a path")
	}
	if len(op.Value) == 0 {
		return nil
	}
	var value any
	if err := json.Unmarshal(op.Value, &value); err != nil {
		return fmt.Errorf("its patch has a value that is not JSON: %w", err)
	}
	value, err := c.restoredIn(value)
	if err != nil {
		return err
	}
	var out strings.Builder
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return err
	}
	op.Value = json.RawMessage(strings.TrimSpace(out.String()))
	return nil
}

// restoredIn puts secrets back into the strings of a value.
func (c *Call) restoredIn(value any) (any, error) {
	var err error
	switch v := value.(type) {
	case string:
		return c.restored(v)
	case []any:
		for i := range v {
			if v[i], err = c.restoredIn(v[i]); err != nil {
				return nil, err
			}
		}
	case map[string]any:
		for k := range v {
			if strings.Contains(k, placeholderStart) {
				return nil, errors.New("its patch has the placeholder of a secret in a key")
			}
			if v[k], err = c.restoredIn(v[k]); err != nil {
				return nil, err
			}
		}
	}
	return value, nil
}

// allowedResult carries the patch out and looks at what the server has become.
// What a patch says it touches is one thing; the documents before and after
// may differ below the server's entry alone.
func (c *Call) allowedResult(patch config.Patch) error {
	before, server, err := c.document()
	if err != nil {
		return err
	}
	text, _, err := config.Apply(before.Text, before.Format, patch)
	if err != nil {
		return fmt.Errorf("its patch cannot be carried out: %w", err)
	}
	after, err := config.Parse(text, config.Options{Format: before.Format, Client: before.Client.ID})
	if err != nil {
		return fmt.Errorf("its patch leaves a config that does not parse: %w", err)
	}
	if !sameBut(before.Root, after.Root, server.Pointer) {
		return errors.New("its patch changes something outside the server's entry")
	}
	for i := range after.Servers {
		if after.Servers[i].Pointer == server.Pointer {
			return allowedServer(server, &after.Servers[i])
		}
	}
	return errors.New("its patch removes the server")
}

// document is the config in question: the one the call was made for, or one
// made of the request's server alone.
func (c *Call) document() (*config.Document, *config.Server, error) {
	if c.doc != nil {
		return c.doc, c.server, nil
	}
	s := c.Request.Server
	entry := map[string]any{}
	if s.Command != "" {
		entry["command"], entry["args"] = s.Command, s.Args
	}
	if s.URL != "" {
		entry["url"] = s.URL
	}
	if s.Cwd != "" {
		entry["cwd"] = s.Cwd
	}
	if len(s.Env) > 0 {
		entry["env"] = s.Env
	}
	if len(s.Headers) > 0 {
		entry["headers"] = s.Headers
	}
	names, err := config.SplitPointer(s.Pointer)
	if err != nil || len(names) == 0 {
		return nil, nil, fmt.Errorf("the request's server has no proper pointer: %q", s.Pointer)
	}
	var root any = entry
	for _, name := range slices.Backward(names) {
		root = map[string]any{name: root}
	}
	text, err := json.Marshal(root)
	if err != nil {
		return nil, nil, err
	}
	doc, err := config.Parse(string(text), config.Options{Format: config.JSON, Client: c.Request.Config.Client})
	if err != nil {
		return nil, nil, err
	}
	for i := range doc.Servers {
		if doc.Servers[i].Pointer == s.Pointer {
			return doc, &doc.Servers[i], nil
		}
	}
	return nil, nil, fmt.Errorf("the request's server is not where its pointer says: %q", s.Pointer)
}

// sameBut compares two documents as data, without the value at a pointer.
func sameBut(a, b *config.Node, pointer string) bool {
	return config.SameData(without(a, pointer), without(b, pointer))
}

func without(root *config.Node, pointer string) any {
	value := root.Value()
	names, err := config.SplitPointer(pointer)
	if err != nil || len(names) == 0 {
		return nil
	}
	at := value
	for _, name := range names[:len(names)-1] {
		switch v := at.(type) {
		case map[string]any:
			at = v[name]
		case []any:
			return value // entries of a list are compared with the rest
		}
	}
	if m, ok := at.(map[string]any); ok {
		m[names[len(names)-1]] = nil
	}
	return value
}

// interpreters run whatever they are handed: a module may not change what they
// get.
var interpreters = []string{"sh", "bash", "zsh", "dash", "fish", "ksh", "cmd", "powershell", "pwsh", "env", "xargs", "perl", "ruby", "osascript", "wscript", "cscript", "mshta", "rundll32"}

// loaders are variables that make a program run code or trust somebody that it
// otherwise would not.
var loaders = []string{
	"LD_", "DYLD_", "NODE_OPTIONS", "NODE_PATH", "NODE_TLS_REJECT_UNAUTHORIZED", "NODE_EXTRA_CA_CERTS", "PYTHONPATH", "PYTHONSTARTUP", "PYTHONHOME", "PYTHONHTTPSVERIFY",
	"BASH_ENV", "ENV", "PERL5", "RUBY", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "PATH", "SHELL", "IFS", "GIT_", "SSL_", "REQUESTS_CA", "CURL_CA",
	"NPM_CONFIG_", "UV_", "PIP_", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "DOCKER_HOST", "ELECTRON_RUN_AS_NODE",
}

// evaluating are flags by which a runtime runs code from its command line or
// from a file of somebody's choice.
var evaluating = []string{"-c", "-e", "-p", "-r", "--eval", "--print", "--require", "--import", "--loader", "--experimental-loader", "--call", "--registry", "--index-url", "--extra-index-url", "--index", "--entrypoint", "--privileged", "--pid", "-v", "--volume", "--mount"}

// allowedServer compares a server before and after: no program and no package
// that was not there or is not in the catalogue, no new way to run code.
func allowedServer(before, after *config.Server) error {
	was, is := catalog.Parse(before.Command, before.Args), catalog.Parse(after.Command, after.Args)
	program := catalog.Program(after.Command)
	switch {
	case after.Command != before.Command && slices.Contains(interpreters, program) && !(program == "cmd" && is.Runner != ""):
		return fmt.Errorf("its patch starts %s", program)
	case after.Command != before.Command && program != catalog.Program(before.Command) && catalog.Registry(program) == "" && program != "cmd" && program != "node" && program != "python3" && program != "mcpmend":
		return fmt.Errorf("its patch starts %s, which is in neither the config nor the catalogue", program)
	case strings.ContainsAny(after.Command, `/\`) && after.Command != before.Command && program != catalog.Program(before.Command):
		return errors.New("its patch starts a program by a path that the config does not have")
	case is.Package != was.Package && catalog.Unversioned(is.Package) != catalog.Unversioned(was.Package) && catalog.ByPackage(is.Package) == nil:
		return fmt.Errorf("its patch brings in the package %q, which is in neither the config nor the catalogue", is.Package)
	case slices.Contains(interpreters, program) && is.Runner == "" && !slices.Equal(before.Args, after.Args):
		return fmt.Errorf("its patch changes what %s runs", program)
	}
	for _, arg := range after.Args {
		flag, _, _ := strings.Cut(arg, "=")
		if slices.Contains(evaluating, flag) && !slices.Contains(before.Args, arg) {
			return fmt.Errorf("its patch adds the argument %q", flag)
		}
	}
	for _, v := range after.Env {
		name := strings.ToUpper(v.Name)
		known := slices.ContainsFunc(before.Env, func(b config.Variable) bool { return b.Name == v.Name && b.Value == v.Value })
		if !known && slices.ContainsFunc(loaders, func(l string) bool {
			return name == l || strings.HasSuffix(l, "_") && strings.HasPrefix(name, l)
		}) {
			return fmt.Errorf("its patch sets %s", v.Name)
		}
	}
	return allowedURL(before.URL, after.URL)
}

// allowedURL lets a module change scheme-less details, port and path, of an
// address, not its host.
func allowedURL(before, after string) error {
	if after == before || after == "" {
		return nil
	}
	if host(after) != host(before) || strings.HasPrefix(before, "https:") && !strings.HasPrefix(after, "https:") {
		return errors.New("its patch leads to another host")
	}
	return nil
}

func host(url string) string {
	_, rest, _ := strings.Cut(url, "://")
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	rest = rest[strings.LastIndexByte(rest, '@')+1:]
	if i := strings.LastIndexByte(rest, ':'); i > strings.LastIndexByte(rest, ']') {
		rest = rest[:i]
	}
	return rest
}

// installers are the programs that an install command may begin with.
var installers = []string{"npm", "npx", "pnpm", "yarn", "bun", "uv", "uvx", "pip", "pipx", "brew", "apt-get", "winget", "docker", "chmod", "nvm"}

// installWords may stand in an install command beside the package: what to do,
// and products that everybody knows by that name.
var installWords = []string{
	"install", "i", "add", "exec", "install-deps", "browsers", "run", "tool", "pull", "up", "compose", "cache", "clean", "rm", "build", "config", "set", "prefix", "u+x",
	"node", "npm", "python", "python3", "uv", "docker", "playwright", "puppeteer", "chromium", "chrome", "firefox", "webkit", "msedge",
}

// allowedInstall refuses a command line that would do more than install a thing
// that is known.
func (c *Call) allowedInstall(line string) error {
	if line == "" {
		return nil
	}
	if err := plain("install_command", line, maxTitle); err != nil {
		return err
	}
	words := strings.Fields(line)
	if len(words) == 0 || strings.ContainsAny(line, "|;&$`<>\\\"'(){}*?!") || !slices.Contains(installers, words[0]) {
		return errors.New("its install_command is more than the call of an installer")
	}
	used := c.Request.Server
	launch := catalog.Parse(used.Command, used.Args)
	for _, word := range words[1:] {
		known := strings.HasPrefix(word, "-") || slices.Contains(installWords, word) || slices.Contains(used.Args, word) ||
			word == used.Command || catalog.ByPackage(word) != nil ||
			catalog.Unversioned(word) == catalog.Unversioned(launch.Package)
		if !known {
			return fmt.Errorf("its install_command names %q, which is in neither the config nor the catalogue", word)
		}
	}
	return nil
}
