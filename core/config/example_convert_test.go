package config_test

import (
	"fmt"

	"mcpmend/core/config"
)

func ExampleDetect() {
	d := config.Detect(`{"mcpServers": {"docs": {"serverUrl": "https://docs.example.com/mcp"}}}`, "")
	fmt.Println(d.Client.Name, d.Others)

	d = config.Detect("[mcp_servers.docs]\nurl = \"https://docs.example.com/mcp\"\n", "")
	fmt.Println(d.Client.Name, d.Format)
	// Output:
	// Windsurf [antigravity]
	// OpenAI Codex toml
}

func ExampleConvert() {
	doc, err := config.Parse(`{"mcpServers": {
		"issues": {"url": "https://issues.example.com/mcp", "headers": {"Authorization": "Bearer ${env:TOKEN}"}},
		"files": {"command": "npx", "args": ["-y", "files-mcp"], "envFile": ".env"}
	}}`, config.Options{Client: "cursor"})
	if err != nil {
		fmt.Println(err)
		return
	}
	to := config.ClientByID("codex")
	converted, err := config.Convert(doc, to, config.ConvertOptions{OS: config.Linux})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(converted.Text)
	for _, l := range converted.Losses {
		fmt.Printf("%s: %s: %s\n", l.Server, l.Field, l.Why)
	}
	// Output:
	// [mcp_servers.issues]
	// url = "https://issues.example.com/mcp"
	// bearer_token_env_var = "TOKEN"
	//
	// [mcp_servers.files]
	// command = "npx"
	// args = ["-y", "files-mcp"]
	// files: envFile: OpenAI Codex has no field for it
}
