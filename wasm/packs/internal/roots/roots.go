// Package roots is for servers that take directories on their command line:
// what they may see.
package roots

import (
	"fmt"
	"strings"

	"mcpmend/wasm/packs/internal/pack"
)

const filesystem = "@modelcontextprotocol/server-filesystem"

// Propose looks at the directories of a file system server, and at paths that
// are written for the other side of WSL.
func Propose(r pack.Request) pack.Answer {
	var a pack.Answer
	a.Fixes = append(a.Fixes, otherSide(r)...)
	switch {
	case r.Server.Runs(filesystem, "mcp-server-filesystem"):
		for _, mend := range []func(pack.Request, []int) []pack.Fix{apart, withoutMissing, directoryOfFile, noRoot, outside} {
			a.Fixes = append(a.Fixes, mend(r, roots(r.Server))...)
		}
	case r.Server.Runs("mcp/filesystem"):
		a.Fixes = append(a.Fixes, mounted(r)...)
	}
	return a
}

// roots are the places of the directories in the arguments: what follows the
// package and is no flag.
func roots(s pack.Server) []int {
	var places []int
	after := s.Program() == "mcp-server-filesystem"
	for i, arg := range s.Args {
		switch {
		case !after:
			after = pack.Server{Command: arg}.Runs(filesystem, "mcp-server-filesystem")
		case !strings.HasPrefix(arg, "-"):
			places = append(places, i)
		}
	}
	return places
}

func absolute(path string) bool {
	return strings.HasPrefix(path, "/") || strings.HasPrefix(path, "~") || len(path) > 2 && path[1] == ':' && (path[2] == '\\' || path[2] == '/')
}

// apart is for several directories in one argument.
func apart(r pack.Request, places []int) []pack.Fix {
	for _, i := range places {
		parts := strings.FieldsFunc(r.Server.Args[i], func(c rune) bool { return c == ',' || c == ';' })
		if len(parts) < 2 || r.Facts.Paths[r.Server.Args[i]].Exists {
			continue
		}
		var ops []pack.Op
		for n, part := range parts {
			part = strings.TrimSpace(part)
			if !absolute(part) {
				return nil
			}
			if n == 0 {
				ops = append(ops, r.Server.SetArg(i, part))
			} else {
				ops = append(ops, r.Server.InsertArg(i+n, part))
			}
		}
		return []pack.Fix{{
			ID: "one-directory-an-argument", Title: "Give each directory an argument of its own",
			Description: "The server takes the whole argument as one path.", Patch: ops, Confidence: 0.9,
		}}
	}
	return nil
}

// withoutMissing takes out a directory that is not there, where another is.
func withoutMissing(r pack.Request, places []int) []pack.Fix {
	there, gone := 0, -1
	for _, i := range places {
		p, known := r.Facts.Paths[r.Server.Args[i]]
		switch {
		case known && p.Exists && p.Dir:
			there++
		case known && !p.Exists && p.Near == "":
			gone = i
		}
	}
	if there == 0 || gone < 0 {
		return nil
	}
	return []pack.Fix{{
		ID: "without-missing-directory", Title: "Take the directory that does not exist out of the list",
		Description: fmt.Sprintf("The server stops when one of its directories is missing. Of %d, argument %d does not exist here.", len(places), gone+1),
		Patch:       []pack.Op{r.Server.RemoveArg(gone)}, Confidence: 0.7,
	}}
}

