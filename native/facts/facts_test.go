package facts

import (
	"context"
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"

	"mcpmend/core/config"
	"mcpmend/core/fix"
)

// machine is a home and a project of their own.
func machine(t *testing.T) Machine {
	t.Helper()
	home, project := t.TempDir(), t.TempDir()
	return Machine{OS: "linux", Home: home, Project: project, Getenv: func(name string) string {
		if name == "PATH" {
			return filepath.Join(home, "bin") + string(filepath.ListSeparator) + "relative"
		}
		return ""
	}}
}

func put(t *testing.T, mode os.FileMode, text string, elem ...string) string {
	t.Helper()
	path := filepath.Join(elem...)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestCommandsAreFoundWhereShellsLook(t *testing.T) {
	is := is.New(t)
	m := machine(t)
	onPath := put(t, 0o755, "", m.Home, "bin", "server-x")
	nvm := put(t, 0o755, "", m.Home, ".nvm", "versions", "node", "v22.1.0", "bin", "node")
	npx := put(t, 0o755, "", m.Home, ".nvm", "versions", "node", "v22.1.0", "bin", "npx-of-nvm")
	put(t, 0o644, "", m.Home, "bin", "not-executable")
	got := Collect(context.Background(), m, Question{Category: "command_not_found", Server: &config.Server{Command: "server-x"}, Names: map[string]string{"command": "npx-of-nvm"}})
	is.Equal(got.Commands["server-x"], onPath)
	is.Equal(got.Commands["npx-of-nvm"], npx)
	is.Equal(got.Runtimes, []fix.Runtime{{Name: "node", Version: "22.1.0", Path: nvm, Manager: "nvm"}})
	got = Collect(context.Background(), m, Question{Category: "command_not_found", Names: map[string]string{"command": "not-executable"}})
	path, looked := got.Commands["not-executable"]
	is.True(looked) // looked for and absent is told apart from never looked for
	is.Equal(path, "")
}

func TestComposePorts(t *testing.T) {
	is := is.New(t)
	m := machine(t)
	put(t, 0o644, `
services:
  db:
    image: postgres:17
    ports:
      - "54320:5432"
      - 127.0.0.1:9187:9187/tcp
  cache:
    ports:
      - target: 6379
        published: "16379"
      - "${WEB_PORT:-8080}:80"
      - "3000"
`, m.Project, "compose.yaml")
	got := Collect(context.Background(), m, Question{Category: "connection_refused"})
	is.Equal(got.Published, []fix.Published{
		{Service: "db", Image: "postgres:17", Container: 5432, Host: 54320, File: "compose.yaml"},
		{Service: "db", Image: "postgres:17", Container: 9187, Host: 9187, File: "compose.yaml"},
		{Service: "cache", Container: 6379, Host: 16379, File: "compose.yaml"},
		{Service: "cache", Container: 80, Host: 8080, File: "compose.yaml"},
	})
}

func TestVariableNamesWithoutValues(t *testing.T) {
	is := is.New(t)
	m := machine(t)
	put(t, 0o600, "# GITHUB_TOKEN=commented\nGH_TOKEN=hunter2\nexport OTHER=\"hunter3\"\nEMPTY=\n", m.Project, ".env")
	got := Collect(context.Background(), m, Question{Category: "missing_env_var"})
	is.Equal(got.EnvNames, []fix.EnvName{{Name: "GH_TOKEN", File: ".env"}, {Name: "OTHER", File: ".env"}})
	data, err := json.Marshal(got)
	is.NoErr(err)
	is.True(!strings.Contains(string(data), "hunter"))
}

func TestPaths(t *testing.T) {
	is := is.New(t)
	m := machine(t)
	script := put(t, 0o644, "", m.Home, "Projects", "server.py")
	wrong := filepath.Join(m.Home, "projects", "servr.py")
	got := Collect(context.Background(), m, Question{Category: "path_not_found", Server: &config.Server{Command: script, Args: []string{wrong, "--root=" + m.Home, "~/Projects"}}})
	is.Equal(got.Paths[script].Mode, "0644")
	is.Equal(got.Paths[wrong], fix.Path{Near: script})
	is.True(got.Paths[m.Home].Dir)
	is.True(got.Paths["~/Projects"].Exists)
	is.Equal(got.Paths["~"].Near, m.Home)
}

func TestPortsThatListen(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("other systems are asked by their own tools")
	}
	is := is.New(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	is.NoErr(err)
	defer l.Close()
	port := l.Addr().(*net.TCPAddr).Port
	got := Collect(context.Background(), Local(""), Question{Category: "port_in_use"})
	i := slices.IndexFunc(got.Ports, func(p fix.Port) bool { return p.Port == port })
	is.True(i >= 0)
	is.True(got.Ports[i].Process != "") // it is our own
}

func TestDockerIsAskedOnItsSocket(t *testing.T) {
	is := is.New(t)
	m := machine(t)
	m.Getenv = func(name string) string {
		if name == "DOCKER_HOST" {
			return "unix://" + filepath.Join(m.Home, "nobody.sock")
		}
		return ""
	}
	got := Collect(context.Background(), m, Question{Category: "container_unavailable"})
	is.True(got.Docker != nil && !*got.Docker)
}

func TestNothingIsCollectedUnasked(t *testing.T) {
	is := is.New(t)
	got := Collect(context.Background(), machine(t), Question{Category: "rate_limited"})
	is.Equal(len(got.Commands)+len(got.Ports)+len(got.Paths), 0)
}

func TestTimeIsBounded(t *testing.T) {
	is := is.New(t)
	wanted["test-hangs"] = []collector{func(ctx context.Context, _ Machine, _ Question, f *fix.Facts) {
		time.Sleep(50 * time.Millisecond)
		f.Commands["late"] = "/late"
	}}
	defer delete(wanted, "test-hangs")
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	got := Collect(ctx, machine(t), Question{Category: "test-hangs"})
	is.Equal(len(got.Commands), 0)
}
