package core

import (
	"testing"

	"github.com/matryer/is"

	"mcpmend/core/fix"
)

// A probe says which server it probed. Its log does not, so a config of several
// servers must not keep the fixer from seeing the entry.
func TestTheServerThatIsAskedAboutIsMended(t *testing.T) {
	is := is.New(t)
	r := Examine(Input{
		Text:   "spawn /opt/weather/bin/weather-server ENOENT",
		Config: `{"mcpServers":{"other":{"command":"node"},"weather":{"command":"/opt/weather/bin/weather-server"}}}`,
		Server: "weather",
		Facts:  fix.Facts{Commands: map[string]string{"weather-server": "/usr/local/bin/weather-server"}},
	})
	is.Equal(r.Diagnoses[0].Server, "weather")
	is.True(len(r.Diagnoses[0].Fixes) > 0)
	is.Equal(r.Diagnoses[0].Fixes[0].Patch[0].Path, "/mcpServers/weather/command")
}
