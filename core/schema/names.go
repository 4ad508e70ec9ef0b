package schema

import (
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6/kind"
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

// pairNames finds unknown members that explain a missing one: one failure of
// the two remains. It also notes for each unknown member the known name that
// it must have meant.
func (s *Schema) pairNames(value any, failures []failure) []failure {
	var out []failure
	taken := map[int]bool{}
	for i, f := range failures {
		if taken[i] {
			continue
		}
		name, isUnknown := unknownName(f)
		if !isUnknown || f.schema == nil {
			continue
		}
		object, _ := lookUpObject(value, f.at[:len(f.at)-1])
		var absent []string
		for _, known := range merge(f.schema).declared(s.rank) {
			if _, has := object[known]; !has {
				absent = append(absent, known)
			}
		}
		near := certainName(name, absent)
		if near == "" {
			continue
		}
		failures[i].near = near
		for j, other := range failures {
			if _, isMissing := other.kind.(*kind.Required); isMissing && samePlace(other.at, f.at[:len(f.at)-1], near) {
				taken[j] = true
			}
		}
	}
	for i, f := range failures {
		if taken[i] {
			continue
		}
		if _, isMissing := f.kind.(*kind.Required); isMissing && f.schema != nil {
			f.near = s.misnamed(value, f, failures)
		}
		out = append(out, f)
	}
	return out
}

// misnamed finds a member that the schema allows but does not know, and whose
// name is that of the missing one but for a slip.
func (s *Schema) misnamed(value any, f failure, failures []failure) string {
	object, _ := lookUpObject(value, f.at[:len(f.at)-1])
	v := merge(f.schema)
	known := v.declared(nil)
	var strangers []string
	for _, name := range sorted(s.rank, object) {
		refused := slices.ContainsFunc(failures, func(other failure) bool {
			_, isUnknown := unknownName(other)
			return isUnknown && samePlace(other.at, f.at[:len(f.at)-1], name)
		})
		if !refused && !slices.Contains(known, name) {
			strangers = append(strangers, name)
		}
	}
	return certainName(f.at[len(f.at)-1], strangers)
}

func samePlace(at, parent []string, name string) bool {
	return len(at) == len(parent)+1 && at[len(at)-1] == name && slices.Equal(at[:len(at)-1], parent)
}

// unknownName gives the member's name if f is about one that is not allowed.
func unknownName(f failure) (string, bool) {
	if len(f.at) == 0 {
		return "", false
	}
	switch f.kind.(type) {
	case *kind.AdditionalProperties:
		return f.at[len(f.at)-1], true
	case *kind.FalseSchema:
		return f.at[len(f.at)-1], strings.HasSuffix(f.place, "/unevaluatedProperties")
	}
	return "", false
}

// certainName gives the one known name that differs from name by case and
// separators, or by a single slip, when no other does.
func certainName(name string, known []string) string {
	for _, limit := range []int{0, 1} {
		var found []string
		for _, k := range known {
			if len(k) > maxCompared || len(name) > maxCompared {
				continue
			}
			if editDistance(plainName(name), plainName(k)) <= limit && min(len(plainName(name)), len(plainName(k))) > limit*2 {
				found = append(found, k)
			}
		}
		if len(found) > 0 {
			if len(found) == 1 {
				return found[0]
			}
			return ""
		}
	}
	return ""
}
