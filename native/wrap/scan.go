package wrap

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"unicode/utf8"
)

// message is a JSON-RPC message as it is on the wire, with the places of the
// parts that the wrapper looks at. All slices point into the raw bytes, which
// are what is forwarded: what was judged and what is passed on are the same.
type message struct {
	raw    []byte
	kind   kind
	id     []byte // as written
	method string
	params []byte
	result []byte
	fault  []byte // the "error" member
}

type kind uint8

const (
	request kind = iota + 1
	notification
	response
	batch
)

// errAmbiguous marks a message that two parsers may read in two ways, as
// {"method":"tools/list","METHOD":"tools/call"} is: encoding/json folds case
// and takes the last of two keys, others do neither.
var errAmbiguous = errors.New("ambiguous message")

// scanDepth bounds nesting; encoding/json's own limit is ten times that.
const scanDepth = 1000

// Names whose look-alikes make a message ambiguous.
var (
	envelopeNames = []string{"jsonrpc", "id", "method", "params", "result", "error"}
	callNames     = []string{"name", "arguments", "_meta", "inputResponses", "requestState", "task"}
)

// scan finds the parts of a message. It is case-sensitive and refuses what is
// ambiguous.
func scan(raw []byte) (message, error) {
	m := message{raw: raw}
	if !utf8.Valid(raw) {
		return m, errors.New("the message is not valid UTF-8")
	}
	text := bytes.TrimLeft(raw, " \t\r\n")
	if len(text) > 0 && text[0] == '[' {
		m.kind = batch
		return m, nil
	}
	var hasMethod bool
	err := members(raw, envelopeNames, func(key string, value []byte) error {
		switch key {
		case "id":
			m.id = value
		case "method":
			hasMethod = true
			var err error
			m.method, err = decodeString(value)
			return err
		case "params":
			m.params = value
		case "result":
			m.result = value
		case "error":
			m.fault = value
		}
		return nil
	})
	if err != nil {
		return m, err
	}
	switch {
	case hasMethod && m.id != nil && !isNull(m.id):
		m.kind = request
	case hasMethod:
		m.kind = notification
	case m.id != nil && (m.result != nil) != (m.fault != nil):
		m.kind = response
	default:
		return m, errors.New("neither a request nor a response")
	}
	if m.id != nil && (m.id[0] == '{' || m.id[0] == '[' || m.id[0] == 't' || m.id[0] == 'f') {
		return m, errors.New("the id is neither a string nor a number")
	}
	return m, nil
}

// elements splits a batch.
func elements(raw []byte) ([][]byte, error) {
	var parts [][]byte
	p := parser{text: raw}
	p.space()
	if !p.take('[') {
		return nil, p.wrong("an array")
	}
	for p.space(); !p.take(']'); p.space() {
		if len(parts) > 0 {
			if !p.take(',') {
				return nil, p.wrong("a comma")
			}
			p.space()
		}
		start := p.at
		if err := p.skip(); err != nil {
			return nil, err
		}
		parts = append(parts, raw[start:p.at])
	}
	return parts, p.end()
}

// members calls yield for each member of an object, with the key decoded and
// the value as written. Two keys that are equal, and a key that only looks
// like one of the names, end it with errAmbiguous.
func members(raw []byte, names []string, yield func(key string, value []byte) error) error {
	p := parser{text: raw}
	p.space()
	if !p.take('{') {
		return p.wrong("an object")
	}
	var few [16]string
	seen := few[:0]
	var many map[string]bool
	for p.space(); !p.take('}'); p.space() {
		if len(seen) > 0 || many != nil {
			if !p.take(',') {
				return p.wrong("a comma")
			}
			p.space()
		}
		key, err := p.key()
		if err != nil {
			return err
		}
		if err := ambiguous(key, names); err != nil {
			return err
		}
		if many == nil && len(seen) == len(few) {
			many = make(map[string]bool)
			for _, k := range seen {
				many[k] = true
			}
		}
		twice := many[key]
		if many == nil {
			for _, k := range seen {
				twice = twice || k == key
			}
			seen = append(seen, key)
		} else {
			many[key] = true
		}
		if twice {
			return fmt.Errorf("%w: the key %q is there twice", errAmbiguous, key)
		}
		p.space()
		if !p.take(':') {
			return p.wrong("a colon")
		}
		p.space()
		start := p.at
		if err := p.skip(); err != nil {
			return err
		}
		if err := yield(key, raw[start:p.at]); err != nil {
			return err
		}
	}
	return p.end()
}

