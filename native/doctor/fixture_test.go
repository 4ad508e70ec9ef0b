package doctor

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcpmend/native/probe/fixture"
)

func TestMain(m *testing.M) {
	fixture.Play()
	os.Exit(m.Run())
}

// place is a home, a project and programs of their own, with nothing else on
// the PATH.
type place struct {
	t             *testing.T
	home, project string
	bin           string
	words         *strings.Replacer // {home}, {project}, {bin} and what was set
}

func newPlace(t *testing.T, set ...string) *place {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &place{t: t, home: filepath.Join(root, "home"), project: filepath.Join(root, "project"), bin: filepath.Join(root, "bin")}
	for _, dir := range []string{p.home, p.project} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := fixture.Install(p.bin, "weather-server", "npx", "node", "docker"); err != nil {
		t.Fatal(err)
	}
	p.words = strings.NewReplacer(append(set, "{home}", p.home, "{project}", p.project, "{bin}", p.bin)...)
	t.Setenv("HOME", p.home)
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("PATH", p.bin)
	t.Setenv("MCPMEND_HOME", filepath.Join(root, "mcpmend"))
	return p
}

// put writes a file; ~ is the home and other relative paths are the project's.
func (p *place) put(path, text string, mode os.FileMode) string {
	p.t.Helper()
	path = p.path(path)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(p.words.Replace(text)), mode); err != nil {
		p.t.Fatal(err)
	}
	return path
}

func (p *place) path(path string) string {
	if below, ok := strings.CutPrefix(path, "~/"); ok {
		return filepath.Join(p.home, below)
	}
	return filepath.Join(p.project, path)
}

func (p *place) read(path string) string {
	p.t.Helper()
	data, err := os.ReadFile(p.path(path))
	if err != nil {
		p.t.Fatal(err)
	}
	return string(data)
}

func (p *place) doctor() *Doctor {
	p.t.Helper()
	d, err := New(p.project)
	if err != nil {
		p.t.Fatal(err)
	}
	return d
}

// subjects are the servers of the place.
func (p *place) subjects(d *Doctor) []Subject {
	p.t.Helper()
	files, err := d.Files(Selection{})
	if err != nil {
		p.t.Fatal(err)
	}
	return d.Subjects(files)
}

// weather is the one server of the place.
func (p *place) weather(d *Doctor) Subject {
	p.t.Helper()
	all := p.subjects(d)
	if len(all) != 1 || all[0].Server.Name != "weather" {
		p.t.Fatalf("%d servers, want the one called weather", len(all))
	}
	return all[0]
}
