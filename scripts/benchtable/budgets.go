package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
)

// budget is a limit on what a benchmark costs. Of is a second benchmark of the
// same run that it is divided by: a smaller input, or a yardstick. Seconds are
// no budget, because machines differ.
type budget struct {
	What      string
	Package   string
	Benchmark string
	Of        string
	Metric    string
	Limit     float64
}

const budgetFile = "scripts/budgets.json"

// checkBudgets prints a line for each budget, ok or over, and gives the exit
// code.
func checkBudgets() int {
	broken, err := compareBudgets()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		return 2
	}
	if broken > 0 {
		return 1
	}
	return 0
}

func compareBudgets() (broken int, err error) {
	budgets, err := readBudgets(budgetFile)
	if err != nil {
		return 0, err
	}
	byPackage := map[string][]budget{}
	for _, b := range budgets {
		byPackage[b.Package] = append(byPackage[b.Package], b)
	}
	for _, pkg := range slices.Sorted(maps.Keys(byPackage)) {
		costs, err := costsOf(pkg, byPackage[pkg])
		if err != nil {
			return broken, err
		}
		for _, b := range byPackage[pkg] {
			got, err := b.cost(costs)
			if err != nil {
				return broken, err
			}
			word := "ok  "
			if got > b.Limit {
				word = "over"
				broken++
			}
			fmt.Printf("%s  %-52s %12.2f of %.2f %s\n", word, b.What, got, b.Limit, b.unit())
		}
	}
	return broken, nil
}

func readBudgets(file string) ([]budget, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var list []budget
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return list, nil
}

// costsOf runs the benchmarks that the budgets of a package name, several times:
// of each figure the least counts, which a busy machine disturbs least.
func costsOf(pkg string, budgets []budget) (map[string]map[string]float64, error) {
	groups := map[string]bool{}
	for _, b := range budgets {
		for _, name := range []string{b.Benchmark, b.Of} {
			if group, _, _ := strings.Cut(name, "/"); group != "" {
				groups[group] = true
			}
		}
	}
	pattern := "^Benchmark(" + strings.Join(slices.Sorted(maps.Keys(groups)), "|") + ")$"
	least := map[string]map[string]float64{}
	for range 3 {
		list, err := benchmarks(pkg, pattern, "10x", nil)
		if err != nil {
			return nil, err
		}
		for _, m := range list {
			if least[m.name] == nil {
				least[m.name] = m.metrics
			}
			for metric, value := range m.metrics {
				least[m.name][metric] = min(least[m.name][metric], value)
			}
		}
	}
	return least, nil
}

func (b budget) cost(costs map[string]map[string]float64) (float64, error) {
	value, ok := costs[b.Benchmark][b.Metric]
	if !ok {
		return 0, fmt.Errorf("%s has no benchmark %s with %s", b.Package, b.Benchmark, b.Metric)
	}
	if b.Of == "" {
		return value, nil
	}
	of := costs[b.Of][b.Metric]
	if of == 0 {
		return 0, fmt.Errorf("%s has no benchmark %s with %s", b.Package, b.Of, b.Metric)
	}
	return value / of, nil
}

func (b budget) unit() string {
	if b.Of != "" {
		return "times " + b.Of + " in " + b.Metric
	}
	return b.Metric
}
