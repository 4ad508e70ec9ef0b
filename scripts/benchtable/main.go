// Command benchtable prints what ./scripts/bench measures: the benchmarks of
// all packages with ratios, mcpmend beside other programs, and the accuracy on
// labelled texts. Times on one machine say little; the ratios within one run
// are what counts.
package main

import (
	"flag"
	"fmt"
	"os"
	"text/tabwriter"
)

func main() {
	only := flag.String("only", "", "print one `part` alone: benchmarks, peers or accuracy")
	write := flag.Bool("write", false, "write the figures into docs/accuracy.md as well")
	check := flag.Bool("check", false, "compare with the budgets instead, and end with 1 where one is broken")
	flag.Parse()
	if *check {
		os.Exit(checkBudgets())
	}
	pattern := "."
	if flag.NArg() > 0 {
		pattern = flag.Arg(0)
	}
	if err := run(pattern, *only, *write); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// part is one of the tables. In the docs it stands between markers of its name.
type part struct {
	name  string
	title string
	make  func(pattern string) ([][]string, error)
	docs  bool // written into docs/accuracy.md
}

var parts = []part{
	{"benchmarks", "Benchmarks", benchmarkRows, false},
	{"peers", "Beside other programs", peerRows, true},
	{"accuracy", "Accuracy", accuracyRows, true},
}

func run(pattern, only string, write bool) error {
	for _, p := range parts {
		if only != "" && only != p.name {
			continue
		}
		rows, err := p.make(pattern)
		if err != nil {
			return err
		}
		fmt.Println(p.title)
		if err := print(rows); err != nil {
			return err
		}
		if write && p.docs {
			if err := writeDocs(p.name, rows); err != nil {
				return err
			}
		}
	}
	return nil
}

// print shows rows of which the first is the head.
func print(rows [][]string) error {
	out := tabwriter.NewWriter(os.Stdout, 0, 8, 2, ' ', 0)
	for _, row := range rows {
		for _, cell := range row {
			fmt.Fprintf(out, "%s\t", cell)
		}
		fmt.Fprintln(out)
	}
	fmt.Fprintln(out)
	return out.Flush()
}
