package state

import (
	"cmp"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"mcpmend/native/files"
)

// maxSeen bounds the history; the servers seen longest ago go first.
const maxSeen = 500

// Seen is the history of verdicts, so that a check can say what changed since
// a server last worked, and which servers are new.
type Seen struct {
	path    string
	Servers map[string]Verdict `json:"servers"` // by file and name
}

// Healthy is the State of a server that works, however well.
const Healthy = "healthy"

// Verdict is what the last check found of a server.
type Verdict struct {
	Fingerprint string    `json:"fingerprint"`
	State       string    `json:"state"`
	Code        string    `json:"code,omitempty"`
	Tools       int       `json:"tools"`
	When        time.Time `json:"when"`
	LastHealthy time.Time `json:"last_healthy,omitzero"`
	// HealthyFingerprint is the Fingerprint at LastHealthy: when it differs,
	// the config was changed since it worked.
	HealthyFingerprint string `json:"healthy_fingerprint,omitempty"`
}

// Seen reads the history.
func (d Dirs) Seen() (*Seen, error) {
	s := &Seen{path: filepath.Join(d.State, "seen.json")}
	err := files.Load(s.path, s)
	if s.Servers == nil {
		s.Servers = map[string]Verdict{}
	}
	return s, err
}

// Key names a server of a file in the history.
func Key(file, server string) string { return file + "\x00" + server }

// Record enters a verdict and keeps what is known of the last healthy one.
func (s *Seen) Record(key string, v Verdict) {
	if v.State == Healthy {
		v.LastHealthy, v.HealthyFingerprint = v.When, v.Fingerprint
	} else {
		old := s.Servers[key]
		v.LastHealthy, v.HealthyFingerprint = old.LastHealthy, old.HealthyFingerprint
	}
	s.Servers[key] = v
}

// Save writes the history, bounded.
func (s *Seen) Save() error {
	if over := len(s.Servers) - maxSeen; over > 0 {
		keys := slices.SortedFunc(maps.Keys(s.Servers), func(a, b string) int {
			return cmp.Or(s.Servers[a].When.Compare(s.Servers[b].When), cmp.Compare(a, b))
		})
		for _, key := range keys[:over] {
			delete(s.Servers, key)
		}
	}
	return files.Save(s.path, s)
}
