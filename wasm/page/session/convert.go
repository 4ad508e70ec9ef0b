package session

import (
	"fmt"

	"mcpmend/core/config"
)

// converted is a config in another client's dialect.
type converted struct {
	Text   string        `json:"text"`
	File   string        `json:"file"`
	Losses []config.Loss `json:"losses"` // what the other client cannot say
	Notes  []config.Loss `json:"notes"`  // what it says in another way
}

// Convert writes a config, as a rule the mended one, for another client.
func (s *Session) Convert(text, file, to, system string) (string, error) {
	client := config.ClientByID(to)
	if client == nil {
		return "", fmt.Errorf("there is no client %q", to)
	}
	document, err := config.Parse(text, config.Options{Format: s.report.Format, Client: s.client(), File: file})
	if err != nil {
		return "", fmt.Errorf("reading the config: %w", err)
	}
	c, err := config.Convert(document, client, config.ConvertOptions{OS: config.OS(system)})
	if err != nil {
		return "", err
	}
	return encode(converted{c.Text, c.File, list(c.Losses), list(c.Notes)}), nil
}

// list is never null in JSON.
func list[T any](l []T) []T {
	if l == nil {
		return []T{}
	}
	return l
}

// convertible tells whether a client can be converted to, by doing it.
func convertible(c *config.Client) bool {
	document, err := config.Parse(`{"mcpServers":{"a":{"command":"a"}}}`, config.Options{Format: config.JSON})
	if err != nil {
		return false
	}
	_, err = config.Convert(document, c, config.ConvertOptions{})
	return err == nil
}
