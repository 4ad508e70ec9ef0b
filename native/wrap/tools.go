package wrap

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"maps"
	"slices"
	"sync"
	"time"

	"mcpmend/core/heal"
	"mcpmend/core/schema"
)

// toolCache is what the server's last tools/list said. It has a lock of its
// own, and none is taken while it is held.
type toolCache struct {
	mu       sync.Mutex
	tools    map[string]*tool
	complete bool             // every page was seen, and nothing changed since
	pages    map[string]*tool // of a list that is being read
	cursor   string           // of the page that comes next
	fetching bool
}

// tool is one entry. Its hints are claims of the server: one that is not the
// same in two lists is believed no more.
type tool struct {
	name       string
	schema     []byte
	readOnly   bool
	idempotent bool
	changed    bool
	digest     [sha256.Size]byte

	once     sync.Once
	compiled *schema.Schema // nil when the schema cannot be used
}

// hinted adds to a call what is believed of its tool's hints. The tool may be
// nil, and nothing is believed then.
func (t *tool) hinted(c heal.Call) heal.Call {
	if t != nil && !t.changed {
		c.ReadOnly, c.Idempotent = t.readOnly, t.idempotent
	}
	return c
}

// maxTools bounds the cache; a server may list without end.
const maxTools = 10_000

// page takes one page of a list. The client may read lists page by page, and
// several at once; only pages that follow each other count.
func (t *toolCache) page(cursor string, result []byte) (next string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case cursor == "":
		t.pages = map[string]*tool{}
	case t.pages == nil || cursor != t.cursor:
		return text(member(result, "nextCursor"))
	}
	parts, err := elements(member(result, "tools"))
	if err != nil {
		t.pages = nil
		return ""
	}
	for _, part := range parts {
		if n := readTool(part); n != nil && len(t.pages) < maxTools {
			t.pages[n.name] = n
		}
	}
	next = text(member(result, "nextCursor"))
	t.cursor = next
	if next != "" {
		return next
	}
	for name, n := range t.pages {
		if old := t.tools[name]; old != nil {
			n.changed = old.changed || old.readOnly != n.readOnly || old.idempotent != n.idempotent
			if bytes.Equal(old.schema, n.schema) && n.changed == old.changed {
				// The compiled schema is worth keeping.
				old.digest = n.digest
				t.pages[name] = old
			}
		}
	}
	t.tools, t.pages, t.complete = t.pages, nil, true
	return ""
}

func readTool(raw []byte) *tool {
	t := &tool{digest: sha256.Sum256(raw)}
	var hints []byte
	err := members(raw, nil, func(key string, value []byte) error {
		switch key {
		case "name":
			t.name = text(value)
		case "inputSchema":
			t.schema = slices.Clone(value)
		case "annotations":
			hints = value
		}
		return nil
	})
	if err != nil || t.name == "" {
		return nil
	}
	t.readOnly = string(member(hints, "readOnlyHint")) == "true"
	t.idempotent = string(member(hints, "idempotentHint")) == "true"
	return t
}

func (t *toolCache) get(name string) *tool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.tools[name]
}

func (t *toolCache) schema(name string) []byte {
	if tool := t.get(name); tool != nil {
		return tool.schema
	}
	return nil
}

func (t *toolCache) has(name string) bool { return t.get(name) != nil }

// stale says that the list is no longer the server's.
func (t *toolCache) stale() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.complete = false
}

// known lists the names, and whether they are all.
func (t *toolCache) known() (names []string, all bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Sorted(maps.Keys(t.tools)), t.complete
}

// listed is the list, for restore.
func (t *toolCache) listed() map[string]*tool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.tools
}

// restore puts a list back that was replaced. Entries are shared between lists,
// and have got the digest of the later one.
func (t *toolCache) restore(tools map[string]*tool, digests map[string][sha256.Size]byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for name, tool := range tools {
		tool.digest = digests[name]
	}
	t.tools, t.complete = tools, false
}

// digests has a digest of every entry as the server wrote it.
func (t *toolCache) digests() map[string][sha256.Size]byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.tools == nil {
		return nil
	}
	all := make(map[string][sha256.Size]byte, len(t.tools))
	for name, tool := range t.tools {
		all[name] = tool.digest
	}
	return all
}

// claim tells whether the caller should fetch the list: nobody has, and nobody
// is at it.
func (t *toolCache) claim() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.complete || t.fetching {
		return false
	}
	t.fetching = true
	return true
}

func (t *toolCache) release() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.fetching = false
}

// listTime bounds our own reading of a list, and maxPages a list without end.
const (
	listTime = 5 * time.Second
	maxPages = 100
)

// fetchTools reads the server's list for ourselves. A server that does not give
// it is asked no second time, or each call would wait for that.
func (s *Session) fetchTools(up *upstream) bool {
	if !s.tools.claim() {
		return false
	}
	defer s.tools.release()
	s.mu.Lock()
	meta := s.hand.meta
	s.mu.Unlock()
	failed := func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		up.unlisted = true
		return false
	}
	cursor := ""
	for range maxPages {
		params := map[string]any{}
		if meta != nil {
			params["_meta"] = json.RawMessage(meta)
		}
		if cursor != "" {
			params["cursor"] = cursor
		}
		m, err := s.ask(up, "tools/list", params, listTime)
		if err != nil {
			s.log.Debug("reading the tool list", "error", err)
			return failed()
		}
		if cursor = s.tools.page(cursor, m.result); cursor == "" {
			return true
		}
	}
	s.log.Warn("the tool list does not end", "pages", maxPages)
	return failed()
}

// acceptTools reads the list of a restarted server, if there was one before, and
// tells the client when it differs: same name, other meaning is how a server
// turns on its user. False means that the tools are pinned, and the connection
// is ended before a call can go to them.
func (s *Session) acceptTools(up *upstream) bool {
	before, known := s.tools.digests(), s.tools.listed()
	if before == nil {
		return true
	}
	s.tools.stale()
	if !s.fetchTools(up) {
		if s.options.Pin {
			s.abort(up, heal.Closure{By: "us", Why: "its tools could not be compared after a restart, and they are pinned"})
		}
		return !s.options.Pin
	}
	changed := differing(before, s.tools.digests())
	if len(changed) == 0 {
		return true
	}
	s.log.Warn("the restarted server lists other tools", "changed", changed)
	s.options.Metrics.count("tool_changes")
	if s.options.Pin {
		s.tools.restore(known, before) // the next one is held against them too
		s.abort(up, heal.Closure{By: "us", Why: "its tools changed over a restart, and they are pinned"})
		return false
	}
	s.toClient(notificationMessage("notifications/tools/list_changed", nil))
	return true
}

// differing are the names whose digests are not the same on both sides.
func differing(before, after map[string][sha256.Size]byte) (names []string) {
	for name, digest := range after {
		if was, there := before[name]; !there || was != digest {
			names = append(names, name)
		}
	}
	for name := range before {
		if _, there := after[name]; !there {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// compile makes the schema ready, once.
func (t *tool) compile(s *Session) *schema.Schema {
	t.once.Do(func() {
		if len(t.schema) == 0 {
			return
		}
		compiled, problem := schema.Compile(t.schema, schema.Options{})
		if problem != nil {
			s.log.Warn("the tool's schema cannot be used; its calls are passed on unchecked", "tool", t.name, "reason", problem.Summary)
			return
		}
		t.compiled = compiled
	})
	return t.compiled
}
