package schema

import (
	"encoding/json"

	"mcpmend/core/config"
)

// maxEcho bounds the echo of a received value, in bytes.
const maxEcho = 300

// echo gives a received value for showing: masked, and cut when it is long.
// What is cut becomes a string.
func (s *Schema) echo(at []string, value any) json.RawMessage {
	name := ""
	for _, token := range at {
		if !isIndex(token) {
			name = token
		}
	}
	text := encode(masked(name, value), s.rank)
	if len(text) <= maxEcho {
		return text
	}
	return encode(cut(string(text), maxEcho), nil)
}

// masked hides the secrets in a value that is about to be shown: by the name
// of the member that holds it, and by its look.
func masked(name string, value any) any {
	switch value := value.(type) {
	case string:
		if name == "" {
			return config.Mask(value)
		}
		return config.MaskValue(name, value)
	case []any:
		out := make([]any, len(value))
		for i, item := range value {
			out[i] = masked(name, item)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(value))
		for key, member := range value {
			out[key] = masked(key, member)
		}
		return out
	}
	return value
}
