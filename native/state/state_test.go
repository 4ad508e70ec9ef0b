package state

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/matryer/is"

	"mcpmend/core/config"
)

func TestLocate(t *testing.T) {
	tests := []struct {
		name, goos  string
		env         map[string]string
		config, dir string
	}{
		{"linux", "linux", nil, "/home/you/.config/mcpmend", "/home/you/.local/state/mcpmend"},
		{"linux with XDG", "linux", map[string]string{"XDG_CONFIG_HOME": "/c", "XDG_STATE_HOME": "/s"}, "/c/mcpmend", "/s/mcpmend"},
		{"a relative XDG path counts for nothing", "linux", map[string]string{"XDG_CONFIG_HOME": "c"}, "/home/you/.config/mcpmend", "/home/you/.local/state/mcpmend"},
		{"macos", "darwin", nil, "/home/you/Library/Application Support/mcpmend", "/home/you/Library/Application Support/mcpmend/state"},
		{"moved", "linux", map[string]string{"MCPMEND_HOME": "/m", "XDG_CONFIG_HOME": "/c"}, "/m/config", "/m/state"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			dirs, err := locate(tt.goos, "/home/you", func(k string) string { return tt.env[k] })
			is.NoErr(err)
			is.Equal(dirs, Dirs{tt.config, tt.dir})
		})
	}
	t.Run("relative MCPMEND_HOME", func(t *testing.T) {
		_, err := locate("linux", "/home/you", func(string) string { return "here" })
		is.New(t).True(err != nil)
	})
}

func TestFingerprintSeesEveryPart(t *testing.T) {
	base := config.Server{Name: "a", Transport: config.Stdio, Command: "npx", Args: []string{"-y", "x"}}
	changes := map[string]func(*config.Server){
		"name":         func(s *config.Server) { s.Name = "b" },
		"command":      func(s *config.Server) { s.Command = "node" },
		"args":         func(s *config.Server) { s.Args = []string{"-y x"} },
		"env value":    func(s *config.Server) { s.Env = []config.Variable{{Name: "A", Value: "1"}} },
		"cwd":          func(s *config.Server) { s.Cwd = "/" },
		"url":          func(s *config.Server) { s.URL = "http://127.0.0.1" },
		"header":       func(s *config.Server) { s.Headers = []config.Variable{{Name: "A", Value: "1"}} },
		"arg boundary": func(s *config.Server) { s.Command, s.Args = "npx -y", []string{"x"} },
	}
	seen := map[string]string{Fingerprint("f", base): "base", Fingerprint("g", base): "file"}
	for name, change := range changes {
		s := base
		change(&s)
		key := Fingerprint("f", s)
		if other, twice := seen[key]; twice {
			t.Errorf("a changed %s looks like %s", name, other)
		}
		seen[key] = name
	}
}

func TestStoresAreKept(t *testing.T) {
	is := is.New(t)
	base := t.TempDir()
	dirs := Dirs{filepath.Join(base, "config"), filepath.Join(base, "state")}
	trust, err := dirs.Trust()
	is.NoErr(err)
	trust.Servers["abc"] = Grant{What: "npx", When: time.Unix(1, 0).UTC()}
	is.NoErr(trust.Save())
	again, err := dirs.Trust()
	is.NoErr(err)
	is.Equal(again.Servers, trust.Servers)
	info, err := os.Stat(filepath.Join(dirs.Config, "trust.json"))
	is.NoErr(err)
	is.Equal(info.Mode().Perm(), os.FileMode(0o600))

	is.NoErr(os.WriteFile(filepath.Join(dirs.Config, "trust.json"), []byte("{"), 0o600))
	_, err = dirs.Trust()
	is.True(err != nil) // damage is said, not taken for "nothing trusted yet"
}

func TestHistoryIsBoundedAndRemembersHealth(t *testing.T) {
	is := is.New(t)
	seen, err := Dirs{State: t.TempDir()}.Seen()
	is.NoErr(err)
	key := Key("f", "a")
	seen.Record(key, Verdict{Fingerprint: "1", State: "healthy", When: time.Unix(1e9, 0)})
	seen.Record(key, Verdict{Fingerprint: "2", State: "dead", When: time.Unix(1e9+1, 0)})
	is.Equal(seen.Servers[key].HealthyFingerprint, "1")
	is.Equal(seen.Servers[key].LastHealthy, time.Unix(1e9, 0))
	for i := range maxSeen + 20 {
		seen.Record(Key("g", fmt.Sprint(i)), Verdict{When: time.Unix(int64(i), 0)})
	}
	is.NoErr(seen.Save())
	is.Equal(len(seen.Servers), maxSeen)
	_, kept := seen.Servers[key]
	is.True(kept) // the youngest stay
}