// ambiguous refuses keys that another parser takes for a known one.
func ambiguous(key string, names []string) error {
	if strings.IndexByte(key, 0) >= 0 {
		return fmt.Errorf("%w: the key %q holds a NUL", errAmbiguous, key)
	}
	for _, name := range names {
		if key == name {
			return nil
		}
	}
	for _, name := range names {
		if len(key) >= len(name) && len(key) <= 3*len(name) && strings.EqualFold(key, name) {
			return fmt.Errorf("%w: the key %q looks like %q", errAmbiguous, key, name)
		}
	}
	return nil
}

// member finds one member of an object; nil when it is not there. The object
// has been scanned before, so that a fault in it is as good as absence.
func member(raw []byte, path ...string) []byte {
	for _, name := range path {
		var found []byte
		err := members(raw, nil, func(key string, value []byte) error {
			if key == name {
				found = value
			}
			return nil
		})
		if err != nil || found == nil {
			return nil
		}
		raw = found
	}
	return raw
}

// text is a string member, decoded; "" when it is no string.
func text(raw []byte) string {
	s, err := decodeString(raw)
	if err != nil {
		return ""
	}
	return s
}

// idKey makes ids comparable: 1 and 1.0 are the same id, and so are a string
// and its spelling with escapes. Digits are never lost, as they would be in a
// float64.
func idKey(id []byte) string {
	if len(id) == 0 {
		return ""
	}
	if id[0] == '"' {
		if bytes.IndexByte(id, '\\') < 0 {
			return string(id)
		}
		return `"` + text(id) + `"`
	}
	if bytes.ContainsAny(id, ".eE") && len(id) < 64 {
		if r, ok := new(big.Rat).SetString(string(id)); ok && exponentIsSmall(id) && r.IsInt() {
			return r.Num().String()
		}
	}
	return string(id)
}

// exponentIsSmall keeps 1e999999999 from becoming a number of that many digits.
func exponentIsSmall(number []byte) bool {
	i := bytes.IndexAny(number, "eE")
	return i < 0 || len(number)-i <= 4
}

func isNull(raw []byte) bool { return string(raw) == "null" }

// parser walks over JSON without building anything.
type parser struct {
	text []byte
	at   int
}

func (p *parser) space() {
	for p.at < len(p.text) {
		switch p.text[p.at] {
		case ' ', '\t', '\r', '\n':
			p.at++
		default:
			return
		}
	}
}

func (p *parser) take(c byte) bool {
	if p.at < len(p.text) && p.text[p.at] == c {
		p.at++
		return true
	}
	return false
}

func (p *parser) end() error {
	p.space()
	if p.at != len(p.text) {
		return p.wrong("the end")
	}
	return nil
}

func (p *parser) wrong(want string) error {
	return fmt.Errorf("not JSON at byte %d: want %s", p.at, want)
}

// key reads a string and decodes it.
func (p *parser) key() (string, error) {
	start := p.at
	if err := p.skipString(); err != nil {
		return "", err
	}
	return decodeString(p.text[start:p.at])
}

func decodeString(raw []byte) (string, error) {
	if len(raw) >= 2 && raw[0] == '"' && bytes.IndexByte(raw, '\\') < 0 {
		return known(raw[1 : len(raw)-1]), nil
	}
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return "", fmt.Errorf("want a string: %w", err)
	}
	return s, nil
}

// known spares the common words an allocation.
func known(b []byte) string {
	if word, ok := words[string(b)]; ok {
		return word
	}
	return string(b)
}

