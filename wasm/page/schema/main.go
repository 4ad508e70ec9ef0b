//go:build js && wasm

// Command schema is the explainer of tool arguments for the page. It is a
// program of its own because the validator compiles its metaschemas at start,
// which would make everybody wait for what only some need.
package main

import (
	"mcpmend/wasm/page/bridge"
	"mcpmend/wasm/page/toolcall"
)

func main() {
	bridge.Serve("mcpmendSchema", map[string]bridge.Func{
		"explain": func(a []string) (string, error) { return toolcall.Explain(a[0], a[1]) },
	})
}
