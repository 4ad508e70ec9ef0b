package config

import (
	"cmp"
	"path"
	"slices"
	"sort"
	"strings"
	"sync"
)

// Detection is whose file a text seems to be.
type Detection struct {
	Format     Format
	Client     *Client  // never nil: the generic client where too many could own it
	Confidence float64  // the probability that Client is right, from 0 to 1
	Others     []string // ids of clients that could own it as well, best first
}

// Detect tells format and client of a text by the name of its file, its root
// key, and the spelling of its fields, words and variables. It does not parse,
// so that a broken text is recognised too; its time is linear in the text.
// File may be empty, a name or a path of any system.
func Detect(text, file string) Detection {
	text = text[:min(len(text), MaxSize)]
	format := formatOf(text, file)
	return weigh(scanClues(text, format), file, format)
}

// clientFor is the client of a document: the one that was named, or detected.
func clientFor(text string, format Format, opts Options) *Client {
	if c := ClientByID(opts.Client); c != nil {
		return c
	}
	return weigh(scanClues(text[:min(len(text), MaxSize)], format), opts.File, format).Client
}

// The weights of the clues. A file's path outweighs its content, because the
// content may be what is wrong with it.
const (
	weightPath     = 18.0 // two or more segments of a path
	weightFile     = 16.0 // a file name that is no other program's
	weightFirst    = 0.8  // the client's first place
	weightDoubt    = 0.5  // a place that is not certain
	weightRoot     = 4.0
	weightBorrowed = 1.5 // a root in another client's dialect
	weightBeside   = 1.5
	weightField    = 3.0 // shared by all clients that have the field
	weightForeign  = 1.2 // a field that only others know
	weightMissing  = 1.5 // a field that the client requires
	weightWord     = 1.0
	weightVariable = 1.5
	weightShape    = 2.5
	weightFormat   = 6.0 // shared by all clients that read the format
	weightSchema   = 8.0
	weightLeast    = 2.2 // less is no evidence

	// Clients whose weight is within the margin of the best could own the
	// file as well; when there are more than crowd, none is named.
	margin = 1.0
	crowd  = 3
)

type candidate struct {
	client *Client
	weight float64
}

func weigh(k *clues, file string, format Format) Detection {
	var list []candidate
	for _, c := range clients {
		if c != &generic && len(c.Formats) > 0 {
			list = append(list, candidate{c, c.weight(k, file, format)})
		}
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].weight > list[j].weight })
	best := list[0]
	d := Detection{Format: format, Client: best.client}
	rivals := 1
	for rivals < len(list) && list[rivals].weight > best.weight-margin {
		d.Others = append(d.Others, list[rivals].client.ID)
		rivals++
	}
	switch {
	case best.weight < weightLeast:
		d.Client, d.Confidence, d.Others = &generic, 0.3, nil
		return d
	case rivals > crowd:
		d.Client, d.Confidence, d.Others = &generic, 0.3, append([]string{best.client.ID}, d.Others...)
		return d
	}
	// The further ahead of the next, the surer, and never quite sure. Of
	// rivals the first in the table is the one that more people have.
	lead := min(1, (best.weight-list[1].weight)/6)
	d.Confidence = []float64{min(0.98, 0.75+0.25*lead), 0.6, 0.5}[rivals-1]
	return d
}

// weight adds up what speaks for and against a client.
func (c *Client) weight(k *clues, file string, format Format) float64 {
	w, key := c.weighFile(file)
	w -= weightDoubt * float64(c.Certainty) / 4 // of equals, the one we know better
	if c.reads(format) && len(k.roots) > 0 {
		w += weightFormat / float64(readers()[format])
	} else if !c.reads(format) {
		w -= weightFormat
	}
	root, dialect := c.weighRoot(k, key, format)
	w += root
	beside := 0.0
	for _, name := range c.Beside {
		if k.top[name] {
			beside += weightBeside
		}
	}
	beside = min(beside, 2*weightBeside)
	if len(k.roots) == 0 {
		beside /= 2 // name and version are in any file
	}
	w += beside
	if k.schema != "" && strings.Contains(k.schema, strings.TrimSuffix(c.ID, "-code")) {
		w += weightSchema
	}
	return w + dialect.weighFields(k) + dialect.weighWords(k) + c.weighVariables(k)
}

