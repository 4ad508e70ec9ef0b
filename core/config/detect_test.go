package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
)

// samples gives the valid sample of every client, by id.
func samples(t testing.TB) map[string]string {
	t.Helper()
	files, err := filepath.Glob("testdata/samples/*")
	if err != nil || len(files) == 0 {
		t.Fatal("no samples", err)
	}
	m := map[string]string{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		id := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
		m[id] = string(data)
	}
	return m
}

func TestDetectSamplesByContent(t *testing.T) {
	// What these have in common with a dozen others is all that they have.
	common := []string{"generic", "jetbrains-ai", "junie", "lm-studio", "augment"}
	for id, text := range samples(t) {
		t.Run(id, func(t *testing.T) {
			d := Detect(text, "")
			if slices.Contains(common, id) {
				if d.Client != Generic() || id != "generic" && !slices.Contains(d.Others, id) {
					t.Errorf("taken for %s, others %v", d.Client.ID, d.Others)
				}
				return
			}
			if d.Client.ID != id && !slices.Contains(d.Others, id) || d.Client == Generic() {
				t.Errorf("taken for %s (%.2f), others %v", d.Client.ID, d.Confidence, d.Others)
			}
		})
	}
}

// Cut anywhere after its first entry, a file is still of the same client.
func TestDetectBrokenSamples(t *testing.T) {
	for id, text := range samples(t) {
		whole := Detect(text, "").Client
		if whole.Certainty == Low {
			continue // too little is known to tell it by a part
		}
		cut := text[:len(text)*4/5]
		mangled := strings.NewReplacer(",\n", "\n", "\": ", "\" : ").Replace(text)
		for name, broken := range map[string]string{"mangled": mangled, "fenced": "Here it is:\n```\n" + text + "```\n", "cut": cut} {
			d := Detect(broken, "")
			if d.Client != whole && !slices.Contains(d.Others, whole.ID) && d.Client != Generic() {
				t.Errorf("%s %s: %s becomes %s", id, name, whole.ID, d.Client.ID)
			}
		}
	}
}

func TestDetectByFile(t *testing.T) {
	const plain = `{"mcpServers": {"a": {"command": "npx", "args": ["-y", "x"]}}}`
	for _, tt := range []struct{ file, text, want string }{
		{"claude_desktop_config.json", plain, "claude-desktop"},
		{`C:\Users\you\AppData\Roaming\Claude\claude_desktop_config.json`, plain, "claude-desktop"},
		{"claude_desktop_config.json", `{"servers": {}}`, "claude-desktop"},
		{".mcp.json", plain, "claude-code"},
		{"/home/you/shop/.mcp.json", `{"mcpServers": {"a": {"type": "local", "command": "x", "args": [], "tools": ["*"]}}}`, "copilot-cli"},
		{"/home/you/.claude.json", plain, "claude-code"},
		{"/home/you/.claude/settings.json", plain, "claude-code"},
		{"/home/you/.claude/.mcp.json", plain, "claude-code"},
		{"/home/you/shop/.cursor/mcp.json", plain, "cursor"},
		{"/home/you/.cursor/mcp.json", plain, "cursor"},
		{".vscode/mcp.json", plain, "vscode"},
		{"/Users/you/Library/Application Support/Code/User/mcp.json", plain, "vscode"},
		{`C:\Users\you\AppData\Roaming\Code\User\settings.json`, `{"editor.fontSize": 12, "mcp": {"servers": {"a": {"command": "x"}}}}`, "vscode"},
		{"/home/you/.config/zed/settings.json", plain, "zed"},
		{"/home/you/.gemini/settings.json", plain, "gemini-cli"},
		{"/home/you/.qwen/settings.json", plain, "qwen-code"},
		{"/home/you/.codeium/windsurf/mcp_config.json", plain, "windsurf"},
		{"/home/you/.gemini/antigravity/mcp_config.json", plain, "antigravity"},
		{"cline_mcp_settings.json", plain, "cline"},
		{"/home/you/.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json", plain, "roo-code"},
		{".roo/mcp.json", plain, "roo-code"},
		{".kilocode/mcp.json", plain, "kilo-code"},
		{"opencode.json", plain, "opencode"},
		{"crush.json", plain, "crush"},
		{"/home/you/.codex/config.toml", "[mcp.servers.a]\ncommand = \"x\"\n", "codex"},
		{"config.toml", "[mcp_servers.a]\ncommand = \"x\"\n", "codex"},
		{"librechat.yaml", "mcpServers:\n  a:\n    command: x\n", "librechat"},
		{"/home/you/.continue/config.yaml", "mcpServers:\n  a:\n    command: x\n", "continue"},
		{".continue/mcpServers/shop.json", plain, "continue"},
		{"/home/you/.config/goose/config.yaml", "extensions: {}\n", "goose"},
		{"/home/you/.lmstudio/mcp.json", plain, "lm-studio"},
		{".kiro/settings/mcp.json", plain, "kiro"},
		{".junie/mcp/mcp.json", plain, "junie"},
		{".amazonq/mcp.json", plain, "amazon-q"},
		{".warp/.mcp.json", plain, "warp"},
		{"mcp.json", plain, "generic"},
		{"notes.txt", "nothing of interest", "generic"},
		{"package.json", `{"name": "x", "version": "1.0.0", "repository": {"type": "git", "url": "https://example.com/x.git"}}`, "generic"},
	} {
		t.Run(tt.file+"/"+tt.want, func(t *testing.T) {
			d := Detect(tt.text, tt.file)
			if d.Client.ID != tt.want {
				t.Errorf("taken for %s (%.2f), others %v; want %s", d.Client.ID, d.Confidence, d.Others, tt.want)
			}
		})
	}
}

