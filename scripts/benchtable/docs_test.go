package main

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// table reads the rows that the page has between the markers of a part.
func table(t *testing.T, name string, head []string) [][]string {
	t.Helper()
	is := is.New(t)
	page, err := os.ReadFile("../../" + accuracyPage)
	is.NoErr(err)
	start, end, ok := between(string(page), name)
	is.True(ok) // the page has the markers
	lines := strings.Split(strings.TrimSpace(string(page[start:end])), "\n")
	is.True(len(lines) > 2) // ./scripts/bench --write has been run
	var rows [][]string
	for _, line := range lines {
		cells := strings.Split(strings.TrimSuffix(strings.TrimPrefix(line, "| "), " |"), " | ")
		is.Equal(len(cells), len(head)) // as many cells as the head has
		rows = append(rows, cells)
	}
	rows = slices.Delete(rows, 1, 2)                  // the line below the head
	is.Equal(markdown(rows), string(page[start:end])) // as the program writes it
	is.Equal(rows[0], head)
	return rows[1:]
}

func TestAccuracyOfTheDocs(t *testing.T) {
	is := is.New(t)
	rows := table(t, "accuracy", accuracyHead)
	is.Equal(len(rows), len(measured))
	for i, f := range measured {
		is.Equal(rows[i][:2], []string{f.what, f.on})
		is.Equal(rows[i][3], f.pkg+" "+f.test)
		shape := regexp.QuoteMeta(f.form)
		shape = regexp.MustCompile(`\\\$\d`).ReplaceAllString(shape, `[\d.]+( of \d+)?`)
		is.True(rows[i][2] == outside || regexp.MustCompile("^"+shape+"$").MatchString(rows[i][2])) // the figure as its form has it
	}
}

func TestPeersOfTheDocs(t *testing.T) {
	is := is.New(t)
	text, err := os.ReadFile("../peers/package.json")
	is.NoErr(err)
	var pinned struct{ Dependencies map[string]string }
	is.NoErr(json.Unmarshal(text, &pinned))
	seen := map[string]bool{}
	for _, row := range table(t, "peers", peerHead) {
		if row[3] == "" {
			continue // a direct call
		}
		name, version, _ := strings.Cut(row[3], " ")
		is.Equal(version, pinned.Dependencies[name]) // the version that is installed
		seen[name] = true
		is.True(row[4] == "" || regexp.MustCompile(`^\d+\.\d{2,3}x$`).MatchString(row[4]))
	}
	for _, name := range []string{"jsonrepair", "json-schema-faker", "ajv", "supergateway", "mcp-proxy", "mcp-remote", "@modelcontextprotocol/inspector"} {
		is.True(seen[name]) // every program is in the table
	}
}

func TestBudgetsAreWhole(t *testing.T) {
	is := is.New(t)
	budgets, err := readBudgets("../../" + budgetFile)
	is.NoErr(err)
	for _, b := range budgets {
		is.True(b.What != "" && b.Package != "" && b.Benchmark != "" && b.Metric != "")
		if b.Metric == perOp {
			is.True(b.Of != "") // seconds are no budget
		}
		for _, name := range []string{b.Benchmark, b.Of} {
			if group, _, _ := strings.Cut(name, "/"); group != "" {
				is.True(declared(t, "../../"+b.Package, "func Benchmark"+group+"(")) // the benchmark is there
			}
		}
	}
}

func declared(t *testing.T, dir, signature string) bool {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(files, func(f os.DirEntry) bool {
		text, err := os.ReadFile(dir + "/" + f.Name())
		return err == nil && strings.HasSuffix(f.Name(), "_test.go") && strings.Contains(string(text), signature)
	})
}

func TestBudgetCost(t *testing.T) {
	costs := map[string]map[string]float64{"A/10": {"allocs/op": 30}, "A/1": {"allocs/op": 3}}
	for _, test := range []struct {
		name   string
		budget budget
		want   float64
		fails  bool
	}{
		{"alone", budget{Benchmark: "A/10", Metric: "allocs/op"}, 30, false},
		{"divided", budget{Benchmark: "A/10", Of: "A/1", Metric: "allocs/op"}, 10, false},
		{"no such benchmark", budget{Benchmark: "B", Metric: "allocs/op"}, 0, true},
		{"no such metric", budget{Benchmark: "A/1", Metric: "ns/op"}, 0, true},
		{"no such divisor", budget{Benchmark: "A/10", Of: "B", Metric: "allocs/op"}, 0, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			is := is.New(t)
			got, err := test.budget.cost(costs)
			is.Equal(err != nil, test.fails)
			is.Equal(got, test.want)
		})
	}
}
