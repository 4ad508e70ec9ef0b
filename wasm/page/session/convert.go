package session

import "errors"

func (s *Session) Convert(text, file, to string) (string, error) {
	return "", errors.New("not yet")
}
