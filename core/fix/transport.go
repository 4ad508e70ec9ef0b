package fix

import (
	"fmt"
	"slices"
	"strings"

	"mcpmend/core/catalog"
	"mcpmend/core/config"
)

// rightTransport speaks to a remote server the way it wants: what the probe or
// the log shows, else the other of the two, and the path that goes with it.
func rightTransport(b *bench) []Fix {
	if b.stdio() {
		return urlInstead(b)
	}
	if !b.remote() {
		return nil
	}
	want := config.Transport(b.Names["transport"])
	if want != config.HTTP && want != config.SSE {
		want = config.HTTP
		if b.Server.Transport == config.HTTP {
			want = config.SSE
		}
	}
	address := otherPath(b.Server.URL, want)
	patch := b.changed(func(s *config.Server) {
		s.Transport = want
		s.URL = address
	})
	if patch == nil {
		return nil
	}
	name := map[config.Transport]string{config.HTTP: "streamable HTTP", config.SSE: "the older SSE"}[want]
	return []Fix{{
		ID:          "transport-" + string(want),
		Title:       fmt.Sprintf("Speak %s to it", name),
		Description: "The server answered in a way that belongs to the other of the two HTTP transports.",
		Patch:       patch,
		Confidence:  0.75,
	}}
}

// usualPath is for an address where nothing is: servers are mostly at /mcp, or
// at /sse for the older transport. Where the server is known to speak, it is
// the transport and not the path that is wrong.
func usualPath(b *bench) []Fix {
	if !b.remote() || b.Names["status"] != "404" || b.Names["transport"] != "" {
		return nil
	}
	_, rest, ok := strings.Cut(b.Server.URL, "://")
	if !ok {
		return nil
	}
	// The query may hold a key and stays.
	from := len(b.Server.URL) - len(rest) + len(upTo(rest, "/?#"))
	path := upTo(b.Server.URL[from:], "?#")
	var fixes []Fix
	for _, usual := range []struct {
		path string
		to   config.Transport
	}{{"/mcp", config.HTTP}, {"/sse", config.SSE}} {
		if path == usual.path {
			continue
		}
		moved := b.Server.URL[:from] + usual.path + b.Server.URL[from+len(path):]
		patch := b.changed(func(s *config.Server) { s.URL, s.Transport = moved, usual.to })
		if patch == nil {
			continue
		}
		fixes = append(fixes, Fix{
			ID:          "path" + strings.ReplaceAll(usual.path, "/", "-"),
			Title:       fmt.Sprintf("Ask at %s", usual.path),
			Description: fmt.Sprintf("There is nothing at that path of the host; %s is where servers usually are.", usual.path),
			Patch:       patch,
			Confidence:  0.6,
		})
	}
	return fixes
}

// upTo is the text before the first of some characters.
func upTo(text, any string) string {
	if i := strings.IndexAny(text, any); i >= 0 {
		return text[:i]
	}
	return text
}

// urlInstead is for an entry that starts a server which then serves HTTP: the
// address is in its own output.
func urlInstead(b *bench) []Fix {
	address := b.Names["url"]
	if !b.local(address) {
		return nil
	}
	return []Fix{{
		ID:    "start-it-yourself",
		Title: "Start the server on its own and give the client its URL",
		Description: fmt.Sprintf("The program serves HTTP and does not speak on its standard streams. Keep it running, and replace command and arguments in %s by the URL %s.",
			b.client(), strings.ReplaceAll(address, "0.0.0.0", "localhost")),
		Confidence: 0.6,
	}}
}

// local keeps addresses that a server prints from leading elsewhere, and from
// saying anything but an address.
func (b *bench) local(address string) bool {
	scheme, rest, _ := strings.Cut(address, "://")
	host, _, _ := strings.Cut(upTo(rest, "/"), ":")
	odd := func(r rune) bool {
		return !('a' <= r|0x20 && r|0x20 <= 'z' || '0' <= r && r <= '9' || strings.ContainsRune(".:/_-", r))
	}
	return (scheme == "http" || scheme == "https") && slices.Contains([]string{"localhost", "127.0.0.1", "0.0.0.0"}, host) && !strings.ContainsFunc(address, odd)
}

