// Command benchtable runs the benchmarks of all packages and prints them as one
// table with ratios: each size against the first of its group, and the core's
// benchmarks in WebAssembly against native ones.
package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"text/tabwriter"
)

func main() {
	pattern := "."
	if len(os.Args) > 1 {
		pattern = os.Args[1]
	}
	if err := run(pattern); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// inWasm are the packages that the page runs, whose benchmarks run under Node
// too.
var inWasm = map[string]bool{"core": true, "core/config": true, "core/lint": true, "core/triage": true, "core/schema": true}

func run(pattern string) error {
	packages, err := withBenchmarks()
	if err != nil {
		return err
	}
	out := tabwriter.NewWriter(os.Stdout, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "benchmark\ttime\tMB/s\tof its group's first\twasm\twasm/native\t")
	for _, pkg := range packages {
		native, err := benchmarks(pkg, pattern, nil)
		if err != nil {
			return err
		}
		wasm := map[string]measure{}
		if node, _ := exec.LookPath("node"); node != "" && inWasm[pkg] {
			// A benchmark that needs files or processes does not run there.
			list, err := benchmarks(pkg, pattern, []string{"GOOS=js", "GOARCH=wasm"})
			if err == nil {
				for _, m := range list {
					wasm[m.name] = m
				}
			}
		}
		print(out, pkg, native, wasm)
		if err := out.Flush(); err != nil {
			return err
		}
	}
	return accuracy()
}

func print(out *tabwriter.Writer, pkg string, list []measure, wasm map[string]measure) {
	first := map[string]float64{}
	for _, m := range list {
		group, _, _ := strings.Cut(m.name, "/")
		if first[group] == 0 {
			first[group] = m.ns
		}
		speed, there, ratio := "", "", ""
		if m.mbs > 0 {
			speed = fmt.Sprintf("%.0f", m.mbs)
		}
		if w, ok := wasm[m.name]; ok {
			there, ratio = duration(w.ns), fmt.Sprintf("%.1fx", w.ns/m.ns)
		}
		fmt.Fprintf(out, "%s %s\t%s\t%s\t%.2fx\t%s\t%s\t\n", pkg, m.name, duration(m.ns), speed, m.ns/first[group], there, ratio)
	}
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

type measure struct {
	name    string
	ns, mbs float64
}

var line = regexp.MustCompile(`^Benchmark(\S+?)(?:-\d+)?\s+\d+\s+([\d.]+) ns/op(?:\s+([\d.]+) MB/s)?`)

func benchmarks(pkg, pattern string, env []string) ([]measure, error) {
	args := []string{"test", "./" + pkg, "-run", "^$", "-bench", pattern, "-benchtime", "0.3s", "-timeout", "10m"}
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
	for lines := bufio.NewScanner(bytes.NewReader(output)); lines.Scan(); {
		if m := line.FindStringSubmatch(lines.Text()); m != nil {
			ns, _ := strconv.ParseFloat(m[2], 64)  // matched as digits
			mbs, _ := strconv.ParseFloat(m[3], 64) // or not there
			list = append(list, measure{m[1], ns, mbs})
		}
	}
	return list, nil
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

// accuracy prints what the tests measure on labelled texts.
func accuracy() error {
	fmt.Println("\nAccuracy")
	output, err := exec.Command("go", "test", "./core/...", "-run", "Pastes|Sentences|Reference|Mended|Broken|Single|Pairs", "-v").CombinedOutput()
	for lines := bufio.NewScanner(bytes.NewReader(output)); lines.Scan(); {
		text := strings.TrimSpace(lines.Text())
		if _, figures, ok := strings.Cut(text, "_test.go:"); ok && strings.ContainsAny(figures, "0123456789") {
			_, figures, _ = strings.Cut(figures, ": ")
			fmt.Println(" ", figures)
		}
	}
	return err
}
