package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// sarifSchema is the official schema of SARIF 2.1.0. The module that has it
// keeps it in an unexported constant, and checks with it only what it has read
// and written itself; what counts here are our own bytes.
var sarifSchema = sync.OnceValues(func() (*jsonschema.Schema, error) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/owenrumney/go-sarif/v3").Output()
	if err != nil {
		return nil, err
	}
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(strings.TrimSpace(string(dir)), "pkg", "report", "v210", "sarif", "schema.go"), nil, 0)
	if err != nil {
		return nil, err
	}
	text := ""
	ast.Inspect(file, func(n ast.Node) bool {
		if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			text, err = strconv.Unquote(literal.Value)
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	schema, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft4)
	c.AssertFormat()
	if err := c.AddResource("sarif.json", schema); err != nil {
		return nil, err
	}
	return c.Compile("sarif.json")
})

// validSARIF checks a file against the schema and reads it as others do: it
// must have as many results as are told.
func validSARIF(ts *testscript.TestScript, _ bool, args []string) {
	schema, err := sarifSchema()
	ts.Check(err)
	text := ts.ReadFile(args[0])
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	ts.Check(err)
	ts.Check(schema.Validate(value))
	report, err := sarif.FromBytes([]byte(text))
	ts.Check(err)
	want, err := strconv.Atoi(args[1])
	ts.Check(err)
	if len(report.Runs) != 1 || len(report.Runs[0].Results) != want {
		ts.Fatalf("%d results, want %d", len(report.Runs[0].Results), want)
	}
}
