// Package databases mends addresses of databases: hosts that are right on one
// side of a container and wrong on the other, and schemes and options that the
// driver does not take.
package databases

import (
	"fmt"
	"strconv"
	"strings"

	"mcpmend/wasm/packs/internal/pack"
)

// scheme is a kind of database address.
type scheme struct {
	names []string // before ://
	port  int
}

var schemes = []scheme{
	{[]string{"postgres", "postgresql"}, 5432},
	{[]string{"mysql", "mariadb"}, 3306},
	{[]string{"redis", "rediss"}, 6379},
	{[]string{"mongodb", "mongodb+srv"}, 27017},
	{[]string{"neo4j", "bolt"}, 7687},
	{[]string{"clickhouse"}, 8123},
	{[]string{"amqp", "amqps"}, 5672},
}

// Propose looks at every address of a database in the entry.
func Propose(r pack.Request) pack.Answer {
	var a pack.Answer
	for _, mend := range []func(pack.Request) []pack.Fix{fromInside, fromOutside, newerLoopback, encrypted, plainScheme, withoutPort} {
		a.Fixes = append(a.Fixes, mend(r)...)
	}
	return a
}

// address is a database's URL, taken apart so that joining gives it back.
type address struct {
	scheme, user, host, port, rest string // user ends with @, port begins with :
}

// parse reads an address of a database. The user part may hold placeholders of
// secrets, which have colons and braces of their own.
func parse(text string) (a address, ok bool) {
	name, rest, found := strings.Cut(text, "://")
	if !found || portOf(name) == 0 {
		return a, false
	}
	end := len(rest)
	if i := strings.LastIndexByte(rest, '@'); i >= 0 {
		a.user, rest = rest[:i+1], rest[i+1:]
		end = len(rest)
	}
	if i := strings.IndexAny(rest, "/?"); i >= 0 {
		end = i
	}
	a.scheme, a.host, a.rest = name, rest[:end], rest[end:]
	if i := strings.LastIndexByte(a.host, ':'); i > strings.LastIndexByte(a.host, ']') {
		a.host, a.port = a.host[:i], a.host[i:]
	}
	return a, a.host != "" && !strings.ContainsAny(a.host, ", ")
}

func (a address) String() string { return a.scheme + "://" + a.user + a.host + a.port + a.rest }

// number is the port, also where it is left out.
func (a address) number() int {
	if n, err := strconv.Atoi(strings.TrimPrefix(a.port, ":")); err == nil {
		return n
	}
	return portOf(a.scheme)
}

func portOf(name string) int {
	driverless, _, _ := strings.Cut(name, "+")
	for _, s := range schemes {
		for _, n := range s.names {
			if n == name || n == driverless {
				return s.port
			}
		}
	}
	return 0
}

// rewrite changes every address in the entry.
func rewrite(r pack.Request, change func(address) address) []pack.Op {
	return r.Server.Rewrite(func(value string) string {
		// docker takes variables as -e NAME=value
		name, text := "", value
		if i := strings.Index(value, "="); i > 0 && !strings.Contains(value[:i], "://") {
			name, text = value[:i+1], value[i+1:]
		}
		a, ok := parse(text)
		if !ok {
			return value
		}
		return name + change(a).String()
	})
}

func local(host string) bool {
	return host == "localhost" || host == "127.0.0.1" || host == "[::1]" || host == "0.0.0.0"
}

func unreachable(r pack.Request) bool {
	return r.Diagnosis.Category == "connection_refused" || r.Diagnosis.Category == "network_unreachable"
}

func container(r pack.Request) bool {
	p := r.Server.Program()
	return p == "docker" || p == "podman" || p == "nerdctl"
}

// fromInside is for a server in a container: its localhost is the container.
func fromInside(r pack.Request) []pack.Fix {
	if !unreachable(r) || !container(r) || strings.Contains(strings.Join(r.Server.Args, " "), "--network") {
		return nil
	}
	ops := rewrite(r, func(a address) address {
		if local(a.host) {
			a.host = "host.docker.internal"
		}
		return a
	})
	if ops == nil {
		return nil
	}
	why := "The server runs in a container, where localhost is the container itself; host.docker.internal is this machine."
	if r.Facts.OS != "macos" && r.Facts.OS != "windows" {
		for i, arg := range r.Server.Args {
			if arg == "run" {
				ops = append(ops, r.Server.InsertArg(i+1, "--add-host=host.docker.internal:host-gateway"))
				why += " On Linux Docker knows that name only when it is told so."
				break
			}
		}
	}
	return []pack.Fix{{ID: "host-of-container", Title: "Reach the database on this machine from the container", Description: why, Patch: ops, Confidence: 0.8}}
}

