package wrap

import (
	"bytes"
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

// idKey makes ids comparable: 1 and 1.0 are the same id, and so are a string
// and its spelling with escapes. Digits are never lost, as they would be in a
// float64. The key is JSON itself, so that it can stand for the id in a message.
func idKey(id []byte) string {
	if len(id) == 0 {
		return ""
	}
	if id[0] == '"' {
		if bytes.IndexFunc(id, func(r rune) bool { return r == '\\' || r >= utf8.RuneSelf }) < 0 {
			return string(id)
		}
		return string(encode(text(id)))
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
