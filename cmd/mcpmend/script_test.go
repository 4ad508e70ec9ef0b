package main

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/rogpeppe/go-internal/testscript"

	"mcpmend/native/probe/fixture"
)

func TestMain(m *testing.M) {
	fixture.Play() // the servers that scripts configure
	testscript.Main(m, map[string]func(){
		"mcpmend": func() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

// TestScripts runs the sessions in testdata/script. Each has a home and a
// project of its own, and no other programs than mcpmend and the fixtures.
func TestScripts(t *testing.T) {
	registry := httptest.NewServer(http.HandlerFunc(stubRegistry))
	t.Cleanup(registry.Close) // scripts run in parallel, after this returns
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			bin := filepath.Join(e.WorkDir, ".bin")
			if err := fixture.Install(bin, "weather-server", "npx", "node", "docker"); err != nil {
				return err
			}
			for _, dir := range []string{"home", "project"} {
				if err := os.MkdirAll(filepath.Join(e.WorkDir, dir), 0o755); err != nil {
					return err
				}
			}
			ours, _, _ := strings.Cut(e.Getenv("PATH"), string(os.PathListSeparator))
			for name, value := range map[string]string{
				"PATH": ours + string(os.PathListSeparator) + bin, "HOME": filepath.Join(e.WorkDir, "home"),
				"MCPMEND_HOME": filepath.Join(e.WorkDir, "state"), "MCPMEND_REGISTRY": registry.URL,
				"BIN": bin, "CI": "", "GITHUB_ACTIONS": "", "NO_COLOR": "",
			} {
				e.Setenv(name, value)
			}
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"code":     wantCode,
			"any":      func(ts *testscript.TestScript, _ bool, args []string) { _ = ts.Exec(args[0], args[1:]...) }, // whatever it exits with
			"same":     sameBytes,
			"fill":     fillIn,
			"write":    writeSpecial,
			"module":   writeModule,
			"sarif":    validSARIF,
			"hostiles": hostileProjects,
		},
	})
}

// wantCode runs a command and wants an exit code: code 2 mcpmend explain.
func wantCode(ts *testscript.TestScript, neg bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// sameBytes compares two files without what cmp forgives.
func sameBytes(ts *testscript.TestScript, neg bool, args []string) {
	if (ts.ReadFile(args[0]) == ts.ReadFile(args[1])) == neg {
		ts.Fatalf("%s and %s: same is %v", args[0], args[1], neg)
	}
}

// fillIn writes variables such as $BIN out in files.
func fillIn(ts *testscript.TestScript, _ bool, args []string) {
	for _, name := range args {
		path := ts.MkAbs(name)
		text := strings.NewReplacer("$BIN", ts.Getenv("BIN"), "$HOME", ts.Getenv("HOME"), "$WORK", ts.Getenv("WORK")).Replace(ts.ReadFile(name))
		ts.Check(os.WriteFile(path, []byte(text), 0o644))
	}
}

// writeSpecial makes files that a script cannot hold.
func writeSpecial(ts *testscript.TestScript, _ bool, args []string) {
	var data []byte
	switch kind := args[0]; kind {
	case "empty":
	case "binary":
		data = []byte("\x7fELF\x02\x01\x01\x00\x00\x00\x00")
	case "secret": // with what a terminal would obey
		data = []byte("Error: 401 Bad credentials for token ghp_0123456789abcdefghijklmnopqrstuvwxyz12 \x1b]0;owned\x07\n")
	case "large": // one byte more than a config may have
		data = []byte(`{"mcpServers":{}}` + strings.Repeat(" ", 4<<20))
	case "windows", "odd": // another file with the line ends of Windows and no last one; and with a byte order mark
		data = []byte(strings.ReplaceAll(strings.TrimRight(ts.ReadFile(args[2]), "\n"), "\n", "\r\n"))
		if kind == "odd" {
			data = append([]byte("\ufeff"), data...)
		}
	case "utf-16": // of another file, as PowerShell writes it
		data = []byte{0xff, 0xfe}
		for _, unit := range utf16.Encode([]rune(ts.ReadFile(args[2]))) {
			data = append(data, byte(unit), byte(unit>>8))
		}
	default:
		ts.Fatalf("no file of the kind %s", kind)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), data, 0o644))
}

// stubRegistry knows two servers.
func stubRegistry(w http.ResponseWriter, r *http.Request) {
	answers := map[string]string{
		"/v0.1/servers/io.github.example%2Fweather/versions/latest": `{"server":{"name":"io.github.example/weather","packages":[{"registryType":"npm","identifier":"@example/weather","transport":{"type":"stdio"}}]}}`,
		"/v0.1/servers/io.github.example%2Fkeyed/versions/latest":   `{"server":{"name":"io.github.example/keyed","packages":[{"registryType":"npm","identifier":"@example/weather","transport":{"type":"stdio"},"packageArguments":[{"type":"named","name":"--need","value":"WEATHER_KEY"}],"environmentVariables":[{"name":"WEATHER_KEY","description":"from your account","isRequired":true,"isSecret":true}]}]}}`,
	}
	answer, ok := answers[r.URL.EscapedPath()]
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write([]byte(answer))
}
