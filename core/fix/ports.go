package fix

import (
	"fmt"
	"strconv"
	"strings"

	"mcpmend/core/config"
)

// backends are images by the port that they listen on inside.
var backends = map[int]string{
	5432: "postgres", 3306: "mysql", 6379: "redis", 27017: "mongo", 9200: "elasticsearch", 7687: "neo4j", 6333: "qdrant", 8123: "clickhouse", 5672: "rabbitmq", 9092: "kafka",
}

// refused is the port where nothing listens.
func (b *bench) refused() int {
	port, err := strconv.Atoi(b.Names["port"])
	if err != nil && b.entry != nil {
		port = b.entry.Port
	}
	return port
}

// publishedPort takes the port under which a compose file publishes the
// service: 5432 inside may be 54320 outside.
func publishedPort(b *bench) []Fix {
	port := b.refused()
	if port == 0 {
		return nil
	}
	var fixes []Fix
	for _, p := range b.facts.Published {
		if p.Container != port || p.Host == port || p.Host == 0 {
			continue
		}
		patch := b.movedPort(port, p.Host)
		if patch == nil {
			continue
		}
		sure := 0.9
		if !b.listens(p.Host) {
			sure = 0.6
		}
		fixes = append(fixes, Fix{
			ID:          "published-port-" + strconv.Itoa(p.Host),
			Title:       fmt.Sprintf("Connect to port %d", p.Host),
			Description: fmt.Sprintf("%s publishes %d of the service %s as %d.", p.File, port, p.Service, p.Host),
			Patch:       patch,
			Confidence:  sure,
		})
	}
	return fixes
}

// listeningPort takes a port that listens and belongs to the same program.
func listeningPort(b *bench) []Fix {
	port := b.refused()
	name := backends[port]
	if port == 0 || name == "" || b.listens(port) {
		return nil
	}
	for _, p := range b.facts.Ports {
		if p.Port == port || !strings.Contains(strings.ToLower(p.Process), name) {
			continue
		}
		if patch := b.movedPort(port, p.Port); patch != nil {
			return []Fix{{
				ID:          "listening-port-" + strconv.Itoa(p.Port),
				Title:       fmt.Sprintf("Connect to port %d", p.Port),
				Description: fmt.Sprintf("Nothing listens on %d, but %s does on %d.", port, p.Process, p.Port),
				Patch:       patch,
				Confidence:  0.7,
			}}
		}
	}
	return nil
}

func (b *bench) listens(port int) bool {
	for _, p := range b.facts.Ports {
		if p.Port == port {
			return true
		}
	}
	return false
}

// movedPort writes another port wherever the entry names the old one after a
// local host, or as a value of its own.
func (b *bench) movedPort(from, to int) config.Patch {
	if b.Document == nil || b.Server == nil || b.Server.Node == nil || b.Server.Node.Kind != config.Object {
		return nil
	}
	change := func(s string) string {
		old, fresh := strconv.Itoa(from), strconv.Itoa(to)
		if s == old {
			return fresh
		}
		for _, host := range []string{"localhost", "127.0.0.1", "[::1]", "0.0.0.0", "host.docker.internal"} {
			for _, end := range []string{"/", "?", " ", "\""} {
				s = strings.ReplaceAll(s, host+":"+old+end, host+":"+fresh+end)
			}
			if strings.HasSuffix(s, host+":"+old) {
				s = strings.TrimSuffix(s, old) + fresh
			}
			// A URL without a port means the service's usual one.
			if backends[from] != "" && strings.Contains(s, "://") {
				if at := strings.LastIndex(s, host+"/"); at > 0 && (s[at-1] == '@' || s[at-1] == '/') {
					s = s[:at+len(host)] + ":" + fresh + s[at+len(host):]
				}
			}
		}
		return s
	}
	return b.changed(func(s *config.Server) {
		for i := range s.Args {
			s.Args[i] = change(s.Args[i])
		}
		for i := range s.Env {
			s.Env[i].Value = change(s.Env[i].Value)
		}
		s.URL = change(s.URL)
	})
}

// startBackend tells how to start what does not listen.
func startBackend(b *bench) []Fix {
	port := b.refused()
	for _, p := range b.facts.Published {
		if p.Host == port || p.Container == port {
			fix := Fix{
				ID: "start-service", Title: fmt.Sprintf("Start the service %s", p.Service),
				Description:    fmt.Sprintf("%s defines it, and nothing listens on its port.", p.File),
				InstallCommand: "docker compose up -d " + quoted(p.Service), Confidence: 0.7,
			}
			if runs := b.facts.Docker; runs != nil && !*runs {
				fix.Title = fmt.Sprintf("Start Docker, then the service %s", p.Service)
				fix.Description = fmt.Sprintf("%s defines it, and the Docker daemon does not answer.", p.File)
			}
			return []Fix{fix}
		}
	}
	fix := Fix{ID: "start-backend", Title: "Start the program that should listen there", Confidence: 0.5,
		Description: "Nothing accepts connections at that address. Start it, or correct host and port in the entry."}
	if port != 0 {
		fix.Title = fmt.Sprintf("Start what should listen on port %d", port)
	}
	if name := backends[port]; name != "" {
		fix.Description = fmt.Sprintf("%d is the usual port of %s. Start it, or correct host and port in the entry.", port, name)
	}
	return []Fix{fix}
}

// freePort is for an address that is taken.
func freePort(b *bench) []Fix {
	port := b.Names["port"]
	description := "Another program, often an earlier copy of the same server, holds the port. End it, or give this server another port."
	if port != "" {
		for _, p := range b.facts.Ports {
			if strconv.Itoa(p.Port) == port && p.Process != "" {
				description = fmt.Sprintf("%s holds port %s. End it, or give this server another port.", p.Process, port)
			}
		}
	}
	look := "lsof -i :" + port
	if b.OS == "windows" {
		look = "netstat -ano"
	}
	if port == "" {
		look = ""
	}
	return []Fix{{ID: "free-port", Title: "Free the port, or take another", Description: description, InstallCommand: look, Confidence: 0.6}}
}

// startContainers is for Docker itself.
func startContainers(b *bench) []Fix {
	fix := Fix{ID: "start-docker", Title: "Start Docker", Confidence: 0.8,
		Description: "The Docker daemon does not answer. Start Docker Desktop and wait until it says that it is running."}
	if b.OS == "linux" {
		fix.Description = "The Docker daemon does not answer. Start it, then try again."
		fix.InstallCommand = "systemctl start docker"
	}
	return []Fix{fix}
}
