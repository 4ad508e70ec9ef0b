package config

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"
)

func TestClientsHaveWhatTheyNeed(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range Clients() {
		t.Run(c.ID, func(t *testing.T) {
			is := is.New(t)
			is.True(c.ID != "" && c.Name != "")
			is.True(!seen[c.ID]) // one row a client
			seen[c.ID] = true
			is.Equal(ClientByID(c.ID), c)
			for _, p := range c.Places {
				is.True(p.Path != "" && p.Scope != "")
				is.True(p.OS != Windows || !strings.HasPrefix(p.Path, "~/Library")) // a path of its own system
			}
			for _, r := range c.Roots {
				is.True(r.As == "" || ClientByID(r.As) != nil) // dialect of a client that exists
			}
			names := map[string]bool{}
			for _, f := range c.Fields {
				is.True(!names[f.Name]) // a spelling has one meaning
				names[f.Name] = true
				is.True(f.Role != "" && f.Types != 0)
			}
			for _, s := range c.Signatures {
				_, err := regexp.Compile(s.Pattern)
				is.NoErr(err)
			}
			if c.Limits.Name != "" {
				_, err := regexp.Compile(c.Limits.Name)
				is.NoErr(err)
			}
		})
	}
	is.New(t).Equal(Clients()[len(Clients())-1], Generic())
}

// published is the part of the published facts that the table must agree with.
type published struct {
	ID       string
	RootKeys []string
	Paths    []struct {
		OS, Path string
		KeyPath  *string
	}
	Transports    map[string][]string
	LogSignatures []string
	ServerFields  map[string]struct{ Unit *string }
}

func TestClientsAgreeWithPublishedFacts(t *testing.T) {
	data, err := os.ReadFile("../../../shared/clients/clients.json")
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("the published facts are not beside this checkout")
	}
	is := is.New(t)
	is.NoErr(err)
	var facts []published
	is.NoErr(json.Unmarshal(data, &facts))
	is.Equal(len(facts), len(Clients()))
	for _, fact := range facts {
		t.Run(fact.ID, func(t *testing.T) {
			is := is.New(t)
			c := ClientByID(fact.ID)
			is.True(c != nil)
			for _, p := range fact.Paths {
				key := ""
				if p.KeyPath != nil {
					key = *p.KeyPath
				}
				if !hasPlace(c, OS(p.OS), p.Path, key) {
					t.Errorf("no place for %s %s (%s)", p.OS, p.Path, key)
				}
			}
			for _, key := range fact.RootKeys {
				if !hasRoot(c, key) {
					t.Errorf("no root %q", key)
				}
			}
			for name, words := range fact.Transports {
				have := c.Words(Transport(name))
				if len(words) == 0 && have.Known() && c != Generic() {
					t.Errorf("%s is known here, but not in the facts", name)
				}
				for _, word := range words {
					if !hasWord(have, word) {
						t.Errorf("no word %q for %s", word, name)
					}
				}
			}
			for name, f := range fact.ServerFields {
				if f.Unit == nil || !slices.Contains([]string{"s", "ms"}, *f.Unit) || c.Fields == nil {
					continue
				}
				if have := c.Field(name); have == nil || string(have.Unit) != *f.Unit {
					t.Errorf("%s is not in %s", name, *f.Unit)
				}
			}
			is.Equal(len(c.Signatures), len(fact.LogSignatures))
		})
	}
}

func hasPlace(c *Client, os OS, path, key string) bool {
	if os == "all" || os == "web" {
		os = ""
	}
	portable := func(s string) string {
		return strings.ReplaceAll(strings.Replace(s, "%USERPROFILE%", "~", 1), `\`, "/")
	}
	return slices.ContainsFunc(c.Places, func(p Place) bool {
		at := p.Key
		if at == "" && len(c.Roots) > 0 {
			at = c.Roots[0].Path
		}
		return (p.OS == os || p.OS == "") && portable(p.Path) == portable(path) && (at == key || key == "")
	})
}

func hasRoot(c *Client, key string) bool {
	if strings.HasPrefix(key, "(bare map") {
		key = ""
	}
	return slices.Contains(c.Beside, key) ||
		slices.ContainsFunc(c.Roots, func(r Root) bool { return r.Path == key })
}

// hasWord reads a word of the facts: "(implicit: url)" is the key that is
// enough, and what is said of old versions stands in another client's dialect.
func hasWord(w *Words, word string) bool {
	word = strings.TrimPrefix(word, "--transport ")
	if key, ok := strings.CutPrefix(word, "(implicit: "); ok {
		key, _, _ = strings.Cut(strings.TrimSuffix(key, ")"), ";")
		return w.Implied == key
	}
	if strings.HasPrefix(word, "(") {
		return w.Known() || strings.Contains(word, "older")
	}
	name, note, _ := strings.Cut(word, " ")
	return note == "(legacy)" || note == "(CLI)" && len(w.Words) > 0 || slices.Contains(w.Words, name)
}
