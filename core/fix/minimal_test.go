package fix

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"mcpmend/core/catalog"
	"mcpmend/core/config"
)

// TestFixesTouchNothingElse applies every fix of every category to every server
// of every client's sample, as it is, with the line ends of Windows and without
// the last one: lines outside the entry stay to the byte, and so do comments.
func TestFixesTouchNothingElse(t *testing.T) {
	files, err := filepath.Glob("../config/testdata/samples/*")
	if err != nil || len(files) < 30 {
		t.Fatalf("%d samples: %v", len(files), err)
	}
	applied := 0
	for _, file := range files {
		client := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text := string(data)
		for name, variant := range map[string]string{
			"": text, " on Windows": strings.ReplaceAll(text, "\n", "\r\n"), " without a last line end": strings.TrimRight(text, "\n"),
		} {
			t.Run(client+name, func(t *testing.T) {
				doc, err := config.Parse(variant, config.Options{Client: client, File: file})
				if err != nil {
					t.Fatal(err)
				}
				for i := range doc.Servers {
					for _, f := range allFixes(doc, &doc.Servers[i]) {
						applied++
						touchesOnly(t, doc, &doc.Servers[i], f)
					}
				}
			})
		}
	}
	t.Logf("%d fixes applied", applied)
	if applied < 1000 {
		t.Errorf("only %d fixes were applied", applied)
	}
}

// allFixes are those of every category, with facts about everything.
func allFixes(doc *config.Document, s *config.Server) []Fix {
	program := catalog.Program(s.Command)
	facts := Facts{
		OS: "linux", Commands: map[string]string{program: "/opt/bin/" + program, "bunx": "/opt/bin/bunx", "uvx": "/opt/bin/uvx", "mcpmend": "/opt/bin/mcpmend", "node": "/opt/bin/node"},
		Paths:    map[string]Path{"~": {Exists: true, Near: "/home/you"}, s.Command: {Exists: true, Mode: "0644"}},
		Runtimes: []Runtime{{Name: "node", Version: "22.1.0", Path: "/opt/node 22/bin/node"}, {Name: "python", Version: "3.13.0", Path: `/opt/py\thon/bin/python`}},
	}
	for _, arg := range s.Args {
		facts.Paths[arg] = Path{Near: `C:\Users\you\a "b" # c`}
	}
	for port := range backends {
		facts.Published = append(facts.Published, Published{Service: "db", Container: port, Host: port + 10_000, File: "compose.yaml"})
	}
	var list []Fix
	for _, row := range fixers {
		category := row.category
		for _, code := range []string{"", "MCP4301", "MCP4217", "MCP1012", "MCP2582", "MCP2583"} {
			names := map[string]string{"command": program, "port": "5432", "status": "404", "url": "http://localhost:1/mcp", "root": "servers", "key": "mcpServers"}
			for _, f := range Propose(Problem{Code: code, Category: category, Names: names, Document: doc, Server: s, Client: doc.Client}, facts) {
				if f.Applicable() && f.ID != "other-root" { // which is about the whole file
					list = append(list, f)
				}
			}
		}
	}
	return list
}

func touchesOnly(t *testing.T, doc *config.Document, s *config.Server, f Fix) {
	t.Helper()
	after, err := f.Apply(doc.Text, doc.Format)
	if err != nil {
		t.Errorf("%s %s: %v", s.Name, f.ID, err)
		return
	}
	fail := func(why string) {
		t.Helper()
		t.Errorf("%s %s: %s\n%s\n→\n%s", s.Name, f.ID, why, doc.Text, after)
	}
	again, err := config.Parse(after, config.Options{Client: doc.Client.ID, Format: doc.Format})
	if err != nil {
		fail(err.Error())
		return
	}
	for _, other := range doc.Servers {
		if other.Pointer != s.Pointer && !reflect.DeepEqual(again.Root.At(other.Pointer).Value(), other.Node.Value()) {
			fail("another server is not what it was")
		}
	}
	was, is := strings.SplitAfter(doc.Text, "\n"), strings.SplitAfter(after, "\n")
	first := 0
	for first < min(len(was), len(is)) && was[first] == is[first] {
		first++
	}
	last := 0
	for last < min(len(was), len(is))-first && was[len(was)-1-last] == is[len(is)-1-last] {
		last++
	}
	from, to := entryLines(doc, s)
	if first < from || len(was)-last-1 > to {
		fail("lines outside the entry have changed")
	}
	for _, comment := range comments(doc) {
		if !strings.Contains(after, comment) {
			fail("the comment is lost: " + comment)
		}
	}
	if crlf := strings.Contains(doc.Text, "\r\n"); crlf != strings.Contains(after, "\r\n") && strings.Contains(doc.Text, "\n") || crlf && strings.Count(after, "\n") != strings.Count(after, "\r\n") {
		fail("line ends are mixed")
	}
	if strings.HasSuffix(doc.Text, "\n") != strings.HasSuffix(after, "\n") {
		fail("the last line end is not as it was")
	}
}

// entryLines are the first and the last line of an entry, counted from 0. A
// line may come in right after it.
func entryLines(doc *config.Document, s *config.Server) (from, to int) {
	start, end := s.Key.Start, s.Node.End
	if s.Key.End == 0 {
		start = s.Node.Start
	}
	var grow func(n *config.Node)
	grow = func(n *config.Node) {
		start, end = min(start, n.Start), max(end, n.End)
		for _, m := range n.Members {
			start, end = min(start, m.Key.Start), max(end, m.Key.End)
			grow(m.Value)
		}
		for _, e := range n.Elements {
			grow(e)
		}
	}
	grow(s.Node)
	return strings.Count(doc.Text[:start], "\n"), strings.Count(doc.Text[:end], "\n") + 1
}

// comments are those that have a line of their own.
func comments(doc *config.Document) []string {
	var list []string
	for line := range strings.Lines(doc.Text) {
		line = strings.TrimSpace(line)
		mark := "//"
		if doc.Format == config.TOML || doc.Format == config.YAML {
			mark = "#"
		}
		if strings.HasPrefix(line, mark) && !slices.Contains(list, line) {
			list = append(list, line)
		}
	}
	return list
}
