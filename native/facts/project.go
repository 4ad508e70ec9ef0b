package facts

import (
	"bufio"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"mcpmend/core/config"
	"mcpmend/core/fix"
)

// composeNames is what compose looks for, in its order.
var composeNames = []string{"compose.yaml", "compose.yml", "docker-compose.yaml", "docker-compose.yml", "compose.override.yaml", "docker-compose.override.yml"}

// maxFile bounds what is read of a project's file.
const maxFile = 1 << 20

// compose reads which ports the project's compose files publish.
func compose(_ context.Context, m Machine, _ Question, found *fix.Facts) {
	if m.Project == "" {
		return
	}
	for _, name := range composeNames {
		text, ok := read(filepath.Join(m.Project, name))
		if !ok {
			continue
		}
		doc, err := config.Parse(text, config.Options{Format: config.YAML})
		if err != nil {
			continue
		}
		services := doc.Root.Get("services")
		if services == nil {
			continue
		}
		for _, service := range services.Members {
			image := ""
			if n := service.Value.Get("image"); n != nil {
				image = n.Text
			}
			ports := service.Value.Get("ports")
			if ports == nil {
				continue
			}
			for _, p := range ports.Elements {
				host, container := published(p)
				if host > 0 && container > 0 {
					found.Published = append(found.Published, fix.Published{Service: service.Name, Image: image, Container: container, Host: host, File: name})
				}
			}
		}
	}
}

// published reads one entry of ports: "54320:5432", "127.0.0.1:54320:5432/tcp"
// or the long form with target and published. Variables with a default count
// as their default; others are unknown here.
func published(n *config.Node) (host, container int) {
	if n.Kind == config.Object {
		return number(n.Get("published")), number(n.Get("target"))
	}
	short := defaults.ReplaceAllString(n.Text, "$1")
	short, _, _ = strings.Cut(short, "/")
	parts := strings.Split(short, ":")
	if len(parts) < 2 {
		return 0, 0
	}
	host, _ = strconv.Atoi(parts[len(parts)-2])
	container, _ = strconv.Atoi(parts[len(parts)-1])
	return host, container
}

var defaults = regexp.MustCompile(`\$\{[A-Za-z_][A-Za-z0-9_]*:?-([^}]*)\}`)

func number(n *config.Node) int {
	if n == nil {
		return 0
	}
	value, _ := strconv.Atoi(defaults.ReplaceAllString(n.Text, "$1"))
	return value
}

// variables lists the names in the project's .env files. The values are passed
// over as they are read.
func variables(_ context.Context, m Machine, _ Question, found *fix.Facts) {
	if m.Project == "" {
		return
	}
	for _, name := range []string{".env", ".env.local", ".env.development", ".envrc"} {
		text, ok := read(filepath.Join(m.Project, name))
		if !ok {
			continue
		}
		lines := bufio.NewScanner(strings.NewReader(text))
		for lines.Scan() {
			if match := assignment.FindStringSubmatch(lines.Text()); match != nil {
				found.EnvNames = append(found.EnvNames, fix.EnvName{Name: match[1], File: name})
			}
		}
	}
}

var assignment = regexp.MustCompile(`^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*\S`)

func read(path string) (string, bool) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxFile {
		return "", false
	}
	data, err := os.ReadFile(path)
	return string(data), err == nil
}
