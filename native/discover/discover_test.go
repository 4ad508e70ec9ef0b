package discover

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"

	"mcpmend/core/config"
)

// tree is a file system by full path. A value is a file's text; directories
// are implied.
type tree struct {
	files   map[string]string
	links   map[string]string
	modes   map[string]fs.FileMode
	denied  map[string]bool // files that cannot be read, directories not listed
	windows bool
}

type info struct {
	name string
	size int
	mode fs.FileMode
}

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return int64(i.size) }
func (i info) Mode() fs.FileMode  { return i.mode }
func (i info) ModTime() time.Time { return time.Unix(int64(i.size), 0) }
func (i info) IsDir() bool        { return i.mode.IsDir() }
func (i info) Sys() any           { return nil }

func (t tree) slashed(name string) string {
	if t.windows {
		name = strings.ReplaceAll(name, `\`, "/")
	}
	return path.Clean(name)
}

func (t tree) Lstat(name string) (fs.FileInfo, error) {
	name = t.slashed(name)
	if _, ok := t.links[name]; ok {
		return info{name: name, mode: fs.ModeSymlink}, nil
	}
	if text, ok := t.files[name]; ok {
		return info{name: name, size: len(text), mode: t.modes[name]}, nil
	}
	for file := range t.files {
		if strings.HasPrefix(file, name+"/") {
			return info{name: name, mode: fs.ModeDir}, nil
		}
	}
	return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrNotExist}
}

func (t tree) Stat(name string) (fs.FileInfo, error) {
	real, err := t.Real(name)
	if err != nil {
		return nil, err
	}
	return t.Lstat(real)
}

func (t tree) Real(name string) (string, error) {
	name = t.slashed(name)
	for range 10 {
		to, ok := t.links[name]
		if !ok {
			_, err := t.Lstat(name)
			return name, err
		}
		name = to
	}
	return "", &fs.PathError{Op: "stat", Path: name, Err: errors.New("too many levels of symbolic links")}
}

func (t tree) ReadDir(name string, max int) ([]string, error) {
	name = t.slashed(name)
	if t.denied[name] {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	var names []string
	for file := range t.files {
		if rest, ok := strings.CutPrefix(file, name+"/"); ok {
			first, _, _ := strings.Cut(rest, "/")
			if !slices.Contains(names, first) {
				names = append(names, first)
			}
		}
	}
	if names == nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	slices.Sort(names)
	return names[:min(len(names), max)], nil
}

func (t tree) ReadFile(name string, max int) ([]byte, error) {
	name, err := t.Real(name)
	if err != nil {
		return nil, err
	}
	if t.denied[name] {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return []byte(t.files[name][:min(len(t.files[name]), max)]), nil
}

const servers = `{"mcpServers": {"a": {"command": "x"}}}`

func machine(os config.OS, files map[string]string, env map[string]string) Machine {
	m := Machine{OS: os, Home: "/home/you", Project: "/home/you/shop", Getenv: func(k string) string { return env[k] }}
	switch os {
	case config.MacOS:
		m.Home, m.Project = "/Users/you", "/Users/you/shop"
	case config.Windows:
		m.Home, m.Project = `C:\Users\you`, `C:\Users\you\shop`
	}
	m.FS = tree{files: files, windows: os == config.Windows}
	return m
}

func summary(files []File) []string {
	var list []string
	for _, f := range files {
		line := string(f.Scope) + " " + f.Client.ID + " " + f.Path
		if len(f.Also) > 0 {
			line += " also " + strings.Join(f.Also, ",")
		}
		if f.Unread {
			line += " unread"
		}
		if f.Err != nil {
			line += " error"
		}
		list = append(list, line)
	}
	return list
}

func TestFiles(t *testing.T) {
	for _, tt := range []struct {
		name  string
		os    config.OS
		files map[string]string
		env   map[string]string
		want  []string
	}{
		{"nothing", config.Linux, map[string]string{"/home/you/notes.txt": "x"}, nil, nil},
		{"Linux", config.Linux, map[string]string{
			"/home/you/.claude.json":                      servers,
			"/home/you/shop/.cursor/mcp.json":             servers,
			"/home/you/.cursor/mcp.json":                  servers,
			"/home/you/.config/zed/settings.json":         `{"context_servers": {}}`,
			"/home/you/.codex/config.toml":                "[mcp_servers.a]\ncommand = 'x'\n",
			"/etc/opencode/opencode.json":                 `{"mcp": {}}`,
			"/home/you/.config/Code/User/mcp.json":        `{"servers": {}}`,
			"/home/you/.config/goose/config.yaml":         "extensions: {}\n",
			"/home/you/AppData/Roaming/Zed/settings.json": `{"context_servers": {}}`,
		}, nil, []string{
			"user claude-code /home/you/.claude.json",
			"project cursor /home/you/shop/.cursor/mcp.json",
			"user cursor /home/you/.cursor/mcp.json",
			"user vscode /home/you/.config/Code/User/mcp.json",
			"user zed /home/you/.config/zed/settings.json",
			"user codex /home/you/.codex/config.toml",
			"user opencode /etc/opencode/opencode.json",
			"user goose /home/you/.config/goose/config.yaml",
		}},
		{"macOS", config.MacOS, map[string]string{
			"/Users/you/Library/Application Support/Claude/claude_desktop_config.json": servers,
			"/Users/you/Library/Application Support/Code/User/profiles/p1/mcp.json":    `{"servers": {}}`,
			"/Users/you/Library/Application Support/Code/User/profiles/p2/mcp.json":    `{"servers": {}}`,
			"/Users/you/.codeium/windsurf/mcp_config.json":                             servers,
		}, nil, []string{
			"user claude-desktop /Users/you/Library/Application Support/Claude/claude_desktop_config.json",
			"user vscode /Users/you/Library/Application Support/Code/User/profiles/p1/mcp.json",
			"user vscode /Users/you/Library/Application Support/Code/User/profiles/p2/mcp.json",
			"user windsurf /Users/you/.codeium/windsurf/mcp_config.json",
		}},
		{"Windows", config.Windows, map[string]string{
			"D:/Roaming/Claude/claude_desktop_config.json":                                                        servers,
			"C:/Users/you/AppData/Local/Packages/Claude_abc/LocalCache/Roaming/Claude/claude_desktop_config.json": servers,
			"C:/Users/you/.cursor/mcp.json":                                                                       servers,
			"C:/Users/you/shop/.vscode/mcp.json":                                                                  `{"servers": {}}`,
			"C:/ProgramData/OpenAI/Codex/config.toml":                                                             "[mcp_servers.a]\n",
			"C:/ProgramData/gemini-cli/settings.json":                                                             servers,
		}, map[string]string{"APPDATA": `D:\Roaming`}, []string{
			`user claude-desktop D:\Roaming\Claude\claude_desktop_config.json`,
			`user claude-desktop C:\Users\you\AppData\Local\Packages\Claude_abc\LocalCache\Roaming\Claude\claude_desktop_config.json`,
			`user cursor C:\Users\you\.cursor\mcp.json`,
			`project vscode C:\Users\you\shop\.vscode\mcp.json also visual-studio`,
			`user gemini-cli C:\ProgramData\gemini-cli\settings.json`,
			`user codex C:\ProgramData\OpenAI\Codex\config.toml`,
		}},
		{"a file of several clients", config.Linux, map[string]string{
			"/home/you/shop/.mcp.json": servers,
		}, nil, []string{"project claude-code /home/you/shop/.mcp.json also vscode,copilot-cli,jetbrains-ai,warp"}},
		{"its content decides", config.Linux, map[string]string{
			"/home/you/shop/.mcp.json": `{"mcpServers": {"a": {"type": "local", "command": "x", "args": [], "tools": ["*"]}}}`,
		}, nil, []string{"project copilot-cli /home/you/shop/.mcp.json also vscode,claude-code,jetbrains-ai,warp"}},
		{"variables move files", config.Linux, map[string]string{
			"/opt/codex/config.toml":       "[mcp_servers.a]\n",
			"/opt/codex/work.config.toml":  "[mcp_servers.b]\n",
			"/home/you/.codex/config.toml": "[mcp_servers.c]\n",
			"/opt/xdg/zed/settings.json":   `{"context_servers": {}}`,
			"/home/you/my-opencode.json":   `{"mcp": {}}`,
		}, map[string]string{"CODEX_HOME": "/opt/codex", "XDG_CONFIG_HOME": "/opt/xdg", "OPENCODE_CONFIG": "/home/you/my-opencode.json"}, []string{
			"user zed /opt/xdg/zed/settings.json",
			"user codex /opt/codex/config.toml",
			"user codex /opt/codex/work.config.toml",
			"user opencode /home/you/my-opencode.json",
		}},
		{"a variable into the project is the project's", config.Linux, map[string]string{
			"/home/you/shop/conf/config.toml": "[mcp_servers.a]\n",
		}, map[string]string{"CODEX_HOME": "conf"}, []string{"project codex /home/you/shop/conf/config.toml"}},
		{"folders above, up to the repository", config.Linux, map[string]string{
			"/home/you/.mcp.json":               servers,
			"/home/you/shop/.git/HEAD":          "",
			"/home/you/shop/.mcp.json":          servers,
			"/home/you/.codex/config.toml":      "[mcp_servers.u]\n",
			"/home/you/shop/.codex/config.toml": "[mcp_servers.p]\n",
		}, nil, []string{
			"project claude-code /home/you/shop/.mcp.json also vscode,copilot-cli,jetbrains-ai,warp",
			"project codex /home/you/shop/.codex/config.toml",
			"user codex /home/you/.codex/config.toml",
		}},
		{"what an administrator sets wins, what is for all users comes last", config.Linux, map[string]string{
			"/etc/codex/config.toml":               "[mcp_servers.s]\n",
			"/home/you/.codex/config.toml":         "[mcp_servers.u]\n",
			"/home/you/.gemini/settings.json":      servers,
			"/home/you/shop/.gemini/settings.json": servers,
			"/etc/gemini-cli/settings.json":        servers,
		}, nil, []string{
			"user gemini-cli /etc/gemini-cli/settings.json",
			"project gemini-cli /home/you/shop/.gemini/settings.json",
			"user gemini-cli /home/you/.gemini/settings.json",
			"user codex /home/you/.codex/config.toml",
			"user codex /etc/codex/config.toml",
		}},
		{"settings without servers are nobody's business", config.Linux, map[string]string{
			"/home/you/.config/Code/User/settings.json": `{"editor.fontSize": 12}`,
			"/home/you/.gemini/settings.json":           `{"theme": "x"}`,
			"/home/you/.cursor/mcp.json":                ``,
		}, nil, []string{"user cursor /home/you/.cursor/mcp.json"}},
		{"servers where nobody looks", config.Linux, map[string]string{
			"/home/you/.claude/settings.json":            servers,
			"/home/you/shop/.claude/settings.local.json": `{"enableAllProjectMcpServers": true}`,
			"/home/you/shop/.junie/mcp.json":             servers,
		}, nil, []string{
			"user claude-code /home/you/.claude/settings.json unread",
			"project junie /home/you/shop/.junie/mcp.json unread",
		}},
		{"a shell script is told of", config.Linux, map[string]string{
			"/home/you/shop/crushrc": "mcp add x\n",
		}, nil, []string{"project crush /home/you/shop/crushrc error"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is.New(t).Equal(summary(Files(machine(tt.os, tt.files, tt.env))), tt.want)
		})
	}
}

func TestFoldersAboveTheProject(t *testing.T) {
	is := is.New(t)
	m := machine(config.Linux, map[string]string{
		"/home/you/.mcp.json":            servers,
		"/home/you/shop/.git/HEAD":       "",
		"/home/you/shop/.mcp.json":       servers,
		"/home/you/shop/web/.mcp.json":   servers,
		"/home/you/shop/web/app/main.js": "",
	}, nil)
	m.Project = "/home/you/shop/web/app"
	is.Equal(summary(Files(m)), []string{
		"project claude-code /home/you/shop/web/.mcp.json also copilot-cli",
		"project claude-code /home/you/shop/.mcp.json also copilot-cli",
	})
	// Without a repository the folders above are somebody else's.
	m.Project = "/srv/data"
	m.FS = tree{files: map[string]string{"/srv/.mcp.json": servers, "/srv/data/x": ""}}
	is.Equal(summary(Files(m)), nil)
}

// What can be planted in a project is never the user's own, by whatever way
// it is reached.
func TestScope(t *testing.T) {
	for _, tt := range []struct {
		name, project string
		files, links  map[string]string
		want          string
	}{
		{"a user's file that is a link into the project", "/home/you/shop",
			map[string]string{"/home/you/shop/evil.json": servers}, map[string]string{"/home/you/.cursor/mcp.json": "/home/you/shop/evil.json"},
			"project cursor /home/you/.cursor/mcp.json"},
		{"a project's file that is a link to the user's", "/home/you/shop",
			map[string]string{"/home/you/dotfiles/mcp.json": servers}, map[string]string{"/home/you/shop/.cursor/mcp.json": "/home/you/dotfiles/mcp.json"},
			"project cursor /home/you/shop/.cursor/mcp.json"},
		{"both lead to one file", "/home/you/shop",
			map[string]string{"/home/you/.cursor/mcp.json": servers}, map[string]string{"/home/you/shop/.cursor/mcp.json": "/home/you/.cursor/mcp.json"},
			"project cursor /home/you/shop/.cursor/mcp.json"},
		{"the home directory is no project", "/home/you",
			map[string]string{"/home/you/.lmstudio/mcp.json": servers}, nil,
			"user lm-studio /home/you/.lmstudio/mcp.json"},
		{"nor is the root", "/",
			map[string]string{"/home/you/.lmstudio/mcp.json": servers}, nil,
			"user lm-studio /home/you/.lmstudio/mcp.json"},
		{"a folder inside a settings folder", "/home/you/.lmstudio",
			map[string]string{"/home/you/.lmstudio/mcp.json": servers}, nil,
			"project lm-studio /home/you/.lmstudio/mcp.json"},
		{"a project whose name begins alike", "/home/you/.lm",
			map[string]string{"/home/you/.lmstudio/mcp.json": servers}, nil,
			"user lm-studio /home/you/.lmstudio/mcp.json"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := machine(config.Linux, nil, nil)
			m.Project = tt.project
			m.FS = tree{files: tt.files, links: tt.links}
			is.New(t).Equal(summary(Files(m)), []string{tt.want})
		})
	}
}

func TestScopeMindsNoCase(t *testing.T) {
	is := is.New(t)
	m := machine(config.Windows, map[string]string{"C:/Users/you/.lmstudio/mcp.json": servers}, nil)
	m.Project = `c:\users\YOU\.lmstudio`
	is.Equal(summary(Files(m)), []string{`project lm-studio C:\Users\you\.lmstudio\mcp.json`})
}

func TestWhatCannotBeReadIsReported(t *testing.T) {
	for _, tt := range []struct {
		name string
		fs   tree
		want string
	}{
		{"no permission", tree{files: map[string]string{"/home/you/.cursor/mcp.json": servers}, denied: map[string]bool{"/home/you/.cursor/mcp.json": true}}, "permission denied"},
		{"a directory", tree{files: map[string]string{"/home/you/.cursor/mcp.json/x": ""}}, "directory"},
		{"a pipe", tree{files: map[string]string{"/home/you/.cursor/mcp.json": ""}, modes: map[string]fs.FileMode{"/home/you/.cursor/mcp.json": fs.ModeNamedPipe}}, "regular"},
		{"a dangling link", tree{links: map[string]string{"/home/you/.cursor/mcp.json": "/nowhere"}}, "nowhere"},
		{"a loop", tree{links: map[string]string{"/home/you/.cursor/mcp.json": "/home/you/.cursor/mcp.json"}}, "too many levels"},
		{"too large", tree{files: map[string]string{"/home/you/.cursor/mcp.json": strings.Repeat(" ", config.MaxSize+1)}}, "more than 4 MiB"},
		{"a directory that is not listed", tree{
			files:  map[string]string{"/home/you/shop/.continue/mcpServers/a.yaml": "mcpServers: []"},
			denied: map[string]bool{"/home/you/shop/.continue/mcpServers": true}}, "permission denied"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			m := machine(config.Linux, nil, nil)
			m.FS = tt.fs
			files := Files(m)
			is.True(len(files) == 1)
			is.True(files[0].Err != nil)
			if !strings.Contains(files[0].Err.Error(), tt.want) {
				t.Errorf("%v does not say %q", files[0].Err, tt.want)
			}
			is.Equal(files[0].Text, "")
		})
	}
}

func TestFilesIsBounded(t *testing.T) {
	is := is.New(t)
	files := map[string]string{}
	for i := range 3 * maxEntries {
		files["/home/you/.aws/amazonq/cli-agents/"+strings.Repeat("x", i%7)+string(rune('a'+i%26))+time.Duration(i).String()+".json"] = servers
	}
	is.True(len(Files(machine(config.Linux, files, nil))) <= maxFiles)
}

func TestApplies(t *testing.T) {
	is := is.New(t)
	m := machine(config.Linux, nil, nil)
	doc, err := config.Parse(`{"mcpServers": {"u": {"command": "x"}}, "projects": {
		"/home/you/shop": {"mcpServers": {"here": {"command": "x"}}},
		"/home/you/other": {"mcpServers": {"there": {"command": "x"}}}}}`, config.Options{Client: "claude-code"})
	is.NoErr(err)
	var names []string
	for _, s := range doc.Servers {
		if m.Applies(s) {
			names = append(names, s.Name)
		}
	}
	is.Equal(names, []string{"u", "here"})
}

func TestLogs(t *testing.T) {
	is := is.New(t)
	m := machine(config.MacOS, map[string]string{
		"/Users/you/Library/Logs/Claude/mcp.log":               "1",
		"/Users/you/Library/Logs/Claude/mcp-server-github.log": "123",
		"/Users/you/Library/Logs/Claude/main.log":              "12",
	}, nil)
	is.Equal(Logs(m, config.ClientByID("claude-desktop")), []string{
		"/Users/you/Library/Logs/Claude/mcp-server-github.log",
		"/Users/you/Library/Logs/Claude/mcp.log",
	})
	is.Equal(Logs(m, config.ClientByID("cursor")), nil) // its log is in a panel
}
