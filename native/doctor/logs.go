package doctor

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mcpmend/core/config"
	"mcpmend/native/discover"
)

// Bounds on what is read of a client's logs: the end tells.
const (
	maxLogs    = 3
	maxLogTail = 1 << 20
)

// Logs reads the newest of a client's own log files, those about one server
// where their names tell, the older first, and says which they are.
func (d *Doctor) Logs(c *config.Client, server string) (text string, paths []string) {
	for _, path := range aboutServer(discover.Logs(d.machine, c), server) {
		tail, err := tailOf(path, maxLogTail)
		if err != nil || strings.TrimSpace(tail) == "" {
			continue
		}
		text = strings.TrimRight(tail, "\n") + "\n" + text
		if paths = append(paths, path); len(paths) == maxLogs {
			break
		}
	}
	slices.Reverse(paths)
	return text, paths
}

// aboutServer drops logs of other servers: a client that keeps one a server
// calls it mcp-server-NAME.log.
func aboutServer(paths []string, server string) []string {
	if server == "" {
		return paths
	}
	const ofServer = "mcp-server-"
	return slices.DeleteFunc(paths, func(path string) bool {
		name, own := strings.CutPrefix(filepath.Base(path), ofServer)
		return own && strings.TrimSuffix(name, ".log") != server
	})
}

// tailOf is the end of a file, from the beginning of a line.
func tailOf(path string, limit int64) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	from := max(0, info.Size()-limit)
	data, err := io.ReadAll(io.NewSectionReader(f, from, limit))
	text := string(data)
	if from > 0 {
		_, text, _ = strings.Cut(text, "\n")
	}
	return text, err
}
