package main

import (
	"fmt"
	"os"
	"strings"
)

// accuracyPage has the figures between markers.
const accuracyPage = "docs/accuracy.md"

// writeDocs puts the rows of a part between its markers.
func writeDocs(name string, rows [][]string) error {
	page, err := os.ReadFile(accuracyPage)
	if err != nil {
		return err
	}
	start, end, ok := between(string(page), name)
	if !ok {
		return fmt.Errorf("%s has no markers for %s", accuracyPage, name)
	}
	text := string(page[:start]) + markdown(rows) + string(page[end:])
	return os.WriteFile(accuracyPage, []byte(text), 0o644)
}

// between finds what stands between the markers of a part.
func between(page, name string) (start, end int, ok bool) {
	open, shut := "<!-- figures: "+name+" -->\n", "<!-- end of "+name+" -->"
	start = strings.Index(page, open) + len(open)
	end = strings.Index(page, shut)
	return start, end, start >= len(open) && end >= start
}

// markdown writes rows as a table, the first as its head.
func markdown(rows [][]string) string {
	var out strings.Builder
	for i, row := range rows {
		out.WriteString("| " + strings.Join(row, " | ") + " |\n")
		if i == 0 {
			out.WriteString(strings.Repeat("| --- ", len(row)) + "|\n")
		}
	}
	return out.String()
}
