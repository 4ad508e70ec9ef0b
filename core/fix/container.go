package fix

import (
	"slices"
	"strings"

	"mcpmend/core/config"
)

// outside is the name by which a container calls the machine that it runs on.
const outside = "host.docker.internal"

// outOfContainer is for a request to localhost that comes out of a container,
// where localhost is the container itself.
func outOfContainer(b *bench) []Fix {
	if b.Category == "unknown" && b.Code != "MCP6206" { // a request that failed for a reason that is not shown
		return nil
	}
	fix := Fix{
		ID: "out-of-container", Title: "Call this machine by " + outside,
		Description: "Inside a container localhost is the container itself. " + outside + " is the machine around it.",
		Confidence:  0.7,
	}
	inContainer := b.stdio() && slices.Contains([]string{"docker", "podman", "nerdctl"}, b.launch.Runner)
	switch {
	case inContainer && b.Names["host"] == outside:
		fix.ID, fix.Title = "host-gateway", "Let the container know "+outside
		fix.Description = "On Linux a container does not know that name unless it is told."
		fix.Patch = b.changed(withGateway)
	case inContainer:
		fix.Patch = b.changed(func(s *config.Server) { b.callOutside(s) })
		if b.OS == "" {
			fix.Description += " On Linux, docker run needs " + hostGateway + " for it."
		}
	case b.remote() && b.Client != nil && b.Client.Launch == config.FromService:
		fix.Patch = b.changed(func(s *config.Server) { s.URL = outward(s.URL) })
		fix.Confidence = 0.6 // the client may as well run on the machine itself
	}
	if len(fix.Patch) == 0 {
		return nil
	}
	return []Fix{fix}
}

// hostGateway makes Docker on Linux know the name, which other systems have by
// themselves.
const hostGateway = "--add-host=" + outside + ":host-gateway"

// callOutside changes what the server in the container is told: its variables
// and its own arguments. What Docker itself listens on stays.
func (b *bench) callOutside(s *config.Server) {
	before := strings.Join(s.Args, "\x00")
	for i, arg := range s.Args {
		if name, value, ok := strings.Cut(arg, "="); ok && i > 0 && (s.Args[i-1] == "-e" || s.Args[i-1] == "--env") {
			s.Args[i] = name + "=" + outward(value)
		} else if i > b.launch.Index || strings.HasPrefix(arg, "--env=") {
			s.Args[i] = outward(arg)
		}
	}
	changed := before != strings.Join(s.Args, "\x00")
	for i := range s.Env {
		value := outward(s.Env[i].Value)
		changed = changed || value != s.Env[i].Value
		s.Env[i].Value = value
	}
	if changed && b.OS == "linux" {
		withGateway(s)
	}
}

func withGateway(s *config.Server) {
	if run := slices.Index(s.Args, "run"); run >= 0 && !slices.Contains(s.Args, hostGateway) {
		s.Args = append(s.Args[:run+1:run+1], append([]string{hostGateway}, s.Args[run+1:]...)...)
	}
}

// outward writes the name for the machine outside where a value names its own
// machine as a host: alone, with a port, or in a URL.
func outward(value string) string {
	for _, own := range []string{"localhost", "127.0.0.1"} {
		for from := 0; ; {
			at := strings.Index(value[from:], own)
			if at < 0 {
				break
			}
			at += from
			from = at + len(own)
			starts := at == 0 || strings.ContainsRune("/@=,", rune(value[at-1]))
			ends := from == len(value) || strings.ContainsRune(":/?,", rune(value[from]))
			if starts && ends {
				value = value[:at] + outside + value[from:]
				from = at + len(outside)
			}
		}
	}
	return value
}
