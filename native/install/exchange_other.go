//go:build !linux

package install

import "errors"

// exchange is a Linux call; elsewhere the writer compares and renames.
func exchange(string, string) error { return errors.ErrUnsupported }