// fromOutside is for a server outside of containers with an address that only
// containers know: the name of a service.
func fromOutside(r pack.Request) []pack.Fix {
	if !unreachable(r) || container(r) {
		return nil
	}
	var used pack.Published
	ops := rewrite(r, func(a address) address {
		for _, p := range r.Facts.Published {
			if p.Service == a.host && p.Container == a.number() && p.Host != 0 {
				used = p
				a.host, a.port = "localhost", ":"+strconv.Itoa(p.Host)
				break
			}
		}
		return a
	})
	if ops == nil {
		return nil
	}
	sure := 0.9
	if len(r.Facts.Ports) > 0 && !r.Facts.Listens(used.Host) {
		sure = 0.6
	}
	return []pack.Fix{{
		ID: "published-service", Title: fmt.Sprintf("Reach the service %s through localhost:%d", used.Service, used.Host),
		Description: fmt.Sprintf("%s is a name that only the containers of %s know. Outside of them its port %d is published as %d.", used.Service, used.File, used.Container, used.Host),
		Patch:       ops, Confidence: sure,
	}}
}

// newerLoopback is for a database that listens on 127.0.0.1 alone, while
// localhost is tried as ::1 first.
func newerLoopback(r pack.Request) []pack.Fix {
	if r.Diagnosis.Category != "connection_refused" || !r.Diagnosis.Says("::1:") || r.Diagnosis.Says("127.0.0.1:") || container(r) {
		return nil
	}
	ops := rewrite(r, func(a address) address {
		if a.host == "localhost" || a.host == "[::1]" {
			a.host = "127.0.0.1"
		}
		return a
	})
	if ops == nil {
		return nil
	}
	return []pack.Fix{{
		ID: "loopback-of-four", Title: "Write 127.0.0.1 for localhost",
		Description: "localhost was tried as ::1 and refused there. Many databases listen on 127.0.0.1 only.", Patch: ops, Confidence: 0.7,
	}}
}

// encrypted is for databases that take no connection in the clear.
func encrypted(r pack.Request) []pack.Fix {
	refused := r.Diagnosis.Says("no encryption") || r.Diagnosis.Says("SSL off") || r.Diagnosis.Says("connection is insecure") ||
		r.Diagnosis.Says("SSL/TLS required") || r.Diagnosis.Says("sslmode=require")
	if !refused {
		return nil
	}
	ops := rewrite(r, func(a address) address {
		if portOf(a.scheme) != 5432 || strings.Contains(a.rest, "sslmode=") {
			return a
		}
		switch {
		case strings.Contains(a.rest, "?"):
			a.rest += "&sslmode=require"
		default:
			a.rest += "?sslmode=require"
		}
		return a
	})
	if ops == nil {
		return nil
	}
	return []pack.Fix{{
		ID: "sslmode-require", Title: "Connect with encryption",
		Description: "The database refuses connections in the clear. sslmode=require encrypts; verify-full with the provider's certificate also proves whom you talk to.",
		Patch:       ops, HelpURL: "https://www.postgresql.org/docs/current/libpq-ssl.html", Confidence: 0.8,
	}}
}

// plainScheme is for addresses as SQLAlchemy writes them, with a driver in the
// scheme, and for the short name that SQLAlchemy gave up.
func plainScheme(r pack.Request) []pack.Fix {
	switch {
	case r.Diagnosis.Says("sqlalchemy.dialects:postgres"):
		ops := rewrite(r, func(a address) address {
			if a.scheme == "postgres" {
				a.scheme = "postgresql"
			}
			return a
		})
		if ops == nil {
			return nil
		}
		return []pack.Fix{{
			ID: "full-scheme", Title: "Write postgresql:// for postgres://",
			Description: "SQLAlchemy knows the database by its full name only.", Patch: ops, Confidence: 0.9,
		}}
	case r.Diagnosis.Says("invalid dsn"), r.Diagnosis.Says("invalid connection option"), r.Diagnosis.Says("invalid uri"), r.Diagnosis.Says("invalid url"):
		ops := rewrite(r, func(a address) address {
			if name, driver, ok := strings.Cut(a.scheme, "+"); ok && driver != "srv" {
				a.scheme = name
			}
			return a
		})
		if ops == nil {
			return nil
		}
		return []pack.Fix{{
			ID: "scheme-without-driver", Title: "Leave the driver out of the address",
			Description: "Only SQLAlchemy reads a driver in the scheme, as in postgresql+asyncpg; the database's own libraries refuse it.", Patch: ops, Confidence: 0.8,
		}}
	}
	return nil
}

// withoutPort is for addresses that stand for a DNS record, which brings the
// ports.
func withoutPort(r pack.Request) []pack.Fix {
	if !r.Diagnosis.Says("mongodb+srv") || !r.Diagnosis.Says("port") {
		return nil
	}
	ops := rewrite(r, func(a address) address {
		if a.scheme == "mongodb+srv" {
			a.port = ""
		}
		return a
	})
	if ops == nil {
		return nil
	}
	return []pack.Fix{{
		ID: "srv-without-port", Title: "Leave the port out of the address",
		Description: "A mongodb+srv address names a DNS record that holds hosts and ports.", Patch: ops,
		HelpURL: "https://www.mongodb.com/docs/manual/reference/connection-string/", Confidence: 0.9,
	}}
}
