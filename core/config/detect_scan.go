package config

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"
)

// clues are what a text shows of its client without being parsed.
type clues struct {
	top         map[string]bool      // keys of the outermost level
	roots       map[string]byte      // known root paths -> '{', '[' or 0
	foldedRoots map[string]bool      // the same, however spelled
	fields      map[string]*keyFacts // known keys of entries
	names       []string             // the same, sorted
	words       map[string]bool      // values of type
	forms       map[string]bool      // forms of references
	command     byte                 // how a command is written: '"', '[' or '{'
	schema      string               // the value of $schema
}

// maxTop and maxWords bound what is kept, and maxForms the bytes that are
// searched for references.
const (
	maxTop   = 4096
	maxForms = 64 << 10
	maxWords = 64
)

func scanClues(text string, format Format) *clues {
	s := &clueScanner{clues: clues{
		top: map[string]bool{}, roots: map[string]byte{}, foldedRoots: map[string]bool{},
		fields: map[string]*keyFacts{}, words: map[string]bool{}, forms: map[string]bool{},
	}, known: keysOfEntries(), loose: map[string]*keyFacts{}, inside: -1}
	switch format {
	case TOML:
		s.scanTOML(text)
	case YAML:
		s.scanYAML(text)
		if len(s.loose) == 0 {
			s.scanJSON(text) // a flow mapping
		}
	default:
		s.scanJSON(text)
	}
	if len(s.roots) == 0 {
		s.fields = s.loose // a bare map, or one entry
	}
	s.names = slices.Sorted(maps.Keys(s.fields))
	for at := range s.roots {
		s.foldedRoots[fold(at)] = true
	}
	for _, r := range References(text[:min(len(text), maxForms)]) {
		s.form(r)
	}
	return &s.clues
}

// form keeps the form of a reference, if any client has it at all.
func (s *clueScanner) form(r Reference) {
	form := r.Form
	if strings.HasPrefix(r.Name, variablePrefixCopilot) {
		form = strings.Replace(form, "VAR", variablePrefixCopilot+"VAR", 1)
	}
	if knownForms()[form] {
		s.forms[form] = true
	}
}

var knownForms = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for _, c := range clients {
		for _, form := range c.Interpolation.Syntax {
			m[form] = true
		}
	}
	return m
})

type clueScanner struct {
	clues
	known  map[string]*keyFacts
	loose  map[string]*keyFacts // fields wherever they stand
	path   [4]string            // the keys above, as far as a root path goes
	inside int                  // level of the root that is being read, or -1
}

// key notes one key with its level, counted from 0, and the beginning of its
// value: an opening bracket, a quote, or 0 where it is not known.
func (s *clueScanner) key(name string, level int, open byte, value string) {
	if level <= s.inside {
		s.inside = -1
	}
	if level == 0 && len(s.top) < maxTop {
		s.top[name] = true
	}
	if name == "$schema" && level == 0 {
		s.schema = value
	}
	if level < len(s.path) {
		s.path[level] = name
	}
	facts := s.known[name]
	if facts == nil {
		return
	}
	if level < len(s.path) && open != '"' {
		if at := facts.rootAt(s.path[:level+1]); at != "" {
			s.root(at, level, open)
		}
	}
	// One level below the root is the server's name, two below its fields.
	if facts.role == "" || s.inside >= 0 && level != s.inside+2 {
		return
	}
	if s.loose[name] == nil {
		s.loose[name] = facts
	}
	if s.inside >= 0 && s.fields[name] == nil {
		s.fields[name] = facts
	}
	switch facts.role {
	case RoleType:
		if value != "" && len(s.words) < maxWords && !s.words[value] {
			s.words[value] = true
		}
	case RoleCommand:
		s.command = cmp.Or(open, s.command)
	}
}

// root notes a root path. One that goes further, mcp.servers inside mcp, takes
// the place of the shorter one.
func (s *clueScanner) root(at string, level int, open byte) {
	if s.inside >= 0 {
		shorter := strings.Join(s.path[:s.inside+1], ".")
		if !strings.HasPrefix(at, shorter+".") {
			return
		}
		delete(s.roots, shorter)
	}
	if _, seen := s.roots[at]; !seen {
		s.roots[at] = open
	}
	s.inside = level
}

// rootAt gives the root path of the table that keys spell, or "".
func (k *keyFacts) rootAt(keys []string) string {
	for _, root := range k.roots {
		if matchesKeys(root, keys) {
			return strings.Join(root, ".")
		}
	}
	return ""
}

