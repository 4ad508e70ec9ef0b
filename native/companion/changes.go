package companion

import (
	"crypto/rand"
	"net/http"
	"sync"
	"time"

	"mcpmend/core/config"
	"mcpmend/native/doctor"
)

// change is a file's text before and after: proven and shown, or written.
type change struct {
	path, before, after string
	server              string
	written             bool
	until               time.Time
}

// changes are by handle. A change is written once and taken back once.
type changes struct {
	mu   sync.Mutex
	open map[string]change
}

const (
	changeFor  = 10 * time.Minute
	maxChanges = 100
)

var errNoChange = problem{http.StatusNotFound, "this change is no longer open; heal the server again"}

func (c *changes) propose(one change) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open == nil || len(c.open) >= maxChanges {
		c.open = map[string]change{} // the older ones are gone; their backups are not
	}
	one.until = time.Now().Add(changeFor)
	handle := rand.Text()
	c.open[handle] = one
	return handle
}

// take uses a handle up.
func (c *changes) take(handle string, written bool) (change, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	one, ok := c.open[handle]
	if !ok || one.written != written || !written && time.Now().After(one.until) {
		return change{}, errNoChange
	}
	delete(c.open, handle)
	return one, nil
}

// write writes exactly the bytes that were proven and shown.
func (c *Companion) write(w http.ResponseWriter, _ *http.Request, a ask) error {
	one, err := c.changes.take(a.change, false)
	if err != nil {
		return err
	}
	d, f, err := c.file(one, one.before)
	if err != nil {
		return err
	}
	if err := d.Save(f, one.after, "healed "+one.server); err != nil {
		return err
	}
	one.written = true
	return reply(w, map[string]any{"written": true, "change": c.changes.propose(one), "next_step": doctor.NextStep(config.ClientByID(f.Client))})
}

// undo takes a written change back, if the file is still what was written.
func (c *Companion) undo(w http.ResponseWriter, _ *http.Request, a ask) error {
	one, err := c.changes.take(a.change, true)
	if err != nil {
		return err
	}
	d, f, err := c.file(one, one.after)
	if err != nil {
		return err
	}
	if _, err := d.Undo(f.Path); err != nil {
		return err
	}
	return reply(w, map[string]any{"undone": true})
}

// file finds the file of a change among those of the machine, holding the text
// that it must.
func (c *Companion) file(one change, text string) (*doctor.Doctor, *doctor.File, error) {
	l, err := c.roster.List("")
	if err != nil {
		return nil, nil, err
	}
	for i := range l.Files {
		if l.Files[i].Path == one.path && l.Files[i].Text == text {
			return l.Doctor, &l.Files[i], nil
		}
	}
	return nil, nil, problem{http.StatusConflict, "the file has changed in the meantime, so it is left as it is"}
}
