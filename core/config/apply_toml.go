package config

import "errors"

func applyTOML(text string, p Patch) (string, []Edit, error) {
	return "", nil, errors.New("toml is not patched yet")
}
