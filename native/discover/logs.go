package discover

import (
	"cmp"
	"slices"
	"time"

	"mcpmend/core/config"
)

// maxLogs bounds the logs of one client.
const maxLogs = 20

// Logs gives the client's own log files that exist, the newest first.
func Logs(m Machine, c *config.Client) []string {
	type log struct {
		path     string
		modified time.Time
	}
	var logs []log
	add := func(path string) {
		if info, err := m.FS.Stat(path); err == nil && info.Mode().IsRegular() {
			logs = append(logs, log{path, info.ModTime()})
		}
	}
	for _, l := range c.Logs {
		at, ok := m.expand(l.Path)
		if !ok || l.OS != "" && l.OS != m.OS {
			continue
		}
		switch l.Kind {
		case config.FilePath:
			add(at)
		case config.GlobPath:
			for _, found := range m.glob(at) {
				add(found.path)
			}
		case config.DirPath:
			for _, found := range m.glob(m.join(at, "*")) {
				add(found.path)
			}
		}
	}
	slices.SortStableFunc(logs, func(a, b log) int {
		return cmp.Or(b.modified.Compare(a.modified), cmp.Compare(a.path, b.path))
	})
	var paths []string
	for _, l := range logs[:min(len(logs), maxLogs)] {
		paths = append(paths, l.path)
	}
	return paths
}