var words = func() map[string]string {
	m := map[string]string{}
	for _, list := range [][]string{envelopeNames, callNames, {"tools/call", "tools/list", "ping", "notifications/progress", "notifications/message"}} {
		for _, word := range list {
			m[word] = word
		}
	}
	return m
}()

func (p *parser) skipString() error {
	if !p.take('"') {
		return p.wrong("a string")
	}
	for {
		i := bytes.IndexByte(p.text[p.at:], '"')
		if i < 0 {
			p.at = len(p.text)
			return p.wrong("the end of a string")
		}
		piece := p.text[p.at : p.at+i]
		slash := bytes.IndexByte(piece, '\\')
		if slash < 0 {
			p.at += i + 1
			return nil
		}
		p.at += slash + 2 // past the escaped character, whatever it is
		if p.at > len(p.text) {
			p.at = len(p.text)
			return p.wrong("the end of a string")
		}
	}
}

// skip passes over one value of any kind, without recursion.
func (p *parser) skip() error {
	var stack [(scanDepth + 63) / 64]uint64 // a set bit is an object
	depth := 0
	object := func() bool { return stack[(depth-1)/64]>>((depth-1)%64)&1 == 1 }
	for {
		p.space()
		if p.at >= len(p.text) {
			return p.wrong("a value")
		}
		switch c := p.text[p.at]; c {
		case '{', '[':
			if depth == scanDepth {
				return fmt.Errorf("nested deeper than %d", scanDepth)
			}
			p.at++
			p.space()
			if p.take(c + 2) { // } follows { by two in ASCII, ] follows [
				break
			}
			depth++
			if c == '[' {
				stack[(depth-1)/64] &^= 1 << ((depth - 1) % 64)
			} else {
				stack[(depth-1)/64] |= 1 << ((depth - 1) % 64)
				if err := p.name(); err != nil {
					return err
				}
			}
			continue
		case '"':
			if err := p.skipString(); err != nil {
				return err
			}
		default:
			if err := p.skipWord(); err != nil {
				return err
			}
		}
		for {
			if depth == 0 {
				return nil
			}
			p.space()
			closing := byte(']')
			if object() {
				closing = '}'
			}
			if p.take(closing) {
				depth--
				continue
			}
			if !p.take(',') {
				return p.wrong("a comma or a closing bracket")
			}
			p.space()
			if object() {
				if err := p.name(); err != nil {
					return err
				}
			}
			break
		}
	}
}

// name passes over a key and its colon.
func (p *parser) name() error {
	if err := p.skipString(); err != nil {
		return err
	}
	p.space()
	if !p.take(':') {
		return p.wrong("a colon")
	}
	return nil
}

// skipWord passes over a number or a literal.
func (p *parser) skipWord() error {
	start := p.at
	for p.at < len(p.text) {
		c := p.text[p.at]
		if c != '+' && c != '-' && c != '.' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && c != 'E' {
			break
		}
		p.at++
	}
	switch word := p.text[start:p.at]; {
	case len(word) == 0:
		return p.wrong("a value")
	case word[0] == '-' || word[0] >= '0' && word[0] <= '9':
		if number(word) {
			return nil
		}
	case string(word) == "true", string(word) == "false", string(word) == "null":
		return nil
	}
	p.at = start
	return p.wrong("a number, true, false or null")
}

// number checks the grammar of RFC 8259.
func number(w []byte) bool {
	digits := func() bool {
		n := 0
		for len(w) > 0 && w[0] >= '0' && w[0] <= '9' {
			w, n = w[1:], n+1
		}
		return n > 0
	}
	if w[0] == '-' {
		w = w[1:]
	}
	if len(w) > 1 && w[0] == '0' && w[1] >= '0' && w[1] <= '9' || !digits() {
		return false
	}
	if len(w) > 0 && w[0] == '.' {
		if w = w[1:]; !digits() {
			return false
		}
	}
	if len(w) > 0 && (w[0] == 'e' || w[0] == 'E') {
		if w = w[1:]; len(w) > 0 && (w[0] == '+' || w[0] == '-') {
			w = w[1:]
		}
		if !digits() {
			return false
		}
	}
	return len(w) == 0
}
