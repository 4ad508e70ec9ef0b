package core_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"

	"mcpmend/core"
)

// TestWhatIsSetIsNotMissing: a message that asks for two variables is about the
// one that the entry does not set.
func TestWhatIsSetIsNotMissing(t *testing.T) {
	tests := []struct{ env, want string }{
		{`{}`, "CHAT_BOT_TOKEN"},
		{`{"CHAT_BOT_TOKEN": "x"}`, "CHAT_TEAM_ID"},
		{`{"CHAT_BOT_TOKEN": ""}`, "CHAT_BOT_TOKEN"},
		{`{"CHAT_TEAM_ID": "x"}`, "CHAT_BOT_TOKEN"},
		{`{"CHAT_BOT_TOKEN": "x", "CHAT_TEAM_ID": "y"}`, "CHAT_BOT_TOKEN"}, // it may be refused: what the server says stands
	}
	for _, tt := range tests {
		t.Run(tt.env, func(t *testing.T) {
			is := is.New(t)
			r := core.Examine(core.Input{Text: "Please set CHAT_BOT_TOKEN and CHAT_TEAM_ID environment variables\n", Server: "chat", Client: "cursor",
				Config: `{"mcpServers": {"chat": {"command": "chat-mcp", "env": ` + tt.env + `}}}`})
			is.Equal(r.Diagnoses[0].Names["variable"], tt.want)
			is.True(strings.Contains(r.Diagnoses[0].Title, tt.want))
		})
	}
}

// TestAdviceSpeaksTheClientsLanguage: where to put a variable is said with the
// key that the client has.
func TestAdviceSpeaksTheClientsLanguage(t *testing.T) {
	is := is.New(t)
	for client, key := range map[string]string{"goose": `"envs"`, "opencode": `"environment"`, "cursor": `"env"`, "": `"env"`} {
		d := core.Examine(core.Input{Text: "WEATHER_API_KEY environment variable is not set\n", Client: client}).Diagnoses[0]
		is.True(strings.Contains(d.SuggestedFix, key))
	}
}