// otherScheme is for an address that says http to a port that speaks TLS, or the
// other way round. Down to http only on this machine.
func otherScheme(b *bench) []Fix {
	from, to := "http://", "https://"
	if b.Code == "MCP2582" {
		from, to = to, from
	} else if b.Code != "MCP2583" {
		return nil
	}
	if !b.remote() || !strings.HasPrefix(b.Server.URL, from) || to == "http://" && !b.local(upTo(b.Server.URL, "?#")) {
		return nil
	}
	patch := b.changed(func(s *config.Server) { s.URL = to + strings.TrimPrefix(s.URL, from) })
	if patch == nil {
		return nil
	}
	return []Fix{{
		ID: "scheme-" + strings.TrimSuffix(to, "://"), Title: "Write " + to, Patch: patch, Confidence: 0.9,
		Description: "That is how the port at this address speaks.",
	}}
}

// otherPath is the usual path of a transport on the same host.
func otherPath(address string, t config.Transport) string {
	switch {
	case t == config.HTTP && strings.HasSuffix(address, "/sse"):
		return strings.TrimSuffix(address, "/sse") + "/mcp"
	case t == config.SSE && strings.HasSuffix(address, "/mcp"):
		return strings.TrimSuffix(address, "/mcp") + "/sse"
	}
	return address
}

// stdioFlag adds the arguments that make a package speak stdio: those that the
// catalogue knows, else, for a server that says that it serves HTTP, the ones
// that are usual. Only what is seen to connect is written.
func stdioFlag(b *bench) []Fix {
	if !b.stdio() {
		return nil
	}
	if b.entry != nil && len(b.entry.Stdio) > 0 {
		return b.withFlag(b.entry.Stdio, 0.8, fmt.Sprintf("%s speaks on its standard streams only when told so.", b.entry.Package))
	}
	if !b.local(b.Names["url"]) {
		return nil
	}
	const why = "The server listens for HTTP; many that do speak on their standard streams with this."
	return append(b.withFlag([]string{"--stdio"}, 0.5, why), b.withFlag([]string{"--transport", "stdio"}, 0.4, why)...)
}

// withFlag ends the arguments with a flag. A word for another transport gives
// way to the right one.
func (b *bench) withFlag(flag []string, sure float64, why string) []Fix {
	if contains(b.Server.Args, flag) {
		return nil
	}
	patch := b.changed(func(s *config.Server) {
		kept := s.Args[:0:0]
		for i := 0; i < len(s.Args); i++ {
			if len(flag) == 2 && s.Args[i] == flag[0] {
				i++
				continue
			}
			kept = append(kept, s.Args[i])
		}
		s.Args = append(kept, flag...)
	})
	if patch == nil {
		return nil
	}
	return []Fix{{ID: "flag" + strings.ReplaceAll(strings.Join(flag, "-"), "--", "-"), Title: "Start it with " + strings.Join(flag, " "), Description: why, Patch: patch, Confidence: sure}}
}

func contains(list, part []string) bool {
	for i := range list {
		if len(list)-i >= len(part) && slices.Equal(list[i:i+len(part)], part) {
			return true
		}
	}
	return false
}

// bridge is mcp-remote, for a client that cannot speak HTTP.
func bridge(b *bench) []Fix {
	if !b.remote() || b.Client == nil || b.Client.HTTP.Known() || b.Client.SSE.Known() || len(b.Server.Headers) > 0 {
		return nil
	}
	patch := b.changed(func(s *config.Server) {
		s.Transport = config.Stdio
		s.Command, s.Args = "npx", []string{"-y", "mcp-remote", s.URL}
		s.URL = ""
	})
	if patch == nil {
		return nil
	}
	return []Fix{{
		ID:          "bridge",
		Title:       "Reach it through mcp-remote",
		Description: fmt.Sprintf("%s starts programs only; mcp-remote is one that speaks HTTP for it.", b.client()),
		Patch:       patch,
		HelpURL:     "https://www.npmjs.com/package/mcp-remote",
		Confidence:  0.7,
	}}
}

