package doctor

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"mcpmend/core/config"
)

// programs is what clients are called among processes, for those that keep
// running. The names are those of Linux, macOS and Windows, in lower case.
var programs = map[string][]string{
	"claude-desktop": {"claude", "claude-desktop", "claude.exe"},
	"claude-code":    {"claude"},
	"cursor":         {"cursor", "cursor.exe"},
	"vscode":         {"code", "code.exe", "electron"},
	"windsurf":       {"windsurf", "windsurf.exe"},
	"zed":            {"zed", "zed-editor", "zed.exe"},
	"codex":          {"codex", "codex.exe"},
	"goose":          {"goose", "goosed"},
	"lm-studio":      {"lm-studio", "lm studio", "lm studio.exe"},
	"kiro":           {"kiro", "kiro.exe"},
	"trae":           {"trae", "trae.exe"},
}

// Running says whether a client runs now, and so has read its config before a
// change that was just written. known is false where that cannot be told.
func Running(c *config.Client) (running, known bool) {
	names := programs[c.ID]
	if names == nil {
		return false, false
	}
	processes, err := processNames()
	return slices.ContainsFunc(processes, func(p string) bool { return slices.Contains(names, strings.ToLower(p)) }), err == nil
}

// processNames lists what runs on this machine, as far as this user may see.
func processNames() ([]string, error) {
	if runtime.GOOS == "linux" {
		files, err := filepath.Glob("/proc/[0-9]*/comm")
		var names []string
		for _, file := range files {
			if name, err := os.ReadFile(file); err == nil { // else it has ended meanwhile
				names = append(names, strings.TrimSpace(string(name)))
			}
		}
		return names, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	command := exec.CommandContext(ctx, "ps", "-axo", "comm=")
	if runtime.GOOS == "windows" {
		command = exec.CommandContext(ctx, "tasklist", "/fo", "csv", "/nh")
	}
	out, err := command.Output()
	var names []string
	for line := range strings.Lines(string(out)) {
		if first, _, ok := strings.Cut(strings.TrimPrefix(line, `"`), `"`); ok {
			line = first
		}
		names = append(names, filepath.Base(strings.TrimSpace(line)))
	}
	return names, err
}

// NextStep says what makes the client see the file that was written.
func NextStep(c *config.Client) string {
	switch {
	case c == nil:
		return ""
	case c.How != "":
		return c.How
	}
	return fmt.Sprintf("Restart %s so that it reads the file again.", c.Name)
}
