package config

import (
	"strings"
	"testing"

	"github.com/matryer/is"
)

// planted are texts with one secret each. The secrets are put together at run
// time so that no scanner takes this file for a leak.
var planted = []struct {
	name, text, secret, shown string // %s is where the secret stands; shown, where not empty, stays readable
}{
	{"openai", `"OPENAI_API_KEY": "%s"`, "sk-" + "abcd1234efgh5678ijkl9012", "sk-****"},
	{"openai project", `key is %s, sorry`, "sk-proj-" + "Ab3dEf6hIj9lMn2pQr5tUv8x", "sk-proj-****"},
	{"anthropic", `{"env":{"K":"%s"}}`, "sk-ant-" + "api03-Zk3jf92LkQmmx81ndYt0aa", "sk-ant-****"},
	{"github classic", `git clone failed for %s`, "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a", "ghp_****"},
	{"github fine", `token=%s`, "github_pat_" + "11ABCDEFG0abcdefghijkl_mnopqrstuvwxyz0123456789", "github_pat_****"},
	{"gitlab", `--token %s --stdio`, "glpat-" + "x9Yz8wVuT7s6R5q4P3o2", "--stdio"},
	{"slack bot", `SLACK_BOT_TOKEN=%s node index.js`, "xoxb-" + "1234567890-abcdefGHIJKL", "node index.js"},
	{"slack app", `"SLACK_APP": "%s"`, "xapp-" + "1-A01B2C3D4-1234567890", "xapp-****"},
	{"aws id", `%s was denied`, "AKIA" + "IOSFODNN7EXAMPLE", "was denied"},
	{"aws secret", `aws_secret_access_key = %s`, "wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzzzzKEY1", "aws_secret_access_key"},
	{"google", `?key=%s&x=1`, "AIza" + "SyA1234567890abcdefghijklmnopqrstu", "&x=1"},
	{"google oauth", `%s`, "ya29." + "a0AfB_byC1234567890abcdef", "ya29.****"},
	{"npm", `//registry.example.org/:_authToken=%s`, "npm_" + "a1b2c3d4e5f6g7h8i9j0k1l2m3n4o5p6q7r8", "registry.example.org"},
	{"hugging face", `HF_TOKEN: %s`, "hf_" + "AbCdEfGhIjKlMnOpQr12", "hf_****"},
	{"stripe", `"--api-key=%s"`, "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc", "sk_live_****"},
	{"sendgrid", `%s rejected`, "SG." + "aBcDeFgHiJkLmNoPqRsTuV.wXyZ0123456789", "rejected"},
	{"jwt", `Authorization: Bearer %s`, "eyJ" + "hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N", "Bearer "},
	{"jwt alone", `got %s.`, "eyJ" + "hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N", "got "},
	{"pem", "-----BEGIN RSA PRIVATE KEY-----\n%s\n-----END RSA PRIVATE KEY-----", "MIIEpAIBAAKCAQEAabc123", "-----END RSA"},
	{"pem escaped", `"KEY": "-----BEGIN PRIVATE KEY-----\n%s\n-----END PRIVATE KEY-----\n"`, "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC", "-----END"},
	{"pem cut", "-----BEGIN EC PRIVATE KEY-----\n%s", "MHcCAQEEIBabc", "-----BEGIN EC"},
	{"postgres", `postgres://app:%s@db.example.com:5432/main`, "hunter2", "@db.example.com:5432/main"},
	{"mongodb with @", `mongodb+srv://u:%s@cluster.example.com/`, "p@ss:w0rd", "@cluster.example.com"},
	{"url token", `https://%s@git.example.com/x.git`, "x0a1b2c3d4e5f6a7b8c9d0", "@git.example.com"},
	{"query", `https://mcp.example.com/sse?access_token=%s&user=me`, "zzz9zzz8", "&user=me"},
	{"query signature", `https://s.example.com/f?sig=%s`, "a1B2c3D4e5", "f?sig="},
	{"bearer in json", `"Authorization": "Bearer %s"`, "short1", `"Bearer ****"`},
	{"bearer in text", `sent Bearer %s to it`, "q1w2e3r4t5y6u7i8", "to it"},
	{"basic", `Authorization: Basic %s`, "dXNlcjpodW50ZXIy", "Basic ****"},
	{"header arg", `"--header", "X-Api-Key: %s"`, "topsecret99", "X-Api-Key"},
	{"header tight", `"X-Api-Key:%s"`, "topsecret99", "X-Api-Key"},
	{"args list", `"args": ["--api-key", "%s", "--stdio"]`, "abc", "--stdio"},
	{"args list over lines", "\"--token\",\n        \"%s\",\n", "abc123", "--token"},
	{"args yaml", "args:\n  - --token\n  - %s\n", "abc123def", "--token"},
	{"flag equals", `npx server --password=%s --x`, "hunter2", "--x"},
	{"flag blank", `npx server --client-secret %s`, "Hunter2Hunter", "--client-secret"},
	{"password json", `{"password": "%s", "user": "me"}`, "correct horse battery", `"user": "me"`},
	{"password with quote", `{"password": "%s", "user": "me"}`, `ab\"cd`, `"user": "me"`},
	{"password yaml", "db:\n  password: %s\n  host: x\n", "hunter2", "host: x"},
	{"password toml", `client_secret = "%s"`, "s3cr3t", "client_secret"},
	{"env shell", `export DB_PASS='%s'`, "hunter2 x", "DB_PASS"},
	{"camel case", `"accessToken": "%s"`, "abcdefgh", "accessToken"},
	{"json in json", `"{\"apiKey\": \"%s\"}"`, "abc123", "apiKey"},
	{"json in json in json", `"{\\\"apiKey\\\": \\\"%s\\\"}"`, "abc123", "apiKey"},
	{"url-encoded name", `redirect?next=%%2Fcb%%3Faccess_token%%3D%s%%26a=1`, "abc123xyz", "a=1"},
	{"unicode escape", `"token\u0022: \u0022%s\u0022"`, "abc123", "token"},
	{"long base64", `got %s from it`, "Zx8Kq2LmN4pR7sT1uV3wY5zA9bC0dE6fG", "from it"},
	{"long hex", `id %s`, "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822c", "id "},
	{"path segment", `https://mcp.example.com/api/mcp/s/%s/mcp`, "Zx8Kq2LmN4pR7sT1uV3wY5zA9bC0dE6fG", "/mcp"},
	{"connection string", `Server=db;User Id=sa;Password=%s;Encrypt=yes`, "hunter2", "Encrypt=yes"},
	{"mysql dsn", `"DSN": "%s"`, "root:hunter2@tcp(db:3306)/x", "DSN"},
	{"cookie", `Cookie: %s`, "session=abc123def456", "Cookie"},
	{"over two lines", "%s", "ghp_" + "16C7e42F292c6912\nE7710c838347Ae178B4a", "ghp_****"},
	{"base64 of a token", `%s`, "c2stYW50LWFwaTAzLVprM2pmOTJMa1FtbXg4MW5kWXQwYWE", ""},
	{"colours", "TOKEN=\x1b[31m%s\x1b[0m", "abc123def", "TOKEN"},
	{"zero width", "%s", "ghp_16C7e42F\u200b292c6912E7710c838347Ae178B4a", "ghp_****"},
	{"slack webhook", `https://hooks.slack.com/services/%s`, "T00000001/B00000002/abcdefGHIJ1234567890klmn", "hooks.slack.com"},
	{"figma", `--figma-api-key=%s`, "figd_" + "AbCd1234EfGh5678IjKl", "figd_****"},
	{"linear", `LINEAR=%s`, "lin_api_" + "AbCd1234EfGh5678IjKl", "lin_api_****"},
	{"notion", `{"N": "%s"}`, "ntn_" + "1234567890abcdefABCDEF1234", "ntn_****"},
}

