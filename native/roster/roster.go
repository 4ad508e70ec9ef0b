// Package roster gives the servers of this machine handles, for faces that are
// driven by others: a page or a model names a server by a random id and by the
// hash of the entry that it was shown, and can say nothing about what is
// started. An entry that was changed since is refused.
package roster

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"sync"

	"mcpmend/native/doctor"
)

// Errors of Find.
var (
	ErrUnknown = errors.New("no server has this id; list the servers again")
	ErrChanged = errors.New("the entry has changed since it was listed; list the servers again")
)

// Roster knows the ids that were given out. They live as long as it does.
type Roster struct {
	project string
	key     []byte // hashes are keyed: they must not let anybody guess a short secret

	mu     sync.Mutex
	ids    map[place]string
	places map[string]place
}

// place is where a server stands.
type place struct{ file, pointer string }

// Entry is a server of the machine with its handle.
type Entry struct {
	ID      string
	Hash    string // of everything that decides what is started, as it stands now
	Subject doctor.Subject
}

// Listing is the machine at one moment, with the doctor that looked at it.
type Listing struct {
	Doctor  *doctor.Doctor
	Files   []doctor.File
	Entries []Entry
}

// New gives a roster for a project directory, "" being the working directory.
func New(project string) *Roster {
	key := make([]byte, 32)
	rand.Read(key) // never fails: see its documentation
	return &Roster{project: project, key: key, ids: map[place]string{}, places: map[string]place{}}
}

// List looks at the machine anew: a doctor of its own for every question, so
// that trust and files are those of this moment.
func (r *Roster) List(client string) (*Listing, error) {
	d, err := doctor.New(r.project)
	if err != nil {
		return nil, err
	}
	files, err := d.Files(doctor.Selection{Client: client})
	if err != nil {
		return nil, err
	}
	l := &Listing{Doctor: d, Files: files}
	for _, s := range d.Subjects(files) {
		l.Entries = append(l.Entries, Entry{ID: r.id(place{s.File.Path, s.Server.Pointer}), Hash: r.hash(s), Subject: s})
	}
	return l, nil
}

// Find looks for a server that was listed, and refuses one that is no longer
// what it was.
func (r *Roster) Find(id, hash string) (*Listing, Entry, error) {
	r.mu.Lock()
	_, given := r.places[id]
	r.mu.Unlock()
	if !given {
		return nil, Entry{}, ErrUnknown
	}
	l, err := r.List("")
	if err != nil {
		return nil, Entry{}, err
	}
	for _, e := range l.Entries {
		if e.ID != id {
			continue
		}
		if !hmac.Equal([]byte(e.Hash), []byte(hash)) {
			return nil, Entry{}, ErrChanged
		}
		return l, e, nil
	}
	return nil, Entry{}, ErrChanged
}

func (r *Roster) id(at place) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	id, ok := r.ids[at]
	if !ok {
		id = rand.Text()
		r.ids[at], r.places[id] = id, at
	}
	return id
}

func (r *Roster) hash(s doctor.Subject) string {
	h := hmac.New(sha256.New, r.key)
	h.Write([]byte(s.Fingerprint))
	return hex.EncodeToString(h.Sum(nil))
}
