package install

import (
	"errors"
	"os"
)

// lockFile refuses: without a lock two writers could lose each other's change.
func lockFile(*os.File) error {
	return errors.New("a WebAssembly build cannot lock files and so writes none; use the mcpmend binary")
}
