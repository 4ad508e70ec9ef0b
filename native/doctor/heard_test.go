package doctor

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"

	"mcpmend/core"
)

const zedLog = "~/.local/share/zed/logs/Zed.log"

// logEvidence is what a diagnosis has from a log.
func logEvidence(d core.Diagnosis) (all []core.Evidence) {
	for _, e := range d.Evidence {
		if e.In == "log" {
			all = append(all, e)
		}
	}
	return all
}

// TestClientsOwnLogIsHeard joins what a probe sees with what the client of the
// server has written down before.
func TestClientsOwnLogIsHeard(t *testing.T) {
	const later = "2099-01-02T03:04:05+00:00 ERROR [context_server] "
	const before = "2001-01-02T03:04:05+00:00 ERROR [context_server] "
	const gone = `"command": "weather-server", "args": ["--die"]`
	tests := []struct {
		name, entry, log string
		category         string
		quote            string // in the log, "" for nothing
	}{
		{name: "the same, as evidence", entry: `"command": "absent-program"`, log: before + "weather: spawn absent-program ENOENT\n",
			category: "command_not_found", quote: "spawn absent-program ENOENT"},
		{name: "no log", entry: `"command": "absent-program"`, category: "command_not_found"},
		{name: "of another server", entry: `"command": "absent-program"`, log: later + "weather-two: spawn absent-program ENOENT\n", category: "command_not_found"},
		{name: "something else, and old", entry: `"command": "absent-program"`, log: before + "weather: connect ECONNREFUSED 127.0.0.1:5432\n", category: "command_not_found"},
		{name: "something else, since the last change", entry: `"command": "absent-program"`, log: later + "weather: connect ECONNREFUSED 127.0.0.1:5432\n",
			category: "command_not_found", quote: "connect ECONNREFUSED 127.0.0.1:5432"},
		{name: "what the probe cannot see", entry: gone, log: later + "weather: connect ECONNREFUSED 127.0.0.1:5432\n",
			category: "connection_refused", quote: "connect ECONNREFUSED 127.0.0.1:5432"},
		{name: "what the probe cannot see, but before the last change", entry: gone, log: before + "weather: connect ECONNREFUSED 127.0.0.1:5432\n", category: "connection_closed"},
		{name: "the newest of two", entry: gone, log: strings.Repeat("2098-01-02T03:04:05Z weather: spawn npx ENOENT\n", 30) + strings.Repeat(later+"other: nothing of note\n", 500) +
			later + "weather: connect ECONNREFUSED 127.0.0.1:5432\n" + strings.Repeat(later+"weather: closed\n", 12),
			category: "connection_refused", quote: "connect ECONNREFUSED 127.0.0.1:5432"},
		{name: "a secret", entry: `"command": "absent-program"`, log: before + "weather: spawn absent-program ENOENT --token ghp_0123456789abcdefghijklmnopqrstuvwxyz12\n",
			category: "command_not_found", quote: "spawn absent-program ENOENT"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			p := newPlace(t)
			p.put("~/.config/zed/settings.json", `{"context_servers": {"weather": {`+tt.entry+`}}}`, 0o600)
			if tt.log != "" {
				p.put(zedLog, tt.log, 0o600)
			}
			d := p.doctor()
			o := d.Probe(t.Context(), p.weather(d), Watch{})
			cause := o.Report.Diagnoses[0]
			is.Equal(cause.Category, tt.category)
			found := logEvidence(cause)
			if tt.quote == "" {
				is.Equal(len(found), 0)
				return
			}
			is.Equal(len(found), 1)
			e := found[0]
			is.True(strings.Contains(e.Quote, tt.quote))
			is.True(!strings.Contains(e.Quote, "abcdef"))
			is.Equal(e.File, zedLog)
			is.True(strings.HasSuffix(e.Time, "-01-02T03:04:05Z"))
			text := p.read(zedLog)
			is.True(strings.Contains(text[e.Start:e.End], tt.quote)) // the offsets are the file's
			is.Equal(strings.Count(text[:e.Start], "\n")+1, e.Line)
			is.True(strings.LastIndex(text, tt.quote) >= e.Start) // of several the newest
			is.True(strings.LastIndex(text, tt.quote) < e.End)
		})
	}
}

// TestLogOfAWorkingServerStaysClosed: nothing is read without need.
func TestLogOfAWorkingServerStaysClosed(t *testing.T) {
	is := is.New(t)
	p := newPlace(t)
	p.put("~/.config/zed/settings.json", `{"context_servers": {"weather": {"command": "weather-server"}}}`, 0o600)
	p.put(zedLog, "2099-01-02T03:04:05Z ERROR weather: spawn npx ENOENT\n", 0o600)
	d := p.doctor()
	o := d.Probe(t.Context(), p.weather(d), Watch{})
	is.Equal(o.State, OK)
	is.Equal(len(o.Report.Diagnoses), 0)
}

func TestLinesAboutAServer(t *testing.T) {
	is := is.New(t)
	p := newPlace(t)
	path := p.put("~/app.log", strings.Repeat("filler\n", maxLogTail/7+10)+
		"2026-01-01 00:00:00 [weather] failed\n    at load (server.js:1)\n2026-01-01 00:00:01 [weather-two] failed\n    at other\n2026-01-01 00:00:02 my_weather\n", 0o600)
	lines, err := linesAbout(path, "weather")
	is.NoErr(err)
	is.Equal(len(lines), 2)
	is.Equal(lines[1].text, "    at load (server.js:1)")
	is.Equal(lines[0].number, maxLogTail/7+11)
	is.True(strings.HasPrefix(p.read("~/app.log")[lines[1].offset:], "    at load"))

	path = p.put("~/mcp-server-weather.log", "one\ntwo", 0o600)
	lines, err = linesAbout(path, "weather")
	is.NoErr(err)
	is.Equal(len(lines), 2) // all of its own log

	is.NoErr(os.Truncate(path, maxHeardLog+1))
	lines, err = linesAbout(path, "weather")
	is.NoErr(err)
	is.Equal(len(lines), 0) // too large to be read
}

func TestTimesInLogs(t *testing.T) {
	is := is.New(t)
	want := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, stamp := range []string{"2026-01-02T03:04:05Z", "[2026-01-02T03:04:05.000Z]", "2026-01-02T05:04:05+02:00", "2026-01-02T05:04:05+0200", `{"timestamp":"2026-01-02T03:04:05.000Z"}`} {
		is.True(timeOf([]logLine{{text: stamp + " x"}, {text: "    at y"}}, "").Equal(want))
	}
	local := time.Date(2026, 1, 2, 3, 4, 5, 0, time.Local)
	for _, stamp := range []string{"2026-01-02 03:04:05", "2026-01-02 03:04:05,000", "2026-01-02T03:04:05"} {
		is.True(timeOf([]logLine{{text: stamp + " x"}}, "").Equal(local))
	}
}

func TestOwnersOfLogs(t *testing.T) {
	is := is.New(t)
	is.Equal(ownerOf("/Users/you/Library/Logs/Claude/mcp-server-notes.log"), "notes")
	is.Equal(ownerOf("/home/you/.cache/claude-cli-nodejs/x/mcp-logs-notes/2026.jsonl"), "notes")
	is.Equal(ownerOf("/Users/you/Library/Logs/Claude/mcp.log"), "")
}
