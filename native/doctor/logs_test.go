package doctor

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"

	"mcpmend/core/config"
)

func TestLogsOfTheClientItself(t *testing.T) {
	is := is.New(t)
	p := newPlace(t)
	d := p.doctor()
	d.machine.OS = config.MacOS
	c := config.ClientByID("claude-desktop")
	text, paths := d.Logs(c, "weather")
	is.Equal(text, "")
	is.Equal(len(paths), 0)

	const dir = "~/Library/Logs/Claude/"
	older := p.put(dir+"mcp.log", "first\n", 0o600)
	p.put(dir+"mcp-server-weather.log", strings.Repeat("x", maxLogTail)+"\nspawn npx ENOENT", 0o600)
	p.put(dir+"mcp-server-other.log", "not this\n", 0o600)
	is.NoErr(os.Chtimes(older, time.Now(), time.Now().Add(-time.Hour)))
	text, paths = d.Logs(c, "weather")
	is.Equal(text, "first\nspawn npx ENOENT\n") // the older first, and of a long one the end
	is.Equal(len(paths), 2)
	is.Equal(filepath.Base(paths[1]), "mcp-server-weather.log")
	_, paths = d.Logs(c, "")
	is.Equal(len(paths), 3)
}

func TestRunningClients(t *testing.T) {
	is := is.New(t)
	names, err := processNames()
	is.NoErr(err)
	is.True(len(names) > 0) // at least this test
	for id := range programs {
		is.True(config.ClientByID(id) != nil)
	}
	_, known := Running(config.ClientByID("cursor"))
	is.True(known)
	_, known = Running(config.ClientByID("librechat"))
	is.True(!known)
}
