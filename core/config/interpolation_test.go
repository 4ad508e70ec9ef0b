package config

import (
	"testing"

	"github.com/matryer/is"
)

func TestReferences(t *testing.T) {
	for _, tt := range []struct {
		text string
		want []string // text form name default
	}{
		{"plain", nil},
		{"Bearer ${TOKEN}", []string{"${TOKEN} ${VAR} TOKEN "}},
		{"${A:-b c}x$D", []string{"${A:-b c} ${VAR:-default} A b c", "$D $VAR D "}},
		{"${env:A}", []string{"${env:A} ${env:VAR} A "}},
		{"{env:A}{file:./x}", []string{"{env:A} {env:VAR} A ", "{file:./x} {file:PATH} ./x "}},
		{"${input:api-key}", []string{"${input:api-key} ${input:ID} api-key "}},
		{"${{ secrets.A }}", []string{"${{ secrets.A }} ${{ secrets.VAR }} A "}},
		{"${workspaceFolder}/x", []string{"${workspaceFolder} ${workspaceFolder} workspaceFolder "}},
		{"${user_config.dir}", []string{"${user_config.dir} ${user_config.KEY} dir "}},
		{"${__dirname}/a", []string{"${__dirname} ${__dirname} __dirname "}},
		{"$(op read x)", []string{"$(op read x) $(COMMAND) op read x "}},
		{"{{LIBRECHAT_USER_ID}}", []string{"{{LIBRECHAT_USER_ID}} {{VAR}} LIBRECHAT_USER_ID "}},
		{"%APPDATA%\\x", []string{"%APPDATA% %VAR% APPDATA "}},
		{"https://e/%20a%2Fb", nil},
		{"100% of 50%", nil},
		{"$", nil}, {"${", nil}, {"${}", nil}, {"${A\n}", nil}, {"cost: $5", nil}, {`{"a": 1}`, nil},
	} {
		t.Run(tt.text, func(t *testing.T) {
			var got []string
			for _, r := range References(tt.text) {
				got = append(got, tt.text[r.Start:r.End]+" "+r.Form+" "+r.Name+" "+r.Default)
			}
			is.New(t).Equal(got, tt.want)
		})
	}
}

func TestExpands(t *testing.T) {
	for _, tt := range []struct {
		client, form string
		role         Role
		want         Answer
	}{
		{"claude-code", "${VAR}", RoleArgs, Yes},
		{"claude-code", "${env:VAR}", RoleEnv, No},
		{"claude-code", "${VAR}", RoleCwd, No},
		{"cursor", "${VAR}", RoleEnv, No},
		{"cursor", "${env:VAR}", RoleEnv, Yes},
		{"codex", "${VAR}", RoleEnv, No},
		{"warp", "${VAR}", RoleEnv, Unknown},
		{"copilot-cloud-agent", "$VAR", RoleEnv, Yes},
		{"amazon-q", "${env:VAR}", RoleArgs, No},
		{"opencode", "{env:VAR}", RoleURL, Yes},
	} {
		t.Run(tt.client+" "+tt.form+" "+string(tt.role), func(t *testing.T) {
			is.New(t).Equal(ClientByID(tt.client).Expands(tt.form, tt.role), tt.want)
		})
	}
}