// scanJSON finds keys by the colon after a string or a word. Brackets give the
// level; the first key's level counts as the outermost, whatever stands or
// lacks before it.
func (s *clueScanner) scanJSON(text string) {
	depth, base := 0, -1
	for i := 0; i < len(text); {
		switch b := text[i]; {
		case b == '{' || b == '[':
			depth++
			i++
		case b == '}' || b == ']':
			depth--
			i++
		case b == '/' && skipComment(text, i) > i:
			i = skipComment(text, i)
		case b == '"' || b == '\'' || isWord(b):
			name, end := wordAt(text, i)
			i = end
			if colon := skipBlanks(text, end); colon < len(text) && text[colon] == ':' {
				i = colon + 1
				open, value := valueAt(text, i)
				if depth == 0 && b != '"' && open == 0 {
					continue // prose before the config
				}
				if base < 0 {
					base = depth
				}
				s.key(name, max(depth-base, 0), open, value)
			}
		default:
			i++
		}
	}
}

func isWord(b byte) bool {
	return b == '_' || b == '$' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9'
}

// wordAt reads a string in any plain quotes, which a line end closes too, or a
// bare word.
func wordAt(text string, i int) (word string, end int) {
	quote := text[i]
	if quote != '"' && quote != '\'' {
		for end = i; end < len(text) && (isWord(text[end]) || text[end] == '-' || text[end] == '.'); end++ {
		}
		return text[i:end], end
	}
	for end = i + 1; end < len(text); end++ {
		switch text[end] {
		case '\\':
			end++
		case quote:
			return text[i+1 : end], end + 1
		case '\n':
			return text[i+1 : end], end
		}
	}
	return text[i+1:], len(text)
}

func skipBlanks(text string, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\t' || text[i] == '\r' || text[i] == '\n') {
		i++
	}
	return i
}

// valueAt tells how the value after a colon begins, and a short string's text.
func valueAt(text string, i int) (open byte, value string) {
	i = skipBlanks(text, i)
	if i >= len(text) {
		return 0, ""
	}
	switch text[i] {
	case '{', '[':
		return text[i], ""
	case '"', '\'':
		value, _ = wordAt(text[:min(len(text), i+maxReference)], i)
		return '"', value
	}
	return 0, ""
}

// scanYAML takes the indentation for the level. A list item is one level below
// its dash.
func (s *clueScanner) scanYAML(text string) {
	var indents []int
	for line := range strings.Lines(text) {
		body := strings.TrimLeft(line, " ")
		indent := len(line) - len(body)
		dash := false
		for strings.HasPrefix(body, "- ") {
			trimmed := strings.TrimLeft(body[2:], " ")
			indent += len(body) - len(trimmed)
			body, dash = trimmed, true
		}
		name, value, ok := strings.Cut(strings.TrimRight(body, " \t\r\n"), ":")
		name = strings.Trim(name, `"'`)
		if !ok || name == "" || body[0] == '#' || strings.ContainsAny(name, " {[") {
			continue
		}
		for len(indents) > 0 && indents[len(indents)-1] >= indent {
			indents = indents[:len(indents)-1]
		}
		indents = append(indents, indent)
		level := len(indents) - 1
		if s.inside >= 0 && level > s.inside && s.listed(dash) {
			level++ // the list stands where a map has the name
		}
		open, word := yamlValue(value)
		s.key(name, level, open, word)
	}
}

// listed tells whether the root that is being read is a list, which a dash at
// its first line shows.
func (s *clueScanner) listed(dash bool) bool {
	facts := s.known[s.path[s.inside]]
	root := facts.rootAt(s.path[:s.inside+1])
	if s.roots[root] == 0 {
		s.roots[root] = '{'
		if dash {
			s.roots[root] = '['
		}
	}
	return s.roots[root] == '['
}

func yamlValue(value string) (open byte, word string) {
	if comment := strings.Index(value, " #"); comment >= 0 {
		value = value[:comment]
	}
	value = strings.TrimSpace(value)
	switch {
	case value == "":
		return 0, ""
	case value[0] == '[' || value[0] == '{':
		return value[0], ""
	}
	return '"', strings.Trim(value, `"'`)
}

// scanTOML takes table headers and keys line by line.
func (s *clueScanner) scanTOML(text string) {
	level := 0
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if header, ok := strings.CutPrefix(line, "["); ok {
			header, _, _ = strings.Cut(strings.Trim(header, "["), "]")
			level = 0
			for name := range strings.SplitSeq(header, ".") {
				s.key(strings.Trim(name, ` "'`), level, '{', "")
				level++
			}
			continue
		}
		name, value, ok := strings.Cut(line, "=")
		if ok && line[0] != '#' {
			open, word := yamlValue(value)
			s.key(strings.Trim(name, ` "'`), level, open, word)
		}
	}
}