func checkTransport(b *bench) []Fix {
	fix := Fix{ID: "check-transport", Title: "Compare address and transport with the server's page", Confidence: 0.4,
		Description: "Look up the exact URL, whether it is streamable HTTP or the older SSE, and what the client calls that."}
	if b.entry != nil && b.entry.Remote != "" {
		fix.HelpURL = b.entry.Remote
		fix.Description = "The publisher serves it at the address beside this."
	}
	return []Fix{fix}
}

// longerTimeout is a ladder: half a minute first, a whole one when that is in
// the entry and did not do. It is the client's own field, in its own unit.
func longerTimeout(b *bench) []Fix {
	if b.Document == nil || b.Server == nil || b.Server.Node == nil || b.Server.Node.Kind != config.Object {
		return nil
	}
	have, _ := b.Document.TimeoutOf(b.Server)
	for _, seconds := range []int{30, 60} {
		if have >= seconds {
			continue
		}
		patch := b.Document.Timeout(b.Server, seconds)
		if patch == nil {
			return nil
		}
		return []Fix{{
			ID:          "longer-timeout",
			Title:       fmt.Sprintf("Give it %d seconds", seconds),
			Description: "A first start that fetches packages takes longer than most clients wait.",
			Patch:       patch,
			Confidence:  0.6,
		}}
	}
	return nil
}

// installedBeforehand takes the download out of the start.
func installedBeforehand(b *bench) []Fix {
	command := ""
	switch catalog.Registry(b.launch.Runner) {
	case "npm":
		command = "npm install -g " + quoted(b.launch.Package)
	case "pypi":
		command = "uv tool install " + quoted(b.launch.Package)
	case "docker":
		command = "docker pull " + quoted(b.launch.Package)
	}
	if command == "" || b.launch.Package == "" {
		return []Fix{{ID: "look-at-start", Title: "See what the start waits for", Confidence: 0.4,
			Description: "Run the command of the entry in a terminal. If it takes long there too, it waits for a download, a sign-in or another program."}}
	}
	return []Fix{{
		ID:             "install-beforehand",
		Title:          "Install the package beforehand",
		Description:    "Then the start need not fetch it while the client waits.",
		InstallCommand: command,
		Confidence:     0.6,
	}}
}

// quietFlag keeps a known package's stdout clean.
func quietFlag(b *bench) []Fix {
	if !b.stdio() || b.entry == nil || len(b.entry.Quiet) == 0 || contains(b.Server.Args, b.entry.Quiet) {
		return nil
	}
	patch := b.changed(func(s *config.Server) { s.Args = append(s.Args, b.entry.Quiet...) })
	if patch == nil {
		return nil
	}
	return []Fix{{ID: "quiet-flag", Title: "Start it with " + strings.Join(b.entry.Quiet, " "), Description: "It keeps its messages off the stream that the protocol uses.", Patch: patch, Confidence: 0.8}}
}

// wrapped puts mcpmend between, which drops what is no message.
func wrapped(b *bench) []Fix {
	path := b.facts.Commands["mcpmend"]
	fix := Fix{ID: "wrap", Title: "Put mcpmend wrap in between", Confidence: 0.7,
		Description: "It drops lines that are no messages of the protocol and passes on the rest. The server's author should print them on stderr."}
	if path != "" && b.stdio() {
		fix.Patch = b.changed(func(s *config.Server) {
			s.Args = append([]string{"wrap", "--", s.Command}, s.Args...)
			s.Command = path
		})
	}
	return []Fix{fix}
}