func TestDetectByTellingKeys(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"codex's header, misspelt", "[mcpServers.a]\ncommand = 'x'\n", "codex"},
		{"goose's fields", "extensions:\n  a:\n    type: stdio\n    cmd: npx\n    args: [x]\n    envs: {}\n", "goose"},
		{"a list with names", "mcpServers:\n- name: a\n  command: npx\n", "continue"},
		{"a map in YAML", "mcpServers:\n  a:\n    command: npx\n    args: [x]\n", "librechat"},
		{"context_servers", `{"context_servers": {"a": {"command": {"path": "x"}}}}`, "zed"},
		{"one array", `{"mcp": {"a": {"type": "local", "command": ["npx", "x"]}}}`, "opencode"},
		{"a string and a type", `{"mcp": {"a": {"type": "stdio", "command": "npx"}}}`, "crush"},
		{"settings of old", `{"mcp": {"servers": {"a": {"command": "npx"}}}}`, "vscode"},
		{"servers", `{"servers": {"a": {"type": "stdio", "command": "npx"}}}`, "vscode"},
		{"requestInit", `{"servers": {"a": {"url": "https://example.com", "requestInit": {"headers": {}}}}}`, "copilot-other-ides"},
		{"a list with keys", `{"servers": [{"key": "a", "command": "npx", "isActive": true}]}`, "5ire"},
		{"a bundle", `{"dxt_version": "0.1", "server": {"type": "node", "mcp_config": {"command": "node"}}}`, "mcpb-manifest"},
		{"a registry record", `{"name": "com.example/x", "packages": [{"registryType": "npm"}], "version": "1"}`, "mcp-registry-server-json"},
		{"serverUrl", `{"mcpServers": {"a": {"serverUrl": "https://example.com"}}}`, "windsurf"},
		{"httpUrl", `{"mcpServers": {"a": {"httpUrl": "https://example.com"}}}`, "gemini-cli"},
		{"streamableHttp and autoApprove", `{"mcpServers": {"a": {"type": "streamableHttp", "url": "x", "autoApprove": []}}}`, "cline"},
		{"alwaysAllow", `{"mcpServers": {"a": {"type": "streamable-http", "url": "x", "alwaysAllow": []}}}`, "roo-code"},
		{"the coding agent's secrets", `{"mcpServers": {"a": {"type": "local", "command": "x", "args": [], "tools": ["*"], "env": {"A": "$COPILOT_MCP_A"}}}}`, "copilot-cloud-agent"},
		{"working_directory", `{"mcpServers": {"a": {"command": "x", "args": [], "working_directory": "/"}}}`, "warp"},
		{"headersHelper", `{"mcpServers": {"a": {"type": "http", "url": "x", "headersHelper": "y"}}}`, "claude-code"},
		{"a default", `{"mcpServers": {"a": {"type": "http", "url": "x", "headers": {"A": "${B:-c}"}}}}`, "claude-code"},
		{"projects", `{"projects": {"/home/you/x": {"mcpServers": {}}}, "mcpServers": {}}`, "claude-code"},
		{"envFile", `{"mcpServers": {"a": {"command": "x", "envFile": ".env", "env": {"A": "${env:B}"}}}}`, "cursor"},
		{"fromGalleryId", `{"mcpServers": {"a": {"command": "x", "fromGalleryId": "y"}}}`, "trae"},
		{"env in a file of today", `{"mcp": {"a": {"type": "local", "command": ["npx"], "env": {"A": "b"}, "enabled": true}}}`, "opencode"},
		{"a map in YAML without args", "mcpServers:\n  a:\n    command: /usr/bin/x\n    env: {}\n", "librechat"},
		{"a name proves nothing", `{"mcpServers": {"a": {"name": "x", "command": "z"}}}`, "generic"},
		{"a transport proves nothing", `{"mcpServers": {"a": {"transport": "http", "url": "https://example.com"}}}`, "generic"},
		{"a fragment", `"a": {"autoApprove": [], "disabled": false, "timeout": 60, "command": "npx", "args": [], "env": {}}`, "cline"},
		{"unquoted and cut", "{\n  mcpServers: {\n    a: {\n      serverUrl: \"https://exam", "windsurf"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := Detect(tt.text, "")
			if d.Client.ID != tt.want {
				t.Errorf("taken for %s (%.2f), others %v; want %s", d.Client.ID, d.Confidence, d.Others, tt.want)
			}
		})
	}
}

