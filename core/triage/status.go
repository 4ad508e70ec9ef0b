package triage

import "strings"

// withStatuses spells out a rule's statuses: the wordings by which programs and
// people say that one of them came back, and the literals of those. A bare
// number is no status: timestamps, ports and counts are full of them.
func withStatuses(r Rule) Rule {
	if len(r.Statuses) == 0 {
		return r
	}
	var literals []string
	for _, s := range r.Statuses {
		for _, before := range []string{" ", "(", "=", ":", "'", `"`} {
			literals = append(literals, before+s)
		}
	}
	status := `(?P<status>` + strings.Join(r.Statuses, "|") + `)`
	wordings := []string{
		`{http}` + status + `{/http}[^\n]{0,60}`,
		`(?:^|[\s("'])` + status + ` (?:error|status|response)\b[^\n]{0,60}`,
	}
	r.Literals = append(literals, r.Literals...)
	r.Wordings = append(wordings, r.Wordings...)
	return r
}
