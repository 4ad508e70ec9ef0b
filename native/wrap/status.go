package wrap

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"mcpmend/core/config"
	"mcpmend/core/heal"
	"mcpmend/native/files"
)

// Beacon lets others see that a wrapper runs and how it is: a small file that
// is written anew every few seconds and goes when the wrapper goes. A file
// that is old belongs to one that was killed.
type Beacon struct {
	file string
	info RunInfo
	stop chan struct{}
	done chan struct{}

	mu       sync.Mutex
	sessions []*Session
}

// RunInfo is what a beacon shows.
type RunInfo struct {
	PID      int           `json:"pid"`
	Server   string        `json:"server"` // masked
	Listen   string        `json:"listen,omitempty"`
	Started  time.Time     `json:"started"`
	Updated  time.Time     `json:"updated"`
	Sessions []heal.Status `json:"sessions"`
}

const (
	beaconEvery = 5 * time.Second
	beaconStale = 20 * time.Second
)

// NewBeacon begins to write into a directory.
func NewBeacon(dir, server, listen string) (*Beacon, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, files.Cannot("make", dir, err)
	}
	now := time.Now()
	b := &Beacon{
		file: filepath.Join(dir, strconv.Itoa(os.Getpid())+".json"),
		info: RunInfo{PID: os.Getpid(), Server: config.Mask(server), Listen: listen, Started: now},
		stop: make(chan struct{}), done: make(chan struct{}),
	}
	if err := b.write(); err != nil {
		return nil, err
	}
	go b.run()
	return b, nil
}

// Watch adds a session; it is what Options.Started wants.
func (b *Beacon) Watch(s *Session) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.sessions = append(b.sessions, s)
}

// Close takes the file away.
func (b *Beacon) Close() {
	close(b.stop)
	<-b.done
	os.Remove(b.file)
}

func (b *Beacon) run() {
	defer close(b.done)
	tick := time.NewTicker(beaconEvery)
	defer tick.Stop()
	for {
		select {
		case <-b.stop:
			return
		case <-tick.C:
			if b.write() != nil {
				return // the directory is gone; nobody can look there either
			}
		}
	}
}

func (b *Beacon) write() error {
	b.mu.Lock()
	b.sessions = slices.DeleteFunc(b.sessions, func(s *Session) bool {
		select {
		case <-s.done:
			return true
		default:
			return false
		}
	})
	b.info.Sessions = []heal.Status{}
	for _, s := range b.sessions {
		b.info.Sessions = append(b.info.Sessions, s.Status())
	}
	b.mu.Unlock()
	b.info.Updated = time.Now()
	text, err := json.Marshal(b.info)
	if err != nil {
		return files.Cannot("write", b.file, err)
	}
	temporary := b.file + ".new"
	if err := os.WriteFile(temporary, text, 0o600); err != nil {
		return files.Cannot("write", b.file, err)
	}
	return os.Rename(temporary, b.file)
}

// Running lists the wrappers whose beacons are in a directory, and takes away
// those of wrappers that were killed.
func Running(dir string, now time.Time) ([]RunInfo, error) {
	beacons, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return nil, files.Cannot("list", dir, err)
	}
	all := []RunInfo{}
	for _, file := range beacons {
		text, err := os.ReadFile(file)
		var info RunInfo
		if err != nil || json.Unmarshal(text, &info) != nil {
			continue // it is being written, or has just gone
		}
		if now.Sub(info.Updated) > beaconStale {
			os.Remove(file)
			continue
		}
		all = append(all, info)
	}
	slices.SortFunc(all, func(a, b RunInfo) int { return a.Started.Compare(b.Started) })
	return all, nil
}