// directoryOfFile is for a file where a directory belongs.
func directoryOfFile(r pack.Request, places []int) []pack.Fix {
	for _, i := range places {
		path := r.Server.Args[i]
		cut := strings.LastIndexAny(path, `/\`)
		if p, known := r.Facts.Paths[path]; !known || !p.Exists || p.Dir || cut < 1 {
			continue
		}
		return []pack.Fix{{
			ID: "directory-of-the-file", Title: "Name the directory instead of the file",
			Description: "The server takes directories. It will see everything beside that file as well.",
			Patch:       []pack.Op{r.Server.SetArg(i, path[:cut])}, Confidence: 0.6,
		}}
	}
	return nil
}

// noRoot is for a server that was given no directory.
func noRoot(r pack.Request, places []int) []pack.Fix {
	if len(places) > 0 || !r.Diagnosis.Says("allowed-directory") && !r.Diagnosis.Says("allowed directories") && r.Diagnosis.Category != "missing_env_var" {
		return nil
	}
	return []pack.Fix{{
		ID: "add-directory", Title: "Say which directories the server may see",
		Description:        "Add each as an argument after the package, written in full. The server can read and change everything in them.",
		RequiresUserAction: true, HelpURL: "https://github.com/modelcontextprotocol/servers/tree/main/src/filesystem", Confidence: 0.8,
	}}
}

// outside is for a path that the server was not meant to see. To let it is the
// user's choice alone.
func outside(r pack.Request, places []int) []pack.Fix {
	if !r.Diagnosis.Says("outside allowed directories") || len(places) == 0 {
		return nil
	}
	return []pack.Fix{{
		ID: "allow-directory", Title: "Add the directory only if the server is meant to see it",
		Description:        "The server did its duty: the path lies in none of the directories of its command line. A link that leads out of them is refused too.",
		RequiresUserAction: true, Confidence: 0.7,
	}}
}

// mounted is for the server in a container, which sees the targets of mounts.
func mounted(r pack.Request) []pack.Fix {
	targets := map[string]string{}
	after := false
	var ops []pack.Op
	for i, arg := range r.Server.Args {
		source, target := mount(arg)
		switch {
		case !after && source != "":
			targets[source] = target
		case !after:
			after = pack.Server{Command: arg}.Runs("mcp/filesystem")
		case targets[arg] != "":
			ops = append(ops, r.Server.SetArg(i, targets[arg]))
		}
	}
	if ops == nil {
		return nil
	}
	return []pack.Fix{{
		ID: "path-in-the-container", Title: "Name the directory as the container sees it",
		Description: "The server runs in a container. A directory of this machine is there under the name at which it is mounted.", Patch: ops, Confidence: 0.9,
	}}
}

// mount reads what follows --mount or -v.
func mount(arg string) (source, target string) {
	if strings.Contains(arg, "type=bind") {
		for _, part := range strings.Split(arg, ",") {
			key, value, _ := strings.Cut(part, "=")
			switch key {
			case "src", "source":
				source = value
			case "dst", "target", "destination":
				target = value
			}
		}
		return source, target
	}
	if parts := strings.Split(arg, ":"); len(parts) > 1 && strings.HasPrefix(parts[0], "/") && strings.HasPrefix(parts[1], "/") {
		return parts[0], parts[1]
	}
	return "", ""
}

// otherSide turns /mnt/c/Users into C:\Users on Windows, and back in WSL.
func otherSide(r pack.Request) []pack.Fix {
	if r.Diagnosis.Category != "path_not_found" && r.Diagnosis.Category != "command_not_found" {
		return nil
	}
	var ops []pack.Op
	for i, arg := range r.Server.Args {
		if now := translated(r.Facts, arg); now != arg {
			ops = append(ops, r.Server.SetArg(i, now))
		}
	}
	if ops == nil {
		return nil
	}
	side := "Windows"
	if r.Facts.WSL {
		side = "WSL"
	}
	return []pack.Fix{{
		ID: "path-of-this-side", Title: fmt.Sprintf("Write the path as %s knows it", side),
		Description: "Windows and the Linux inside it have other names for the same directories: C:\\Users is /mnt/c/Users.", Patch: ops, Confidence: 0.85,
	}}
}

func translated(f pack.Facts, path string) string {
	switch {
	case f.OS == "windows" && strings.HasPrefix(path, "/mnt/") && len(path) > 6 && path[6] == '/':
		return strings.ToUpper(path[5:6]) + ":" + strings.ReplaceAll(path[6:], "/", `\`)
	case f.WSL && len(path) > 2 && path[1] == ':' && (path[2] == '\\' || path[2] == '/'):
		return "/mnt/" + strings.ToLower(path[:1]) + strings.ReplaceAll(path[2:], `\`, "/")
	}
	return path
}
