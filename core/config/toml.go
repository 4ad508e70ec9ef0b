package config

import (
	"fmt"
	"strings"
)

// TOML is read by a parser of our own: none of the libraries gives the range
// of an array or of an inline table, and this one is a tenth of their size.
// It takes TOML 1.0 to the letter, since that is what the clients' parsers
// agree on; what 1.1 adds (newlines and a last comma in inline tables) is for
// repair to put right. Dates, times, inf and nan, which plain data does not
// know, become strings.

// parseTOML reads a TOML document. A table that is spread over the text spans
// from its first header or key to the end of its last value, so the ranges of
// two tables may overlap; ranges of keys and of all other values do not.
func parseTOML(text string) (*Node, error) {
	doc, err := scannedTOML(text, false)
	if err != nil {
		return nil, err
	}
	return doc.root, nil
}

// tomlDocument is the text as its statements, and the tree that they build.
type tomlDocument struct {
	statements []tomlStatement
	root       *Node
	tables     map[*Node]*tomlTable // how each object and array of tables is written
	trails     [][]tomlStep         // the values that the keys of each statement name
}

// tomlStep is one value on the way of a statement, and the key that names it.
type tomlStep struct {
	node      *Node
	statement int // that has the key: the pair itself, or the header above it
	key       int
}

// tomlStatement is a header or a key with its value.
type tomlStatement struct {
	Span            // without indentation, comment and line end
	keys  []tomlKey // of the header, or before the equals sign
	kind  tomlStatementKind
	value *Node
}

type tomlStatementKind uint8

const (
	tomlPair        tomlStatementKind = iota // key = value
	tomlHeader                               // [table]
	tomlArrayHeader                          // [[table]]
)

type tomlKey struct {
	Span // with its quotes
	name string
}

// readTOML reads a document with all that a change to its text needs to know.
func readTOML(text string) (*tomlDocument, error) { return scannedTOML(text, true) }

func scannedTOML(text string, trails bool) (doc *tomlDocument, err error) {
	if err := checkSize(text); err != nil {
		return nil, err
	}
	defer catchSyntax(&err)
	statements := scanTOML(text)
	return buildTOML(statements, trails), nil
}

// catchSyntax turns the panic by which a parser leaves its recursion into the
// error that it is.
func catchSyntax(err *error) {
	switch e := recover().(type) {
	case nil:
	case *SyntaxError:
		*err = e
	default:
		panic(e)
	}
}

// tomlScanner reads statements off a text.
type tomlScanner struct {
	text  string
	at    int
	depth int
}

func scanTOML(text string) []tomlStatement {
	s := &tomlScanner{text: text, at: len(text) - len(strings.TrimPrefix(text, bom))}
	statements := make([]tomlStatement, 0, strings.Count(text, "\n")/2+1)
	for {
		s.skipBlank()
		if s.at == len(s.text) {
			return statements
		}
		statements = append(statements, s.statement())
		s.endOfLine()
	}
}

const bom = "\ufeff"

func (s *tomlScanner) fail(offset int, format string, args ...any) {
	panic(&SyntaxError{Offset: offset, Msg: fmt.Sprintf(format, args...)})
}

// peek gives the byte at the place of reading, 0 at the end.
func (s *tomlScanner) peek() byte {
	if s.at < len(s.text) {
		return s.text[s.at]
	}
	return 0
}

func (s *tomlScanner) skipSpace() {
	for s.peek() == ' ' || s.peek() == '\t' {
		s.at++
	}
}

// skipBlank passes space, comments and line ends.
func (s *tomlScanner) skipBlank() {
	for {
		s.skipSpace()
		switch {
		case s.peek() == '#':
			s.comment()
		case s.newline():
		default:
			return
		}
	}
}

func (s *tomlScanner) newline() bool {
	switch {
	case s.peek() == '\n':
		s.at++
	case strings.HasPrefix(s.text[s.at:], "\r\n"):
		s.at += 2
	default:
		return false
	}
	return true
}

func (s *tomlScanner) comment() {
	for s.at < len(s.text) && s.peek() != '\n' && !strings.HasPrefix(s.text[s.at:], "\r\n") {
		s.character("a comment")
	}
}

// character passes one character that may stand in comments and strings.
func (s *tomlScanner) character(where string) {
	c := s.text[s.at]
	if c < ' ' && c != '\t' || c == 0x7f {
		s.fail(s.at, "control character %U in %s", rune(c), where)
	}
	s.at += characterSize(s.text, s.at)
}

func (s *tomlScanner) endOfLine() {
	s.skipSpace()
	if s.peek() == '#' {
		s.comment()
	}
	if s.at < len(s.text) && !s.newline() {
		s.fail(s.at, "expected the end of the line, found %s", found(s.text, s.at))
	}
}

func (s *tomlScanner) statement() tomlStatement {
	start := s.at
	if s.peek() != '[' {
		keys := s.dottedKey()
		s.skipSpace()
		if s.peek() != '=' {
			s.fail(s.at, "expected = after the key, found %s", found(s.text, s.at))
		}
		s.at++
		s.skipSpace()
		value := s.value()
		return tomlStatement{Span{start, s.at}, keys, tomlPair, value}
	}
	kind, closer := tomlHeader, "]"
	s.at++
	if s.peek() == '[' {
		kind, closer = tomlArrayHeader, "]]"
		s.at++
	}
	s.skipSpace()
	keys := s.dottedKey()
	s.skipSpace()
	if !strings.HasPrefix(s.text[s.at:], closer) {
		s.fail(s.at, "expected %s after the table's name, found %s", closer, found(s.text, s.at))
	}
	s.at += len(closer)
	return tomlStatement{Span{start, s.at}, keys, kind, nil}
}

// dottedKey reads one or more keys with dots between them.
func (s *tomlScanner) dottedKey() []tomlKey {
	var keys []tomlKey
	for {
		keys = append(keys, s.key())
		if len(keys) > MaxDepth {
			s.fail(s.at, "nested deeper than %d levels", MaxDepth)
		}
		rest := s.at
		s.skipSpace()
		if s.peek() != '.' {
			s.at = rest
			return keys
		}
		s.at++
		s.skipSpace()
	}
}

func (s *tomlScanner) key() tomlKey {
	start := s.at
	switch c := s.peek(); {
	case c == '"':
		if strings.HasPrefix(s.text[s.at:], `"""`) {
			s.fail(s.at, "a key cannot be a multi-line string")
		}
		name := s.basicString()
		return tomlKey{Span{start, s.at}, name}
	case c == '\'':
		if strings.HasPrefix(s.text[s.at:], "'''") {
			s.fail(s.at, "a key cannot be a multi-line string")
		}
		name := s.literalString()
		return tomlKey{Span{start, s.at}, name}
	case isTOMLBare(c):
		for isTOMLBare(s.peek()) {
			s.at++
		}
		return tomlKey{Span{start, s.at}, s.text[start:s.at]}
	}
	s.fail(start, "expected a key, found %s", found(s.text, start))
	return tomlKey{}
}

func isTOMLBare(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-'
}
