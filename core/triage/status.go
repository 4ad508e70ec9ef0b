package triage

// answered gives the wordings by which programs and people say that one of
// these HTTP statuses came back. A bare number is no status: timestamps, ports
// and counts are full of them.
func answered(statuses string) []string {
	status := `(?P<status>` + statuses + `)`
	return []string{
		`{http}` + status + `{/http}[^\n]{0,60}`,
		`(?:^|[\s("'])` + status + ` (?:error|status|response)\b[^\n]{0,60}`,
	}
}

// told gives the literals of [answered].
func told(statuses ...string) []string {
	var all []string
	for _, s := range statuses {
		for _, before := range []string{" ", "(", "=", ":", "'", `"`} {
			all = append(all, before+s)
		}
	}
	return all
}
