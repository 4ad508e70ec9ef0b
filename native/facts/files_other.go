//go:build !unix

package facts

import "io/fs"

// Windows has access lists, not modes.
func mode(fs.FileInfo) string  { return "" }
func owner(fs.FileInfo) string { return "" }
