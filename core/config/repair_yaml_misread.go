package config

import "strings"

// misreadYAML finds accidents in a text that parses all the same, because YAML
// takes nearly anything for text: curly quotes, half a pair of quotes, a list
// whose dashes have no space, a comment with the wrong sign. Only what nobody
// would write on purpose counts.
func misreadYAML(text string) []Mend {
	return settled(text, oddYAML(text), againYAML)
}

// oddYAML looks at a text that parses once.
func oddYAML(text string) []Mend {
	doc, err := readYAML(text)
	if err != nil {
		return nil
	}
	s := &suspicion{text: text}
	s.walk(doc.top, false)
	if !s.aroused {
		return s.paths.mends
	}
	mends := mendYAML(text)
	mended, err := Edited(text, editsOf(mends))
	if err != nil {
		return s.paths.mends
	}
	if _, err := parseYAML(mended); err != nil {
		return s.paths.mends
	}
	return mends
}

// suspicion walks a text that parses.
type suspicion struct {
	text    string
	aroused bool
	paths   bracketMender // mends Windows paths
}

func (s *suspicion) walk(y *yamlNode, key bool) {
	s.paths.text, s.paths.yaml = s.text, true
	piece := s.text[y.Start:y.End]
	switch y.style {
	case yamlPlain:
		s.aroused = s.aroused || s.oddPlain(y, piece, key)
	case yamlSingle, yamlDouble:
		s.aroused = s.aroused || s.swallowsLines(piece)
		if raw := piece[1 : len(piece)-1]; y.style == yamlDouble && startsPath(raw) {
			s.paths.doubleBackslashes(y.Start+1, raw)
		}
	case yamlFlow:
		s.aroused = s.aroused || strings.HasPrefix(piece, "{{") && strings.HasSuffix(piece, "}}")
	}
	for _, pair := range y.pairs {
		if pair.colon < 0 && y.style == yamlFlow && pair.key.style == yamlPlain && strings.ContainsAny(pair.key.plain, ":=") {
			s.aroused = true
		}
		s.walk(pair.key, true)
		s.walk(pair.value, false)
	}
	for _, item := range y.items {
		s.walk(item.value, false)
	}
}

// oddPlain reports whether plain text looks like something else.
func (s *suspicion) oddPlain(y *yamlNode, piece string, key bool) bool {
	if size, family, ok := quoteAt(piece, 0); ok && size > 1 && family != 0 {
		_, ends := trailingQuote(piece)
		return ends
	}
	if n, ok := trailingQuote(piece); ok && !strings.Contains(piece, " ") && strings.Count(piece, piece[len(piece)-n:]) == 1 {
		return true
	}
	if key {
		return false
	}
	if word, _, ok := strings.Cut(piece, " // "); ok && !strings.Contains(word, " ") {
		return true
	}
	if s.swallowsLines(piece) {
		return true
	}
	// On a line of its own below a key.
	start := y.Start
	for start > 0 && s.text[start-1] == ' ' {
		start--
	}
	if start == 0 || s.text[start-1] != '\n' {
		return false
	}
	return startsItem(piece) || structural(piece)
}

// startsItem reports whether a line begins as the item of a list would, with
// or without the space behind its dash.
func startsItem(line string) bool {
	return strings.HasPrefix(line, "-") || strings.HasPrefix(line, "– ") || strings.HasPrefix(line, "— ") || strings.HasPrefix(line, "• ")
}

// swallowsLines reports whether text of several lines has one that was meant
// to be an entry of its own.
func (s *suspicion) swallowsLines(piece string) bool {
	first := true
	for line := range strings.Lines(piece) {
		line = strings.TrimSpace(line)
		if !first && (startsItem(line) || structural(line)) {
			return true
		}
		first = false
	}
	return false
}

// structural reports whether a line is a key with its sign: one word, and no
// address.
func structural(line string) bool {
	word := len(line) - len(strings.TrimLeft(line, bareKeyBytes))
	rest := strings.TrimLeft(line[word:], " ")
	if word == 0 || rest == "" {
		return false
	}
	return rest[0] == ':' && !strings.HasPrefix(rest, "://") || rest[0] == '=' && len(rest) > 1
}
