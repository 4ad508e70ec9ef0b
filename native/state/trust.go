package state

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"path/filepath"
	"time"

	"mcpmend/core/config"
	"mcpmend/native/files"
)

// Fingerprint is the identity of a server as the user saw it: the file, the
// name and everything that decides what is started or called. Trust hangs on
// it and never on a name, so that a changed command asks again.
func Fingerprint(file string, s config.Server) string {
	h := sha256.New()
	// Encoded as one JSON array, no two different servers look the same.
	_ = json.NewEncoder(h).Encode([]any{file, s.Name, s.Transport, s.Command, s.Args, pairs(s.Env), s.Cwd, s.URL, pairs(s.Headers)})
	return hex.EncodeToString(h.Sum(nil))
}

func pairs(vars []config.Variable) [][2]string {
	out := make([][2]string, len(vars))
	for i, v := range vars {
		out[i] = [2]string{v.Name, v.Value}
	}
	return out
}

// Trust is what the user has agreed to start or load.
type Trust struct {
	path    string
	Servers map[string]Grant `json:"servers"` // by Fingerprint
	Modules map[string]Grant `json:"modules"` // by sha256 of the file
}

// Grant says to what and when the user said yes.
type Grant struct {
	What string    `json:"what"`
	When time.Time `json:"when"`
}

// Trust reads the user's trust store.
func (d Dirs) Trust() (*Trust, error) {
	t := &Trust{path: filepath.Join(d.Config, "trust.json")}
	err := files.Load(t.path, t)
	if t.Servers == nil {
		t.Servers = map[string]Grant{}
	}
	if t.Modules == nil {
		t.Modules = map[string]Grant{}
	}
	return t, err
}

// Save writes the trust store.
func (t *Trust) Save() error { return files.Save(t.path, t) }
