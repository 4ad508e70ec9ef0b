package wrap

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"mcpmend/core/config"
	"mcpmend/core/heal"
	"mcpmend/native/files"
	"mcpmend/native/llm"
)

// Journal remembers what a session did, so that it can be saved when the task
// has to be stopped: JSON lines, oldest first, the beginnings of what is still
// under way among them. It holds the last entries up to a bound, with secrets
// masked and without the bodies of results. A nil Journal remembers nothing.
type Journal struct {
	Dir string // where it is saved, with mode 0700

	mu      sync.Mutex
	entries []entry
	size    int
	open    map[*call]time.Time
}

// entry is one line of a journal.
type entry struct {
	At        time.Time       `json:"at"`
	Event     string          `json:"event"` // call, result, health, correction, in_flight, stop
	ID        json.RawMessage `json:"id,omitempty"`
	Method    string          `json:"method,omitempty"`
	Tool      string          `json:"tool,omitempty"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	Outcome   string          `json:"outcome,omitempty"`
	Bytes     int             `json:"bytes,omitempty"`
	Millis    float64         `json:"ms,omitempty"`
	Changed   string          `json:"changed,omitempty"`
	Health    *heal.Status    `json:"health,omitempty"`
	Why       string          `json:"why,omitempty"`

	raw []byte // arguments, masked only when they are saved
}

// journalKept bounds a journal, in bytes of arguments and a flat sum an entry.
const (
	journalKept  = 10 << 20
	entryCost    = 256
	argumentKept = 4 << 10
)

func (j *Journal) add(e entry) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.entries = append(j.entries, e)
	j.size += entryCost + len(e.raw)
	for j.size > journalKept {
		j.size -= entryCost + len(j.entries[0].raw)
		j.entries[0] = entry{}
		j.entries = j.entries[1:]
	}
}

func (j *Journal) begin(c *call) {
	if j == nil {
		return
	}
	j.add(entry{At: c.began, Event: "call", ID: c.id, Method: c.method, Tool: c.tool, raw: bounded(c.args)})
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.open == nil {
		j.open = map[*call]time.Time{}
	}
	j.open[c] = c.began
}

func (j *Journal) end(c *call, answer []byte, outcome string) {
	if j == nil {
		return
	}
	now := time.Now()
	j.add(entry{At: now, Event: "result", ID: c.id, Method: c.method, Tool: c.tool, Outcome: outcome, Bytes: len(answer), Millis: float64(now.Sub(c.began).Microseconds()) / 1000})
	j.mu.Lock()
	defer j.mu.Unlock()
	delete(j.open, c)
}

func (j *Journal) health(status heal.Status) {
	if j != nil {
		j.add(entry{At: time.Now(), Event: "health", Health: &status})
	}
}

func (j *Journal) correction(c *call) {
	if j != nil {
		j.add(entry{At: time.Now(), Event: "correction", ID: c.id, Tool: c.tool, Changed: c.fix.diff()})
	}
}

// save writes the journal to a file of its own and returns the file's name.
func (j *Journal) save(status heal.Status, why string) (string, error) {
	if j == nil || j.Dir == "" {
		return "", nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if err := os.MkdirAll(j.Dir, 0o700); err != nil {
		return "", files.Cannot("make", j.Dir, err)
	}
	now := time.Now()
	name := filepath.Join(j.Dir, fmt.Sprintf("%s-%d.jsonl", now.UTC().Format("20060102-150405.000"), os.Getpid()))
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", files.Cannot("write", name, err)
	}
	defer f.Close()
	lines := json.NewEncoder(f)
	all := j.entries
	for c := range j.open {
		all = append(all[:len(all):len(all)], entry{At: now, Event: "in_flight", ID: c.id, Method: c.method, Tool: c.tool})
	}
	all = append(all[:len(all):len(all)], entry{At: now, Event: "stop", Health: &status, Why: config.Mask(why)})
	for _, e := range all {
		if len(e.raw) > 0 {
			e.Arguments = journalArguments(e.raw)
		}
		if err := lines.Encode(e); err != nil {
			return "", files.Cannot("write", name, err)
		}
	}
	return name, f.Close()
}

// journalArguments masks arguments; what was cut becomes a string.
func journalArguments(raw []byte) json.RawMessage {
	masked := llm.MaskArguments(raw)
	if json.Valid(masked) {
		return masked
	}
	return encode(string(masked))
}

func bounded(args []byte) []byte {
	return append([]byte(nil), args[:min(len(args), argumentKept)]...)
}
