package config

// clientFor gives the client that a document belongs to.
func clientFor(root *Node, format Format, opts Options) *Client {
	return &Client{ID: opts.Client}
}

// readServers reads the server entries below the root keys that clients use.
func readServers(root *Node, c *Client) []Server {
	var servers []Server
	for _, pointer := range []string{
		"/mcpServers", "/servers", "/mcp/servers", "/context_servers", "/mcp_servers", "/mcp", "/extensions",
	} {
		at := root.At(pointer)
		if at == nil || at.Kind != Object {
			continue
		}
		for _, m := range at.Members {
			s := Server{Name: m.Name, Pointer: pointer + Pointer(m.Name), Node: m.Value, Key: m.Key, Transport: Stdio}
			if v := m.Value.Get("command"); v != nil {
				s.Command = v.Text
			}
			if v := m.Value.Get("args"); v != nil {
				for _, a := range v.Elements {
					s.Args = append(s.Args, a.Text)
				}
			}
			if v := m.Value.Get("url"); v != nil {
				s.URL, s.Transport = v.Text, HTTP
			}
			if v := m.Value.Get("env"); v != nil {
				for _, e := range v.Members {
					s.Env = append(s.Env, Variable{e.Name, e.Value.Text, e.Value})
				}
			}
			servers = append(servers, s)
		}
	}
	return servers
}
