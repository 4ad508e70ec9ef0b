package doctor

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/matryer/is"

	"mcpmend/core/config"
)

// parsed reads the argv back out of what a person was shown.
func parsed(t *testing.T, lines []string) []string {
	t.Helper()
	var argv []string
	for _, line := range lines {
		for i := 0; i < len(line); i++ {
			if line[i] < 0x20 || line[i] > 0x7e {
				t.Fatalf("%q has a byte that a terminal may hide", line)
			}
		}
		if !strings.HasPrefix(line, `"`) {
			break
		}
		var arg string
		if err := json.Unmarshal([]byte(line), &arg); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		argv = append(argv, arg)
	}
	return argv
}

func FuzzLaunchLines(f *testing.F) {
	f.Add("npx", "-y", "@x/y")
	f.Add("sh", "-c\r\x1b[2K", "\u202ergi\u200b \U000e0041")
	f.Add("", " ", strings.Repeat(" ", 10_000)+"&& rm")
	f.Add("a\"b\\", "\x7f\u0085", "url \"x\"")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		for _, s := range []string{a, b, c} {
			if !utf8.ValidString(s) {
				t.Skip("a config has none; see TestConfigsHaveNoBrokenText")
			}
		}
		l := Launch{Argv: []string{a, b, c}, Cwd: b, URL: "https://example.com/", Variables: []string{c}, Headers: []string{a}}
		got := parsed(t, l.Lines())
		if len(got) != 3 || got[0] != a || got[1] != b || got[2] != c {
			t.Fatalf("shown %q, started %q", got, l.Argv)
		}
	})
}

// TestWhatIsShownIsWhatIsStarted takes ten thousand argv out of the runes that
// hide or turn text.
func TestWhatIsShownIsWhatIsStarted(t *testing.T) {
	is := is.New(t)
	random := rand.New(rand.NewPCG(1, 2))
	runes := []rune("az09 \t\r\n\x00\x07\x08\x1b\x7f\u0085\u00a0\u00ad\u115f\u200b\u200e\u202e\u2066\u2800\u3164\ufe0f\ufeff\uffa0\ufffd\U000e0041\U000e0101\U0001f600\"\\'`$&|;<>%")
	for range 10_000 {
		argv := make([]string, 1+random.IntN(5))
		for i := range argv {
			word := make([]rune, random.IntN(12))
			for j := range word {
				word[j] = runes[random.IntN(len(runes))]
			}
			argv[i] = string(word)
		}
		is.Equal(parsed(t, Launch{Argv: argv}.Lines()), argv)
	}
}

// TestConfigsHaveNoBrokenText: bytes that are no text never reach an argv,
// where they could not be shown as they are.
func TestConfigsHaveNoBrokenText(t *testing.T) {
	for _, text := range []string{
		"{\"mcpServers\":{\"x\":{\"command\":\"a\xffb\",\"args\":[\"\xc0\xaf\"]}}}",
		`{"mcpServers":{"x":{"command":"a\ud800b","args":["\udc00"]}}}`,
		"[mcp_servers.x]\ncommand = \"a\xffb\"\n",
		"mcpServers:\n  - name: x\n    command: \"a\xffb\"\n",
	} {
		doc, err := config.Parse(text, config.Options{})
		if err != nil {
			continue
		}
		for _, s := range doc.Servers {
			for _, arg := range append([]string{s.Command}, s.Args...) {
				if !utf8.ValidString(arg) {
					t.Errorf("%q has the argument %q", text, arg)
				}
			}
		}
	}
}

func TestEveryChangeOfAnEntryAsksAgain(t *testing.T) {
	const agreed = `{"servers":{"weather":{"type":"stdio","command":"weather-server","args":["a"],"env":{"K":"1"},"headers":{"H":"1"},"cwd":"/opt"}}}`
	changes := map[string]string{
		"command": `"weather-server"`, "argument": `"a"`, "value of a variable": `"K":"1"`,
		"header": `"H":"1"`, "directory": `"/opt"`, "name": `"weather":`,
	}
	with := map[string]string{
		"command": `"/opt/weather-server"`, "argument": `"a","b"`, "value of a variable": `"K":"2"`,
		"header": `"H":"2"`, "directory": `"/srv"`, "name": `"weather2":`,
	}
	is := is.New(t)
	p := newPlace(t)
	p.put(".vscode/mcp.json", agreed, 0o644)
	d := p.doctor()
	s := p.subjects(d)[0]
	is.True(d.Consent(s) != "")
	is.NoErr(d.Agree(s))
	is.Equal(p.doctor().Consent(s), "") // kept
	for name, old := range changes {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			changed := strings.Replace(agreed, old, with[name], 1)
			is.True(changed != agreed)
			p.put(".vscode/mcp.json", changed, 0o644)
			d := p.doctor()
			s := p.subjects(d)[0]
			is.True(d.Consent(s) != "")
			is.Equal(d.Probe(context.Background(), s, Watch{}).State, NotStarted)
			_, err := d.Heal(context.Background(), s, 3, Watch{})
			is.True(err != nil)
		})
	}
	t.Run("another file", func(t *testing.T) {
		is := is.New(t)
		p.put(".vscode/mcp.json", agreed, 0o644)
		p.put(".mcp.json", strings.Replace(agreed, "servers", "mcpServers", 1), 0o644)
		waiting := 0
		d := p.doctor()
		for _, s := range p.subjects(d) {
			if d.Consent(s) != "" {
				waiting++
			}
		}
		is.Equal(waiting, 1)
	})
}