func TestDetectSaysWhoElse(t *testing.T) {
	is := is.New(t)
	d := Detect(`{"mcpServers": {"a": {"serverUrl": "https://example.com"}}}`, "")
	is.Equal(d.Others, []string{"antigravity"})
	is.True(d.Confidence < 0.7) // two could own it
	d = Detect(`{"mcpServers": {"a": {"command": "npx"}}}`, "")
	is.Equal(d.Client, Generic())
	is.True(slices.Contains(d.Others, "claude-desktop") && slices.Contains(d.Others, "cursor"))
}

func TestDetectIsRepeatable(t *testing.T) {
	for id, text := range samples(t) {
		first := Detect(text, "")
		for range 50 {
			if again := Detect(text, ""); again.Client != first.Client || !slices.Equal(again.Others, first.Others) {
				t.Fatalf("%s: %s %v, then %s %v", id, first.Client.ID, first.Others, again.Client.ID, again.Others)
			}
		}
	}
}

// A hostile text takes no longer than a plain one of its size.
func TestDetectHostileTexts(t *testing.T) {
	start := time.Now()
	for _, unit := range []string{
		"{", "[", "\"", "'", "{\"a\":", "a:\n ", "- ", "- a:\n", "${", "%", "$", "{{", "/*", "//", "[a.", "a.b.c=", "\\", "\n", " ", "\"\\", "mcpServers:{", "\u00a0",
	} {
		text := strings.Repeat(unit, (1<<18)/len(unit))
		for _, file := range []string{"", "x.yaml", "x.toml"} {
			Detect(text, file)
		}
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("66 texts of 256 KiB took %v", took)
	}
}

func FuzzDetect(f *testing.F) {
	for _, text := range samples(f) {
		f.Add(text, "")
		f.Add(text[len(text)/3:], "config.yaml")
	}
	for _, text := range []string{
		"", "[", strings.Repeat("[", 5000), strings.Repeat("{\"a\":", 2000), "\"", "'", "\\", "- - - :", ":", "[[]]", "[a.", "=",
		"${", "${{ secrets.", "%%", "$", "{{", "{env:", "mcpServers:\n-", "mcpServers:\n  - - name: x", "\ufeff{", "a:\n\tb:", "/*", "//",
	} {
		f.Add(text, "settings.json")
		f.Add(text, "config.toml")
		f.Add(text, `\`)
	}
	f.Fuzz(func(t *testing.T, text, file string) {
		d := Detect(text, file)
		if d.Client == nil || d.Confidence < 0 || d.Confidence > 1 || d.Format == "" {
			t.Fatalf("%+v", d)
		}
		if slices.Contains(d.Others, d.Client.ID) {
			t.Fatalf("%s is among the others %v", d.Client.ID, d.Others)
		}
		for _, r := range References(text) {
			if r.Start >= r.End || r.End > len(text) {
				t.Fatalf("%+v", r)
			}
		}
	})
}

func BenchmarkDetect(b *testing.B) {
	entry := `"server-` + strings.Repeat("x", 10) + `": {"command": "npx", "args": ["-y", "pkg"], "env": {"A": "${env:A}"}},`
	text := `{"mcpServers": {` + strings.Repeat(entry, 10000) + `}}`
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Detect(text, "")
	}
}