func (c *Client) reads(f Format) bool {
	return slices.Contains(c.Formats, f) ||
		f == JSON && slices.Contains(c.Formats, JSONC) || f == JSONC && slices.Contains(c.Formats, JSON)
}

// readers counts the clients that read a format.
var readers = sync.OnceValue(func() map[Format]int {
	m := map[Format]int{}
	for _, f := range []Format{JSON, JSONC, TOML, YAML} {
		for _, c := range clients {
			if c != &generic && c.reads(f) {
				m[f]++
			}
		}
	}
	return m
})

// weighFile compares a file's path with the client's places, and gives the
// root key that the place asks for.
func (c *Client) weighFile(file string) (weight float64, key string) {
	if file == "" {
		return 0, ""
	}
	for i, p := range c.Places {
		w := matchPlace(p.Path, file)
		if w == 0 {
			continue
		}
		if i == 0 {
			w += weightFirst
		}
		if p.Certainty != High {
			w -= weightDoubt
		}
		if w > weight {
			weight, key = w, p.Key
		}
	}
	return weight, key
}

// PlaceOf gives the client's place that a path is, or nil.
func (c *Client) PlaceOf(file string) *Place {
	var best *Place
	weight := 0.0
	for i := range c.Places {
		if w := matchPlace(c.Places[i].Path, file); w > weight {
			best, weight = &c.Places[i], w
		}
	}
	return best
}

// plainNames are file names that many programs have: they tell nothing.
var plainNames = []string{"mcp.json", "settings.json", "config.yaml", "config.toml", "default.json", "manifest.json", "mcp_settings.json", "mcp_config.json", "*.json", "*.yaml", "*.md", "<profile>.config.toml"}

func matchPlace(template, file string) float64 {
	want := segments(template)
	have := segments(file)
	shared := 0
	for shared < len(want) && shared < len(have) {
		w, h := want[len(want)-1-shared], have[len(have)-1-shared]
		if ok, err := path.Match(strings.ToLower(w), strings.ToLower(h)); err != nil || !ok {
			break
		}
		shared++
	}
	switch base := want[len(want)-1]; {
	case shared == 0 || shared < len(want) && shared < len(have):
		return 0 // they part ways: Trae/User/mcp.json is not Code/User/mcp.json
	case shared > 1:
		// A longer match is a better one: Code/User/mcp.json over User/mcp.json.
		return weightPath + float64(shared)/10
	case slices.Contains(plainNames, base):
		return 0
	}
	return weightFile
}

// segments splits a path or a template, without what stands for a directory
// that is not known: "~", "$X", "%X%", "<x>".
func segments(p string) []string {
	parts := strings.FieldsFunc(p, func(r rune) bool { return r == '/' || r == '\\' })
	for len(parts) > 1 && strings.ContainsAny(parts[0][:1], "~$%<") {
		parts = parts[1:]
	}
	if len(parts) == 0 {
		return []string{""}
	}
	return parts
}

// weighRoot looks for the client's root keys, and tells in whose dialect the
// entries there are. A key that the file's place asks for counts as well.
func (c *Client) weighRoot(k *clues, key string, format Format) (best float64, dialect *Client) {
	dialect = c
	for _, r := range c.Roots {
		kind, ok := k.roots[r.Path]
		if !ok && k.foldedRoots[fold(r.Path)] {
			best = max(best, weightRoot/2) // misspelt
		}
		if !ok || r.Format != "" && !sameNotation(r.Format, format) {
			continue
		}
		w := weightRoot
		if r.Legacy {
			w -= weightDoubt
		}
		if (r.Shape == ListShape) != (kind == '[') && kind != 0 {
			w -= weightShape
		}
		if r.As != "" {
			w -= weightBorrowed
		}
		if w > best {
			best, dialect = w, c.dialect(r)
		}
	}
	if _, ok := k.roots[key]; ok && best == 0 {
		best = weightRoot
	}
	if best == 0 && len(k.roots) > 0 {
		best = -weightRoot
	}
	return best, dialect
}