// TestWhereServersStand: what npx runs depends on the directory, so the user's
// own servers get an empty one and the project's stand in the project.
func TestWhereServersStand(t *testing.T) {
	const where = `{"mcpServers":{"weather":{"command":"weather-server","args":["--where"]}}}`
	is := is.New(t)
	p := newPlace(t)
	p.put("node_modules/.bin/weather-server", "#!/bin/sh\nexit 9\n", 0o755)
	p.put(cursorFile, where, 0o600)
	d := p.doctor()
	o := d.Probe(context.Background(), p.weather(d), Watch{})
	is.True(strings.Contains(o.Result.Stderr, "with 0 files"))
	is.True(!strings.Contains(o.Result.Stderr, p.project))

	is.NoErr(os.Remove(p.path(cursorFile)))
	p.put(".cursor/mcp.json", where, 0o600)
	d.TrustProject = true
	o = d.Probe(context.Background(), p.weather(d), Watch{})
	is.True(strings.Contains(o.Result.Stderr, "in "+p.project+" "))
}

// TestDirectoryInsideTheProjectWantsConsent although the entry is the user's.
func TestDirectoryInsideTheProjectWantsConsent(t *testing.T) {
	tests := []struct {
		name, cwd string
		want      bool // consent
	}{
		{"none", "", false},
		{"elsewhere", "/opt", false},
		{"the project", "{project}", true},
		{"below it", "{project}/sub", true},
		{"relative", "sub", true},
		{"the home", "{home}", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			p := newPlace(t)
			p.put(codexFile, "[mcp_servers.weather]\ncommand = \"weather-server\"\ncwd = \""+tt.cwd+"\"\n", 0o600)
			d := p.doctor()
			is.Equal(d.Consent(p.weather(d)) != "", tt.want)
		})
	}
}

// TestProjectLinksAreNotWrittenThrough: a repository must not get the user's
// own files written by having a link in place of its config.
func TestProjectLinksAreNotWrittenThrough(t *testing.T) {
	is := is.New(t)
	p := newPlace(t)
	const text = `{"mcpServers":{"weather":{"command":"npxx","args":["-y","@example/weather"]}}}`
	target := p.put("~/.other/settings.json", text, 0o600)
	is.NoErr(os.MkdirAll(p.path(".cursor"), 0o755))
	is.NoErr(os.Symlink(target, p.path(".cursor/mcp.json")))
	d := p.doctor()
	d.TrustProject = true
	s := p.weather(d)
	is.Equal(s.File.Scope, config.ProjectScope)
	h, err := d.Heal(context.Background(), s, 3, Watch{})
	is.NoErr(err)
	is.True(h.Record.Fixed)
	is.True(d.Write(h, "test") != nil)
	is.Equal(p.read("~/.other/settings.json"), text)
	link, err := os.Readlink(p.path(".cursor/mcp.json"))
	is.NoErr(err)
	is.Equal(link, target)

	// The user's own links are followed, and stay links.
	is.NoErr(os.RemoveAll(p.path(".cursor")))
	is.NoErr(os.MkdirAll(filepath.Dir(p.path(cursorFile)), 0o755))
	is.NoErr(os.Symlink(target, p.path(cursorFile)))
	d = p.doctor()
	h, err = d.Heal(context.Background(), p.weather(d), 3, Watch{})
	is.NoErr(err)
	is.NoErr(d.Write(h, "test"))
	is.True(strings.Contains(p.read("~/.other/settings.json"), `"npx"`))
	link, err = os.Readlink(p.path(cursorFile))
	is.NoErr(err)
	is.Equal(link, target)
}
