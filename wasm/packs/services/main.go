// Command services is a fix module about what servers talk to: databases,
// services that want a key, browsers.
package main

import (
	"mcpmend/wasm/packs/internal/browsers"
	"mcpmend/wasm/packs/internal/databases"
	"mcpmend/wasm/packs/internal/pack"
	"mcpmend/wasm/packs/internal/tokens"
)

func main() { pack.Main(databases.Propose, tokens.Propose, browsers.Propose) }