func sameNotation(a, b Format) bool { return a == b || a == JSON && b == JSONC }

// weighFields counts each field that an entry has: the fewer clients know it,
// the more it tells.
func (c *Client) weighFields(k *clues) float64 {
	w := 0.0
	if len(c.Fields) == 0 {
		return 0
	}
	// In a fixed order: sums of fractions depend on it, and ties must not.
	for _, name := range k.names {
		f, facts := c.fieldOf(name), k.fields[name]
		switch {
		case slices.Contains(commonplace, name):
		case f != nil && (f.Effect == Read || f.Effect == Deprecated):
			w += weightField / float64(max(facts.owners, 1))
		default:
			w -= weightForeign
		}
	}
	for _, f := range c.Fields {
		if f.Required && k.fields[f.Name] == nil && (f.Only == "" || k.fields["command"] != nil) && len(k.fields) > 0 {
			w -= weightMissing
		}
	}
	if k.command != 0 {
		if f := c.Spelling(RoleCommand, Stdio); f != nil && !commandFits(f.Types, k.command) {
			w -= weightShape
		}
	}
	return w
}

// commonplace keys are written everywhere, whether a client reads them or not.
var commonplace = []string{"name", "description", "transport"}

// fieldOf finds a field by its key in the entry, which is the first part of a
// nested name.
func (c *Client) fieldOf(key string) *Field {
	for _, f := range c.Fields {
		if name, _, _ := strings.Cut(f.Name, "."); name == key {
			return f
		}
	}
	return nil
}

// keyFacts is what the table knows of a key in an entry.
type keyFacts struct {
	name   string
	role   Role
	owners int        // clients that read it
	roots  [][]string // root paths that end with it
}

// keysOfEntries has every key of the table, so that a scan looks up each key
// of a text once.
var keysOfEntries = sync.OnceValue(func() map[string]*keyFacts {
	m := map[string]*keyFacts{}
	at := func(name string) *keyFacts {
		if m[name] == nil {
			m[name] = &keyFacts{name: name}
		}
		return m[name]
	}
	seen := map[string]bool{"": true}
	for _, c := range clients {
		for _, r := range c.Roots {
			if keys := splitRoot(r.Path); !seen[r.Path] {
				seen[r.Path] = true
				last := at(keys[len(keys)-1])
				last.roots = append(last.roots, keys)
			}
		}
		for _, f := range c.Fields {
			name, _, _ := strings.Cut(f.Name, ".")
			k := at(name)
			k.role = cmp.Or(k.role, f.Role)
			if c != &generic && f.Effect != Ignored && f.Effect != Refused {
				k.owners++
			}
		}
	}
	return m
})

func commandFits(t Types, open byte) bool {
	switch open {
	case '[':
		return t&AsList != 0
	case '{':
		return t&AsObject != 0
	}
	return t&AsString != 0
}

func (c *Client) weighWords(k *clues) float64 {
	w := 0.0
	f := c.Spelling(RoleType, "")
	for word := range k.words {
		switch {
		case f == nil:
		case slices.Contains(f.Values, word):
			w += weightWord
		default:
			w -= weightWord
		}
	}
	return w
}

func (c *Client) weighVariables(k *clues) float64 {
	w := 0.0
	for form := range k.forms {
		switch {
		case slices.Contains(c.Interpolation.Syntax, form):
			w += weightVariable
		case c.Interpolation.Supported != Unknown:
			w -= weightVariable
		default:
			w -= weightVariable / 2
		}
	}
	return w
}
