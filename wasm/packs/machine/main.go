// Command machine is a fix module about the machine that servers run on: the
// directories that they may see, and how Windows starts them.
package main

import (
	"mcpmend/wasm/packs/internal/pack"
	"mcpmend/wasm/packs/internal/roots"
	"mcpmend/wasm/packs/internal/windows"
)

func main() { pack.Main(roots.Propose, windows.Propose) }
