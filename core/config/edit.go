package config

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

// Edit replaces the bytes from Start to End by Insert.
type Edit struct {
	Start  int    `json:"start"`
	End    int    `json:"end"`
	Insert string `json:"insert"`
	Why    string `json:"why,omitempty"`
}

// Edited carries out edits on text. They may come in any order but must not
// overlap; those that insert at the same place do so in the order given.
func Edited(text string, edits []Edit) (string, error) {
	sorted := sortedEdits(edits)
	var out strings.Builder
	at := 0
	for _, e := range sorted {
		if e.Start < at || e.End < e.Start || e.End > len(text) {
			return "", fmt.Errorf("edits overlap or lie outside the text at byte %d", e.Start)
		}
		out.WriteString(text[at:e.Start])
		out.WriteString(e.Insert)
		at = e.End
	}
	out.WriteString(text[at:])
	return out.String(), nil
}

func sortedEdits(edits []Edit) []Edit {
	sorted := slices.Clone(edits)
	sort.SliceStable(sorted, func(i, j int) bool { return sorted[i].Start < sorted[j].Start })
	return sorted
}
