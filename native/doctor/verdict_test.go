package doctor

import (
	"testing"

	"github.com/matryer/is"
)

// TestVerdictsAreAboutTheServer: what is odd in a file and harmless to its
// client takes no server's diagnosis away.
func TestVerdictsAreAboutTheServer(t *testing.T) {
	tests := []struct {
		name, file, text string
		state            State
		category         string
		starts           int
	}{
		{"noise in a file with a comma too many", "~/.config/Code/User/mcp.json", `{"servers": {"weather": {"type": "stdio", "command": "weather-server", "args": ["--banner"]},}}`, Warns, "stdout_pollution", 1},
		{"a comment in strict JSON", cursorFile, "{\n // mine\n \"mcpServers\": {\"weather\": {\"command\": \"weather-server\", \"args\": [\"--die\"]}}}", Broken, "connection_closed", 2},
		{"it says why it ends", cursorFile, `{"mcpServers": {"weather": {"command": "weather-server", "args": ["--need", "WEATHER_API_KEY"]}}}`, Broken, "missing_env_var", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			p := newPlace(t)
			p.put(tt.file, tt.text, 0o600)
			d := p.doctor()
			starts := 0
			o := d.Probe(t.Context(), p.weather(d), Watch{Phase: func(_ Subject, phase string) {
				if phase == "start" {
					starts++
				}
			}})
			is.Equal(o.State, tt.state)
			is.Equal(o.Report.Diagnoses[0].Category, tt.category)
			is.Equal(starts, tt.starts)
		})
	}
}
