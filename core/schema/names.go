package schema

import (
	"slices"
	"strings"
)

// NearestNames gives the known names that a wrong one may have meant, the
// nearest first: those that differ in case or separators only, then those
// within a small edit distance, then those that one contains the other.
func NearestNames(name string, known []string) []string {
	type candidate struct {
		name     string
		distance int
	}
	var found []candidate
	for _, k := range known {
		if k == name {
			continue
		}
		if distance, near := nearness(name, k); near {
			found = append(found, candidate{k, distance})
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return a.distance - b.distance })
	var out []string
	for _, c := range found[:min(len(found), maxNearest)] {
		out = append(out, c.name)
	}
	return out
}

const (
	maxNearest = 3
	// Longer names are not compared: the cost grows with the square.
	maxCompared = 100
)

// nearness tells how far apart two names are, if they may be the same.
func nearness(a, b string) (distance int, near bool) {
	if len(a) > maxCompared || len(b) > maxCompared {
		return 0, false
	}
	plainA, plainB := plainName(a), plainName(b)
	if plainA == plainB {
		return 0, plainA != ""
	}
	distance = editDistance(plainA, plainB)
	longer := max(len(plainA), len(plainB))
	if distance <= max(1, longer/4) && distance < min(len(plainA), len(plainB)) {
		return distance, true
	}
	shorter := min(len(plainA), len(plainB))
	if shorter >= 4 && (strings.Contains(plainA, plainB) || strings.Contains(plainB, plainA)) {
		return 10 + longer - shorter, true
	}
	return 0, false
}

// plainName drops case and separators: userName, user_name and "User Name"
// are one name.
func plainName(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("_-. /:", r) {
			return -1
		}
		return r
	}, strings.ToLower(name))
}

// editDistance counts the insertions, deletions, substitutions and swaps of
// neighbours between two names.
func editDistance(a, b string) int {
	x, y := []rune(a), []rune(b)
	before, last := make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row := make([]int, len(y)+1)
		row[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last = last, row
	}
	return last[len(y)]
}
