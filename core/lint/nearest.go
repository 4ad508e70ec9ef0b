package lint

import (
	"strings"

	"mcpmend/core/config"
)

// nearest gives the known key that a key was probably meant to be, or "".
func (p *pass) nearest(key string) string {
	if len(key) < 3 || len(key) > 40 || p.roleOf(key) != "" || p.client.Field(key) != nil {
		return ""
	}
	plain := plainKey(key)
	for _, c := range p.candidates() {
		if close(plain, c.plain) {
			return c.name
		}
	}
	return ""
}

// candidate is a key that another may have been meant to be.
type candidate struct{ name, plain string }

// candidates are the keys that the client reads or, where it judges nothing,
// those without which no client can do.
func (p *pass) candidates() []candidate {
	if p.meant.client == p.client {
		return p.meant.keys
	}
	var keys []candidate
	for _, f := range p.client.Fields {
		if f.Effect < config.Ignored {
			keys = append(keys, candidate{f.Name, plainKey(f.Name)})
		}
	}
	if !p.known() {
		keys = nil
		for _, role := range essential {
			keys = append(keys, candidate{string(role), plainKey(string(role))})
		}
	}
	for _, s := range synonyms {
		own := p.spelling(s.role, s.transport)
		for _, other := range s.words {
			keys = append(keys, candidate{own, other})
		}
	}
	p.meant.client, p.meant.keys = p.client, keys
	return keys
}

// synonyms are words that people use for a role, whether some client does or
// none. A slip in one of them is still that role.
var synonyms = []struct {
	role      config.Role
	transport config.Transport
	words     []string
}{
	{config.RoleEnv, config.Stdio, []string{"environment", "environmentvariables", "envvars", "envs"}},
	{config.RoleCommand, config.Stdio, []string{"executable", "program", "binary"}},
	{config.RoleArgs, config.Stdio, []string{"arguments", "argv", "commandargs"}},
	{config.RoleURL, config.HTTP, []string{"endpoint", "serverurl", "mcpurl", "address"}},
	{config.RoleHeaders, config.HTTP, []string{"httpheaders", "requestheaders"}},
}

var joined = strings.NewReplacer("-", "", "_", "", " ", "")

func plainKey(key string) string { return strings.ToLower(joined.Replace(key)) }

// close tells whether two keys differ by one slip of the fingers, or by two
// where they are long.
func close(a, b string) bool {
	if a == b {
		return true
	}
	allowed := 1
	if min(len(a), len(b)) > 6 {
		allowed = 2
	}
	return len(b) > 2 && a[0] == b[0] && distance(a, b, allowed) <= allowed
}

// distance counts the letters to insert, remove, change or swap with their
// neighbour; it stops counting past the limit.
func distance(a, b string, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := last[j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			row[j] = min(change, last[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
