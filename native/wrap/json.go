package wrap

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
)

// This file walks over JSON without building anything. What it hands out are
// slices of the text as it was written, and it takes nothing for JSON that
// encoding/json does not: such a slice can be put into a message of our own.

// scanDepth bounds nesting; encoding/json's own limit is ten times that.
const scanDepth = 1000

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
	var seen keys
	for p.space(); !p.take('}'); p.space() {
		if seen.count > 0 {
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
		if !seen.add(key) {
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

// keys is a set that needs no allocation for the few keys that most objects
// have.
type keys struct {
	count int
	few   [16]string
	more  map[string]bool
}

// add is false for a key that is there already.
func (k *keys) add(key string) bool {
	for _, old := range k.few[:min(k.count, len(k.few))] {
		if old == key {
			return false
		}
	}
	if k.count < len(k.few) {
		k.few[k.count] = key
	} else {
		if k.more[key] {
			return false
		}
		if k.more == nil {
			k.more = map[string]bool{}
		}
		k.more[key] = true
	}
	k.count++
	return true
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

// skipString passes over a string, and refuses what is none to other parsers:
// a raw control character, an escape that does not exist.
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
		if slash >= 0 {
			piece = piece[:slash]
		}
		if hasControl(piece) {
			return p.wrong("a string without raw control characters")
		}
		p.at += len(piece)
		if slash < 0 {
			p.at++
			return nil
		}
		if err := p.skipEscape(); err != nil {
			return err
		}
	}
}

// hasControl looks for bytes below 0x20, eight at a time: most of what a
// wrapper reads is text inside strings.
func hasControl(text []byte) bool {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	for ; len(text) >= 8; text = text[8:] {
		// A byte below 0x20 borrows into its high bit, which it did not have.
		word := binary.LittleEndian.Uint64(text)
		if (word-0x20*ones)&^word&highs != 0 {
			return true
		}
	}
	for _, c := range text {
		if c < 0x20 {
			return true
		}
	}
	return false
}

// skipEscape passes over a backslash and what it escapes.
func (p *parser) skipEscape() error {
	rest := p.text[p.at+1:]
	if len(rest) > 0 {
		switch rest[0] {
		case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
			p.at += 2
			return nil
		case 'u':
			if len(rest) > 4 && isHex(rest[1:5]) {
				p.at += 6
				return nil
			}
		}
	}
	return p.wrong("an escape that JSON has")
}

func isHex(digits []byte) bool {
	for _, c := range digits {
		if !(c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F') {
			return false
		}
	}
	return true
}

// skip passes over one value of any kind. It does not recurse, so that nesting
// costs a bit a level and no stack.
func (p *parser) skip() error {
	var open brackets
	for {
		inside, err := p.begin(&open)
		if err != nil {
			return err
		}
		if inside {
			continue
		}
		if more, err := p.proceed(&open); !more {
			return err
		}
	}
}

// brackets remembers which brackets are open; a set bit is an object's.
type brackets struct {
	bits  [(scanDepth + 63) / 64]uint64
	depth int
}

func (b *brackets) push(object bool) {
	word, bit := &b.bits[b.depth/64], uint64(1)<<(b.depth%64)
	*word &^= bit
	if object {
		*word |= bit
	}
	b.depth++
}

func (b *brackets) inObject() bool {
	last := b.depth - 1
	return b.bits[last/64]>>(last%64)&1 == 1
}

// begin passes over a value that has no parts, or goes inside one that has and
// stops before its first part.
func (p *parser) begin(open *brackets) (inside bool, err error) {
	p.space()
	if p.at >= len(p.text) {
		return false, p.wrong("a value")
	}
	switch c := p.text[p.at]; c {
	case '{', '[':
		if open.depth == scanDepth {
			return false, fmt.Errorf("nested deeper than %d", scanDepth)
		}
		p.at++
		p.space()
		if p.take(c + 2) { // } follows { by two in ASCII, ] follows [
			return false, nil
		}
		open.push(c == '{')
		if c == '{' {
			return true, p.name()
		}
		return true, nil
	case '"':
		return false, p.skipString()
	}
	return false, p.skipWord()
}

// proceed closes what ends here and stops before the next part. False means
// that nothing is open any more, or an error.
func (p *parser) proceed(open *brackets) (more bool, err error) {
	for open.depth > 0 {
		p.space()
		object := open.inObject()
		if object && p.take('}') || !object && p.take(']') {
			open.depth--
			continue
		}
		if !p.take(',') {
			return false, p.wrong("a comma or a closing bracket")
		}
		if p.space(); object {
			err = p.name()
		}
		return err == nil, err
	}
	return false, nil
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
