package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// inWasm are the packages that the page runs, whose benchmarks run under Node
// too.
var inWasm = map[string]bool{"core": true, "core/config": true, "core/lint": true, "core/triage": true, "core/schema": true}

const (
	shortTime = "0.3s"
	perOp     = "ns/op"
)

// benchmarkRows runs every benchmark, natively and under Node where that can be.
func benchmarkRows(pattern string) ([][]string, error) {
	packages, err := withBenchmarks()
	if err != nil {
		return nil, err
	}
	rows := [][]string{{"benchmark", "time", "MB/s", "of its group's first", "wasm", "wasm/native"}}
	for _, pkg := range packages {
		native, err := benchmarks(pkg, pattern, shortTime, nil)
		if err != nil {
			return nil, err
		}
		wasm := map[string]measure{}
		if node, _ := exec.LookPath("node"); node != "" && inWasm[pkg] {
			// A benchmark that needs files or processes does not run there.
			list, err := benchmarks(pkg, pattern, shortTime, []string{"GOOS=js", "GOARCH=wasm"})
			if err == nil {
				for _, m := range list {
					wasm[m.name] = m
				}
			}
		}
		rows = append(rows, ratios(pkg, native, wasm)...)
	}
	return rows, nil
}

// ratios puts each benchmark beside the first of its group and beside its time
// in WebAssembly.
func ratios(pkg string, list []measure, wasm map[string]measure) (rows [][]string) {
	first := map[string]float64{}
	for _, m := range list {
		group, _, _ := strings.Cut(m.name, "/")
		if first[group] == 0 {
			first[group] = m.metrics[perOp]
		}
		speed, there, ratio := "", "", ""
		if mbs := m.metrics["MB/s"]; mbs > 0 {
			speed = fmt.Sprintf("%.0f", mbs)
		}
		if w, ok := wasm[m.name]; ok {
			there, ratio = duration(w.metrics[perOp]), times(w.metrics[perOp], m.metrics[perOp])
		}
		rows = append(rows, []string{pkg + " " + m.name, duration(m.metrics[perOp]), speed, times(m.metrics[perOp], first[group]), there, ratio})
	}
	return rows
}

// withBenchmarks lists the directories that have any.
func withBenchmarks() ([]string, error) {
	found := map[string]bool{}
	var list []string
	err := filepath.WalkDir(".", func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "node_modules" || d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && path != ".") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if dir := filepath.ToSlash(filepath.Dir(path)); err == nil && bytes.Contains(text, []byte("\nfunc Benchmark")) && !found[dir] {
			found[dir] = true
			list = append(list, dir)
		}
		return err
	})
	return list, err
}

// measure is what a benchmark printed: ns/op, MB/s, B/op, allocs/op and what it
// reports itself.
type measure struct {
	name    string
	metrics map[string]float64
}

var line = regexp.MustCompile(`^Benchmark(\S+?)(?:-\d+)?\s+\d+\s+(.*)`)

// benchmarks runs those of a package that match, each for a time or, as in
// "20x", a number of times.
func benchmarks(pkg, pattern, long string, env []string) ([]measure, error) {
	args := []string{"test", "./" + pkg, "-run", "^$", "-bench", pattern, "-benchmem", "-benchtime", long, "-timeout", "10m"}
	if env != nil {
		root, err := exec.Command("go", "env", "GOROOT").Output()
		if err != nil {
			return nil, err
		}
		args = append(args, "-exec", filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "go_js_wasm_exec"))
	}
	cmd := exec.Command("go", args...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Stderr = os.Stderr
	if env != nil {
		cmd.Stderr = nil
	}
	output, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", pkg, err, output)
	}
	var list []measure
	for text := range strings.Lines(string(output)) {
		m := line.FindStringSubmatch(strings.TrimSpace(text))
		if m == nil {
			continue
		}
		metrics := map[string]float64{}
		fields := strings.Fields(m[2])
		for i := 0; i+1 < len(fields); i += 2 {
			value, err := strconv.ParseFloat(fields[i], 64)
			if err != nil {
				return nil, fmt.Errorf("%s %s: %w", pkg, m[1], err)
			}
			metrics[fields[i+1]] = value
		}
		list = append(list, measure{m[1], metrics})
	}
	return list, nil
}

// times is a ratio.
func times(a, b float64) string {
	if a < b/10 {
		return fmt.Sprintf("%.3fx", a/b)
	}
	return fmt.Sprintf("%.2fx", a/b)
}

func duration(ns float64) string {
	switch {
	case ns >= 1e9:
		return fmt.Sprintf("%.2f s", ns/1e9)
	case ns >= 1e6:
		return fmt.Sprintf("%.1f ms", ns/1e6)
	case ns >= 1e3:
		return fmt.Sprintf("%.1f µs", ns/1e3)
	}
	return fmt.Sprintf("%.0f ns", ns)
}
