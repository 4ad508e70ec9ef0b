package config

import (
	"fmt"
	"strconv"
	"strings"
)

var (
	pointerEscape   = strings.NewReplacer("~", "~0", "/", "~1")
	pointerUnescape = strings.NewReplacer("~1", "/", "~0", "~")
)

// Pointer writes the names as an RFC 6901 JSON Pointer.
func Pointer(names ...string) string {
	var out strings.Builder
	size := 0
	for _, name := range names {
		size += len("/") + len(name)
	}
	out.Grow(size)
	for _, name := range names {
		out.WriteByte('/')
		out.WriteString(pointerEscape.Replace(name))
	}
	return out.String()
}

// SplitPointer gives the names of an RFC 6901 JSON Pointer.
func SplitPointer(pointer string) ([]string, error) {
	if pointer == "" {
		return nil, nil
	}
	if pointer[0] != '/' {
		return nil, fmt.Errorf("the JSON pointer %q does not begin with a slash", pointer)
	}
	names := strings.Split(pointer[1:], "/")
	for i, name := range names {
		names[i] = pointerUnescape.Replace(name)
	}
	return names, nil
}

// arrayIndex reads a name of a pointer as the index of an array: decimal,
// without sign or leading zero.
func arrayIndex(name string) (int, bool) {
	if name == "" || name[0] == '+' || name[0] == '-' || len(name) > 1 && name[0] == '0' {
		return 0, false
	}
	i, err := strconv.Atoi(name)
	return i, err == nil
}