func TestMaskHidesSecrets(t *testing.T) {
	for _, test := range planted {
		t.Run(test.name, func(t *testing.T) {
			is := is.New(t)
			text := strings.ReplaceAll(strings.Replace(test.text, "%s", test.secret, 1), "%%", "%")
			masked := Mask(text)
			body := test.secret[visiblePrefix(test.secret):]
			for i := 0; i+5 <= len(body); i += 5 {
				if strings.Contains(masked, body[i:i+5]) {
					t.Errorf("%q still shows %q", masked, body[i:i+5])
				}
			}
			is.True(!strings.Contains(masked, test.secret))
			is.True(strings.Contains(masked, test.shown)) // what is no secret stays
			is.Equal(Mask(masked), masked)                // masking twice is masking once
		})
	}
}

func TestMaskLeavesTheRest(t *testing.T) {
	innocent := []string{
		`"GITHUB_TOKEN": "${GITHUB_TOKEN}"`, `"GITHUB_TOKEN": "$GITHUB_TOKEN"`, `"API_KEY": "YOUR_API_KEY"`,
		`"token": "<token>"`, `"token": "<your token here>"`, `"API_KEY": "your-api-key"`, `"KEY": "${input:api-key}"`,
		`"Authorization": "Bearer ${TOKEN}"`, `"Authorization": "Bearer <token>"`, `sk-xxxxxxxxxxxxxxxxxxxxxxxx`, `ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx`,
		`"NOTION_TOKEN": "ntn_xxxxx..."`, `"API_KEY": ""`, `"token": null`, `"secret": "{{secret:1}}"`,
		`max_tokens: 4096`, `"max_tokens": 4096`, `tokens=1200`, `Unexpected token: expected a string`,
		`SyntaxError: Unexpected token '<', "<!DOCTYPE "... is not valid JSON`, `Unexpected token } in JSON at position 12`,
		`X_API_KEY is required`, `Error: GITHUB_TOKEN: not set`, `token_url: https://auth.example.com/token`,
		`WWW-Authenticate: Bearer error="invalid_token"`, `Bearer authentication is required`, `invalid bearer token`,
		`npx -y @modelcontextprotocol/server-sequential-thinking`, `@modelcontextprotocol/server-filesystem@2025.8.21`,
		`/Users/you/Library/Application Support/Claude/claude_desktop_config.json`,
		`/home/you/.npm/_npx/15b07286cbcc3329/node_modules/.bin/mcp-server`,
		`C:\Users\you\AppData\Roaming\npm\node_modules`, `spawn npx ENOENT`, `MCP error -32000: Connection closed`,
		`sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08`,
		`integrity sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==`,
		`git+https://git.example.com/x#16c7e42f292c6912e7710c838347ae178b4a0000`, `commit 16c7e42f292c6912e7710c838347ae178b4a0000`,
		`550e8400-e29b-41d4-a716-446655440000`, `https://git@git.example.com/x.git`, `postgres://localhost:5432/db`,
		`at ListToolsRequestSchemaHandlerFactoryImpl (index.js:12:34)`, `NODE_MODULE_VERSION 127`, `ERR_MODULE_NOT_FOUND`,
		`"author": "someone else entirely"`, `"keyboard": "qwerty"`, `"key": "ctrl+shift+p"`, `the key is missing`, `password_file=/run/secrets/db`,
		`http://127.0.0.1:8000/mcp?transport=sse`, `"env": {"PATH": "/usr/bin:/bin"}`, `"command": "docker"`,
		`"--token", "--stdio"`, `GITLAB_PERSONAL_ACCESS_TOKEN=...`, `API-KEY-REMOVED`, `"CONTEXT7_API_KEY": "API-KEY-REMOVED"`,
		`2025-11-15T02:03:04.123Z [info] [github] Server transport closed unexpectedly`, ``, `****`, `%`, `\`, `"`,
	}
	for _, text := range innocent {
		if masked := Mask(text); masked != text {
			t.Errorf("%q\nbecame %q", text, masked)
		}
	}
}

func TestMaskValue(t *testing.T) {
	tests := []struct{ key, value, want string }{
		{"GITHUB_TOKEN", "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a", "ghp_****"},
		{"DB_PASSWORD", "hunter2", "****"},
		{"Authorization", "Bearer abc", "Bearer ****"},
		{"API_KEY", "${API_KEY}", "${API_KEY}"},
		{"PATH", "/usr/bin", "/usr/bin"},
		{"DATABASE_URL", "postgres://u:pw@h/d", "postgres://u:****@h/d"},
		{"API_KEY", "", ""},
		{"key", "ctrl+p", "ctrl+p"},
	}
	for _, test := range tests {
		is := is.New(t)
		is.Equal(MaskValue(test.key, test.value), test.want)
	}
}
