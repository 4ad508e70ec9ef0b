package scripts

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// source is a Go file of the module.
type source struct {
	path string // from the module's root, with slashes
	file *ast.File
}

// sources parses every Go file of the module, those of other systems too.
func sources(t *testing.T) []source {
	t.Helper()
	var all []source
	for _, top := range []string{"cmd", "core", "native", "scripts", "wasm", "web"} {
		err := filepath.WalkDir(filepath.Join("..", top), func(name string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() && (d.Name() == "node_modules" || d.Name() == "testdata" || d.Name() == "dist") {
				return fs.SkipDir
			}
			if filepath.Ext(name) != ".go" {
				return nil
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			rel, _ := filepath.Rel("..", name)
			all = append(all, source{filepath.ToSlash(rel), file})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// TestWhatIsExportedIsUsed: a function, variable or constant that no other
// package names is nobody's business. Those of one declaration count as one.
// Types, and constants of a type, are used through what has them.
func TestWhatIsExportedIsUsed(t *testing.T) {
	all := sources(t)
	used := map[string]bool{} // "core/config.Parse", or a whole package
	for _, s := range all {
		imported := map[string]string{}
		for _, i := range s.file.Imports {
			at, _ := strconv.Unquote(i.Path.Value)
			if dir, ours := strings.CutPrefix(at, "mcpmend/"); ours {
				name := path.Base(dir)
				if i.Name != nil {
					name = i.Name.Name
				}
				imported[name] = dir
				used[dir] = used[dir] || name == "."
			}
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := sel.X.(*ast.Ident); ok && imported[x.Name] != "" {
					used[imported[x.Name]+"."+sel.Sel.Name] = true
				}
			}
			return true
		})
	}
	for _, s := range all {
		if strings.HasSuffix(s.path, "_test.go") || s.file.Name.Name == "main" || used[path.Dir(s.path)] {
			continue
		}
		for _, names := range exported(s.file) {
			outside := false
			for _, name := range names {
				outside = outside || used[path.Dir(s.path)+"."+name]
			}
			if !outside {
				t.Errorf("%s: nothing outside uses %s", s.path, strings.Join(names, ", "))
			}
		}
	}
}

// exported gives the exported functions, variables and constants of a file,
// those of one declaration together.
func exported(file *ast.File) (groups [][]string) {
	for _, decl := range file.Decls {
		var names []string
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil && d.Name.IsExported() {
				names = append(names, d.Name.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if v, ok := spec.(*ast.ValueSpec); ok && !(d.Tok == token.CONST && ofType(d)) {
					for _, n := range v.Names {
						if n.IsExported() {
							names = append(names, n.Name)
						}
					}
				}
			}
		}
		if len(names) > 0 {
			groups = append(groups, names)
		}
	}
	return groups
}

// ofType says whether constants belong to a type: then the first names it.
func ofType(d *ast.GenDecl) bool {
	first, ok := d.Specs[0].(*ast.ValueSpec)
	return ok && first.Type != nil
}

// TestFilesAreOfReadableLength: a file that grows past this has two subjects.
func TestFilesAreOfReadableLength(t *testing.T) {
	const most = 600
	for _, s := range sources(t) {
		text, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(s.path)))
		if err != nil {
			t.Fatal(err)
		}
		if lines := strings.Count(string(text), "\n"); lines > most {
			t.Errorf("%s has %d lines", s.path, lines)
		}
	}
}

// TestArchitectureIsTrue looks up every file, package and name of ours that the
// walk through the code mentions, and every package that it leaves out.
func TestArchitectureIsTrue(t *testing.T) {
	is := is.New(t)
	text, err := os.ReadFile("../docs/ARCHITECTURE.md")
	is.NoErr(err)
	declared := map[string]bool{}
	packages := map[string]bool{}
	for _, s := range sources(t) {
		packages[path.Dir(s.path)] = true
		ast.Inspect(s.file, func(n ast.Node) bool {
			switch d := n.(type) {
			case *ast.FuncDecl:
				declared[d.Name.Name] = true
			case *ast.TypeSpec:
				declared[d.Name.Name] = true
			}
			return true
		})
	}
	seen := map[string]bool{}
	for _, m := range regexp.MustCompile("`([^`\n]+)`").FindAllStringSubmatch(string(text), -1) {
		word := m[1]
		top, _, _ := strings.Cut(word, "/")
		switch {
		case strings.ContainsAny(word, " |"): // a command
		case strings.Contains(word, "/") && isOurs(top):
			at := strings.TrimSuffix(word, "/")
			if dir, name, ok := strings.Cut(at, "."); ok && ast.IsExported(name) { // core/heal.Loop
				at = dir
				if !declared[name] {
					t.Errorf("%s is not declared", word)
				}
			}
			found, err := filepath.Glob(filepath.Join("..", filepath.FromSlash(at)))
			is.NoErr(err)
			if len(found) == 0 {
				t.Errorf("%s is not there", word)
			}
			seen[at] = true
			seen[path.Dir(at)] = true
		case regexp.MustCompile(`^([a-z]+\.)?[A-Z]\w*$`).MatchString(word):
			if name := word[strings.LastIndexByte(word, '.')+1:]; !declared[name] {
				t.Errorf("%s is not declared", word)
			}
		}
	}
	for dir := range packages {
		if (strings.HasPrefix(dir, "core/") || strings.HasPrefix(dir, "native/")) && strings.Count(dir, "/") == 1 && !seen[dir] {
			t.Errorf("%s is not in docs/ARCHITECTURE.md", dir)
		}
	}
}

func isOurs(top string) bool {
	switch top {
	case "cmd", "core", "native", "wasm", "web", "scripts":
		return true
	}
	return false
}
