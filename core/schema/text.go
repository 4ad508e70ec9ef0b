package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Limits on what is read at all.
const (
	maxSchemaBytes   = 1 << 20
	maxArgumentBytes = 4 << 20
	maxDepth         = 500
	// An exponent of nine digits would make the validator's exact arithmetic
	// ask for gigabytes.
	maxNumberLength = 400
	maxExponent     = 400
)

// ranks orders the keys of objects: by their first appearance in a text.
type ranks map[string]int

func (r ranks) compare(a, b string) int {
	rankA, knownA := r[a]
	rankB, knownB := r[b]
	switch {
	case knownA && knownB:
		return rankA - rankB
	case knownA:
		return -1
	case knownB:
		return 1
	}
	return strings.Compare(a, b)
}

func (r ranks) add(key string) {
	if _, known := r[key]; !known {
		r[key] = len(r)
	}
}

// rename gives a new key the place of the one that it replaces.
func (r ranks) rename(from, to string) {
	if _, known := r[to]; !known {
		r[to] = r[from]
	}
}

// sorted gives the keys of m in order.
func sorted[V any](r ranks, m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, r.compare)
	return keys
}

// decode reads one JSON value within the limits, with numbers as written, and
// adds its keys to rank.
func decode(text []byte, limit int, rank ranks) (any, error) {
	return decodeUnder(text, limit, rank, "")
}

// decodeUnder is decode that ranks only the keys of objects under one key.
func decodeUnder(text []byte, limit int, rank ranks, under string) (any, error) {
	if len(text) > limit {
		return nil, fmt.Errorf("has %d bytes; at most %d are read", len(text), limit)
	}
	if err := scan(text, rank, under); err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, syntaxError(text, err)
	}
	if decoder.More() {
		return nil, fmt.Errorf("has more text after the JSON value, at byte %d", decoder.InputOffset())
	}
	return value, nil
}

func syntaxError(text []byte, err error) error {
	at := len(text)
	if syntax, ok := err.(*json.SyntaxError); ok {
		at = int(syntax.Offset)
	}
	return fmt.Errorf("is not JSON: %s near byte %d", strings.TrimPrefix(err.Error(), "json: "), at)
}

// scan checks depth and numbers and ranks the keys, or only those of the
// objects under one key. It leaves the syntax to the decoder.
func scan(text []byte, rank ranks, under string) error {
	var around []string // the keys that the open brackets belong to
	last := ""
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '{' || c == '[':
			if around = append(around, last); len(around) > maxDepth {
				return fmt.Errorf("is nested deeper than %d levels", maxDepth)
			}
			last = ""
		case c == '}' || c == ']':
			around, last = around[:max(0, len(around)-1)], ""
		case c == '"':
			end := i + 1
			for end < len(text) && text[end] != '"' {
				if text[end] == '\\' {
					end++
				}
				end++
			}
			after := end + 1
			for after < len(text) && strings.IndexByte(" \t\r\n", text[after]) >= 0 {
				after++
			}
			if after < len(text) && text[after] == ':' {
				last = keyAt(text[i : end+1])
				if under == "" || len(around) > 0 && around[len(around)-1] == under {
					rank.add(last)
				}
			}
			i = end
		case c == '-' || c >= '0' && c <= '9':
			end := i + 1
			for end < len(text) && strings.IndexByte("+-.eE0123456789", text[end]) >= 0 {
				end++
			}
			if !reasonable(string(text[i:end])) {
				return fmt.Errorf("has a number that is too long or too large at byte %d", i)
			}
			i = end - 1
		}
	}
	return nil
}

func keyAt(literal []byte) string {
	var key string
	if json.Unmarshal(literal, &key) != nil {
		return "" // the decoder will say so
	}
	return key
}

// reasonable reports whether exact arithmetic on a number is cheap.
func reasonable(number string) bool {
	if len(number) > maxNumberLength {
		return false
	}
	if at := strings.IndexAny(number, "eE"); at >= 0 {
		exponent, err := strconv.Atoi(number[at+1:])
		return err == nil && exponent <= maxExponent && exponent >= -maxExponent
	}
	return true
}

// encode writes a decoded value as compact JSON with its keys in order.
func encode(value any, rank ranks) json.RawMessage {
	var out bytes.Buffer
	write(&out, value, rank)
	return out.Bytes()
}

func write(out *bytes.Buffer, value any, rank ranks) {
	switch value := value.(type) {
	case map[string]any:
		out.WriteByte('{')
		for i, key := range sorted(rank, value) {
			if i > 0 {
				out.WriteByte(',')
			}
			writeString(out, key)
			out.WriteByte(':')
			write(out, value[key], rank)
		}
		out.WriteByte('}')
	case []any:
		out.WriteByte('[')
		for i, item := range value {
			if i > 0 {
				out.WriteByte(',')
			}
			write(out, item, rank)
		}
		out.WriteByte(']')
	case string:
		writeString(out, value)
	case json.Number:
		out.WriteString(value.String())
	case bool:
		out.WriteString(strconv.FormatBool(value))
	default:
		out.WriteString("null")
	}
}

// writeString writes a JSON string without the escapes that only HTML needs.
func writeString(out *bytes.Buffer, s string) {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(s) == nil { // a string always encodes
		out.Truncate(out.Len() - 1)
	}
}

// lookUp finds the value at a place in a decoded document.
func lookUp(value any, tokens []string) (any, bool) {
	for _, token := range tokens {
		switch container := value.(type) {
		case map[string]any:
			member, ok := container[token]
			if !ok {
				return nil, false
			}
			value = member
		case []any:
			index, err := strconv.Atoi(token)
			if err != nil || index < 0 || index >= len(container) {
				return nil, false
			}
			value = container[index]
		default:
			return nil, false
		}
	}
	return value, true
}

// The escapes of a token of a JSON Pointer.
var (
	tokenEscapes   = strings.NewReplacer("~", "~0", "/", "~1")
	tokenUnescapes = strings.NewReplacer("~1", "/", "~0", "~")
)
