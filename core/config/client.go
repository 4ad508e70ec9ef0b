package config

// Client is one MCP client: where it keeps its servers and how it spells them.
type Client struct {
	ID   string
	Name string
}
