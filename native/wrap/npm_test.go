package wrap

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mcpmend/core/schema"
)

// npmServers are real servers, pinned. They are installed once, into the
// user's cache, and only where MCPMEND_TEST_NPM asks for it.
const npmVersion = "2026.8.31"

func npmServer(t *testing.T, name string) string {
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Skip("no cache directory: ", err)
	}
	dir := filepath.Join(cache, "mcpmend", "servers-"+npmVersion)
	bin := filepath.Join(dir, "node_modules", ".bin", "mcp-"+name)
	if _, err := os.Stat(bin); err == nil {
		return bin
	}
	if os.Getenv("MCPMEND_TEST_NPM") == "" {
		t.Skip("real servers are not installed; MCPMEND_TEST_NPM=1 installs them")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), "npm", "install", "--prefix", dir, "--no-audit", "--no-fund", "--ignore-scripts",
		"@modelcontextprotocol/server-everything@"+npmVersion, "@modelcontextprotocol/server-filesystem@"+npmVersion, "@modelcontextprotocol/server-memory@"+npmVersion)
	if out, err := command.CombinedOutput(); err != nil {
		t.Skipf("npm cannot install real servers: %v\n%s", err, out)
	}
	return bin
}

// mutations of a valid call: right ones, such that can be mended, and wrong
// ones.
func mutations(tool []byte, valid map[string]any) []map[string]any {
	all := []map[string]any{valid}
	with := func(name string, value any) {
		m := maps.Clone(valid)
		m[name] = value
		all = append(all, m)
	}
	_ = members(member(tool, "inputSchema", "properties"), nil, func(name string, property []byte) error {
		without := maps.Clone(valid)
		delete(without, name)
		all = append(all, without)
		for _, value := range []any{"5", 5, 5.5, true, "true", nil, []any{}, []any{1}, map[string]any{}, map[string]any{"x": 1}, "", strings.Repeat("z", 50)} {
			with(name, value)
		}
		return nil
	})
	with("surprise", 1)
	return all
}

// Through the wrapper to real servers: wrong calls are answered by us, mended
// ones succeed, and right ones pass untouched.
func TestMutatedCallsToRealServers(t *testing.T) {
	dir := t.TempDir()
	servers := map[string][]string{
		"server-everything": nil,
		"server-filesystem": {dir},
		"server-memory":     nil,
	}
	// Tools that wait for minutes, or for a person.
	slow := []string{"trigger-long-running-operation", "trigger-sampling-request", "trigger-elicitation-request", "simulate-research-query", "toggle-simulated-logging", "toggle-subscriber-updates"}
	for name, args := range servers {
		t.Run(name, func(t *testing.T) {
			bin := npmServer(t, name)
			c := newClient(Options{
				Dialer:      &Command{Path: bin, Args: args, Env: append(os.Environ(), "MEMORY_FILE_PATH="+filepath.Join(dir, "memory.json")), Grace: time.Second},
				CallTimeout: 20 * time.Second,
			})
			defer c.session.Close()
			if m := c.handshake(); m.fault != nil {
				t.Fatalf("%s", m.fault)
			}
			c.list()
			tools, err := elements(member(c.answers[`"list"`][0].result, "tools"))
			if err != nil {
				t.Fatal(err)
			}
			tally := map[string]int{}
			id := 100
			for _, tool := range tools {
				name := text(member(tool, "name"))
				if slices.Contains(slow, name) {
					continue
				}
				checker, problem := schema.Compile(member(tool, "inputSchema"), schema.Options{})
				if problem != nil {
					t.Fatalf("%s: %s", name, problem.Summary)
				}
				valid := map[string]any{}
				if err := json.Unmarshal(checker.Example(), &valid); err != nil {
					t.Fatalf("%s has no example: %v", name, err)
				}
				for _, mutated := range mutations(tool, valid) {
					raw := encode(mutated)
					result := checker.Explain(name, raw)
					id++
					c.call(id, name, string(raw))
					m := c.answer(fmt.Sprint(id))
					said := outcome(m)
					words := answerText(m) + string(m.fault)
					switch {
					case result.Valid:
						tally["valid"]++
						if said == "not_run" {
							t.Errorf("%s %s: a valid call was refused: %s", name, raw, words)
						}
					case result.RepairedValid:
						tally["mended"]++
						if said == "not_run" || strings.Contains(words, "Input validation error") {
							t.Errorf("%s %s: a mended call did not succeed: %s", name, raw, words)
						}
					default:
						tally["wrong"]++
						if said != "not_run" {
							t.Errorf("%s %s: a wrong call reached the server: %s", name, raw, words)
						}
					}
				}
			}
			t.Logf("%v", tally)
		})
	}
}
