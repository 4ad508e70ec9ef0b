package core

import (
	"sort"

	"mcpmend/core/lint"
	"mcpmend/core/triage"
)

// Rule is a rule of triage or of lint as it is shown: in `mcpmend rules`, in
// the page's index and in SARIF.
type Rule struct {
	Code     string   `json:"code"`
	Category string   `json:"category"`
	Severity Severity `json:"severity"`
	Title    string   `json:"title"`
	Why      string   `json:"why"`
	Remedy   string   `json:"remedy"`
	Before   string   `json:"before"` // a text or config that shows it
	After    string   `json:"after"`  // the config mended; "" for what a log says

	// Whose config Before is and what its file is called; "" where any will do.
	Client string `json:"client,omitempty"`
	File   string `json:"file,omitempty"`
}

// Rules lists every rule by code, with the words it uses when no name is
// known.
func Rules() []Rule {
	var all []Rule
	for _, r := range triage.Rules() {
		all = append(all, Rule{
			Code: r.Code, Category: string(r.Category), Severity: Severity(r.Severity),
			Title: fill(r.Title, nil), Why: fill(r.Explanation, nil), Remedy: fill(r.Remedy, nil), Before: r.Example,
		})
	}
	for _, r := range lint.Rules() {
		all = append(all, Rule{
			Code: r.Code, Category: r.Category, Severity: Severity(r.Severity),
			Title: fill(r.Title, nil), Why: fill(r.Why, nil), Remedy: fill(r.Remedy, nil),
			Before: r.Before.Text, After: r.After.Text, Client: r.Before.Client, File: r.Before.File,
		})
	}
	sort.Slice(all, func(i, j int) bool { return all[i].Code < all[j].Code })
	return all
}
