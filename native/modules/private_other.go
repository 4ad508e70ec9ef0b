//go:build !unix

package modules

// private trusts the place: below the user's profile others have no rights.
func private(string) error { return nil }
