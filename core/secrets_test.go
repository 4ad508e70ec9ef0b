package core_test

import (
	"encoding/json"
	"strings"
	"testing"

	"mcpmend/core"
)

// planted are secrets of the shapes that turn up in logs and configs; each is
// put where it stands in a sentence and must not come out again.
var planted = []struct{ secret, text string }{
	{"ghp_16C7e42F292c6912E7710c838347Ae178B4a", "Bad credentials: ghp_16C7e42F292c6912E7710c838347Ae178B4a"},
	{"github_pat_11ABCDEFG0aBcDeFgHiJkL_mNoPqRsTuVwXyZ0123456789abcdefghijklmnopqrstuvw", "HTTP 401 with github_pat_11ABCDEFG0aBcDeFgHiJkL_mNoPqRsTuVwXyZ0123456789abcdefghijklmnopqrstuvw"},
	{"gho_16C7e42F292c6912E7710c838347Ae178B4a", "invalid token gho_16C7e42F292c6912E7710c838347Ae178B4a"},
	{"glpat-AbCdEfGhIjKlMnOpQrSt", "401 Unauthorized for glpat-AbCdEfGhIjKlMnOpQrSt"},
	{"sk-proj-Ab12Cd34Ef56Gh78Ij90Kl12Mn34Op56Qr78St90Uv12Wx34", "Incorrect API key provided: sk-proj-Ab12Cd34Ef56Gh78Ij90Kl12Mn34Op56Qr78St90Uv12Wx34"},
	{"sk-ant-api03-Ab12Cd34Ef56Gh78Ij90Kl12Mn34Op56Qr78St90Uv12Wx34Yz56", "invalid x-api-key sk-ant-api03-Ab12Cd34Ef56Gh78Ij90Kl12Mn34Op56Qr78St90Uv12Wx34Yz56: authentication_error"},
	{"sk_live_4eC39HqLyjWDarjtT1zdp7dc", "Invalid API Key provided: sk_live_4eC39HqLyjWDarjtT1zdp7dc"},
	{"rk_live_4eC39HqLyjWDarjtT1zdp7dc", "403 Forbidden: rk_live_4eC39HqLyjWDarjtT1zdp7dc lacks permissions"},
	{"xoxb-123456789012-1234567890123-AbCdEfGhIjKlMnOpQrStUvWx", "invalid_auth xoxb-123456789012-1234567890123-AbCdEfGhIjKlMnOpQrStUvWx"},
	{"xapp-1-A012BCDEFGH-1234567890123-0123456789abcdef0123456789abcdef", "not_authed xapp-1-A012BCDEFGH-1234567890123-0123456789abcdef0123456789abcdef"},
	{"AKIAIOSFODNN7EXAMPLE", "The security token included in the request is invalid: AKIAIOSFODNN7EXAMPLE"},
	{"wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "SignatureDoesNotMatch AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"},
	{"AIzaSyA-1234567890abcdefghijklmnopqrstu", "API key not valid: AIzaSyA-1234567890abcdefghijklmnopqrstu"},
	{"ya29.a0AfH6SMBx1234567890abcdefghijklmnop", "invalid_grant for ya29.a0AfH6SMBx1234567890abcdefghijklmnop"},
	{"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U", "jwt expired: eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"},
	{"s3cr3tPassw0rd", "connect ECONNREFUSED postgres://app:s3cr3tPassw0rd@127.0.0.1:5432/db"},
	{"hunter2hunter2", "connect ECONNREFUSED redis://default:hunter2hunter2@localhost:6379"},
	{"m0ng0Passw0rd", "getaddrinfo ENOTFOUND mongodb+srv://app:m0ng0Passw0rd@cluster.example.com"},
	{"Zm9vOmJhcmJhemJhenF1eA==", "HTTP 401 sent Authorization: Basic Zm9vOmJhcmJhemJhenF1eA=="},
	{"abcDEF123456ghiJKL789", "HTTP 401 sent Authorization: Bearer abcDEF123456ghiJKL789"},
	{"tok_9f8e7d6c5b4a39281706", "spawn npx --token tok_9f8e7d6c5b4a39281706 ENOENT"},
	{"key_0123456789abcdefABCD", "error: unknown option --api-key=key_0123456789abcdefABCD"},
	{"npm_AbCdEfGhIjKlMnOpQrStUvWxYz0123456789", "npm error code E401 npm_AbCdEfGhIjKlMnOpQrStUvWxYz0123456789"},
	{"pypi-AgEIcHlwaS5vcmcCJDAxMjM0NTY3LTg5YWItY2RlZi0wMTIz", "403 Forbidden pypi-AgEIcHlwaS5vcmcCJDAxMjM0NTY3LTg5YWItY2RlZi0wMTIz"},
	{"hf_AbCdEfGhIjKlMnOpQrStUvWxYz01234567", "Invalid token hf_AbCdEfGhIjKlMnOpQrStUvWxYz01234567"},
	{"shpat_0123456789abcdef0123456789abcdef", "401 Unauthorized shpat_0123456789abcdef0123456789abcdef"},
	{"ntn_123456789012AbCdEfGhIjKlMnOpQrStUvWxYz0123456", "API token is invalid ntn_123456789012AbCdEfGhIjKlMnOpQrStUvWxYz0123456"},
	{"secret_AbCdEfGhIjKlMnOpQrStUvWxYz0123456789abcdefg", "API token is invalid secret_AbCdEfGhIjKlMnOpQrStUvWxYz0123456789abcdefg"},
	{"lin_api_AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCd", "authentication failed lin_api_AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCd"},
	{"dop_v1_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", "401 Unauthorized dop_v1_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"},
	{"SG.AbCdEfGhIjKlMnOpQrStUv.WxYz0123456789AbCdEfGhIjKlMnOpQrStUvWxYz012", "Permission denied, wrong credentials SG.AbCdEfGhIjKlMnOpQrStUv.WxYz0123456789AbCdEfGhIjKlMnOpQrStUvWxYz012"},
	{"tvly-AbCdEfGhIjKlMnOpQrStUvWxYz012345", "Unauthorized: missing or invalid API key tvly-AbCdEfGhIjKlMnOpQrStUvWxYz012345"},
	{"BSAabcdefghijklmnopqrstuvwxyz012", "HTTP 422 BRAVE_API_KEY=BSAabcdefghijklmnopqrstuvwxyz012 rejected: authentication failed"},
	{"pplx-0123456789abcdef0123456789abcdef0123456789abcdef", "401 Unauthorized pplx-0123456789abcdef0123456789abcdef0123456789abcdef"},
	{"q9w8e7r6t5y4u3i2o1p0", "connect ECONNREFUSED https://mcp.example.com/sse?api_key=q9w8e7r6t5y4u3i2o1p0"},
	{"z1x2c3v4b5n6m7a8s9d0", "SSE error: Non-200 status code (404) https://mcp.example.com/mcp?token=z1x2c3v4b5n6m7a8s9d0"},
	{"p4ssw0rd-in-json", `HTTP 401 {"password":"p4ssw0rd-in-json"}`},
	{"cl13nt-s3cr3t-value", `invalid_client {"client_secret":"cl13nt-s3cr3t-value"}`},
	{"s3ss10nC00k13Value99", "HTTP 403 Cookie: session=s3ss10nC00k13Value99"},
	{"X9kLmNoPqRsTuVwXyZ12", "NOTES_API_KEY=X9kLmNoPqRsTuVwXyZ12 is required to be valid: invalid api key"},
}

// No secret of the input comes out, but for the fields that carry the user's
// own bytes back: the repaired config, its edits and the patches.
func TestSecretsStayInside(t *testing.T) {
	for _, p := range planted {
		t.Run(p.text, func(t *testing.T) {
			quoted, err := json.Marshal(p.secret)
			if err != nil {
				t.Fatal(err)
			}
			for name, in := range map[string]core.Input{
				"text":   {Text: p.text},
				"lines":  {Text: "[error] [notes] " + p.text + "\n    at main (index.js:1)\nMCP error -32000: Connection closed"},
				"config": {Text: p.text, Config: `{"mcpServers":{"notes":{"command":"npx","args":["-y","notes"],"env":{"NOTES_TOKEN":` + string(quoted) + `},}}}`},
			} {
				r := core.Examine(in)
				r.Config = nil
				for i := range r.Diagnoses {
					for j := range r.Diagnoses[i].Fixes {
						r.Diagnoses[i].Fixes[j].Patch = nil
					}
				}
				out, err := json.Marshal(r)
				if err != nil {
					t.Fatal(err)
				}
				if strings.Contains(string(out), p.secret) {
					t.Errorf("%s: %s came out: %s", name, p.secret, out)
				}
			}
		})
	}
}
