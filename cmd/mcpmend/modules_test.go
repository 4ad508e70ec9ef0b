package main

import (
	"os"

	"github.com/rogpeppe/go-internal/testscript"

	. "mcpmend/core/module/moduletest"
)

// writeModule writes a fix module: module prints FILE ANSWER, module loops FILE,
// module starts FILE.
func writeModule(ts *testscript.TestScript, _ bool, args []string) {
	var data []byte
	switch args[0] {
	case "prints":
		data = Prints(ts.ReadFile(args[2]))
	case "loops":
		data = Command{Start: []byte{Loop, Empty, Branch, 0, End}}.Bytes()
	case "starts":
		data = Command{Sections: map[byte][]byte{Start: {0}}}.Bytes()
	default:
		ts.Fatalf("no module that %s", args[0])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), data, 0o644))
}
