package install

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/matryer/is"

	"mcpmend/native/files"
)

func newTestWriter(t *testing.T) (*Writer, string) {
	t.Helper()
	dir := t.TempDir()
	return NewWriter(filepath.Join(dir, "backups")), filepath.Join(dir, "mcp.json")
}

func TestWriteKeepsModeAndCanBeTakenBack(t *testing.T) {
	is := is.New(t)
	w, path := newTestWriter(t)
	is.NoErr(os.WriteFile(path, []byte("old"), 0o640))
	is.NoErr(os.Chmod(path, 0o640))
	is.NoErr(w.Write(Change{Path: path, Before: []byte("old"), After: []byte("new")}))
	is.Equal(content(t, path), "new")
	info, err := os.Stat(path)
	is.NoErr(err)
	is.Equal(info.Mode().Perm(), fs.FileMode(0o640))

	backups, err := w.List()
	is.NoErr(err)
	is.Equal(len(backups), 1)
	private, err := os.Stat(backups[0].file)
	is.NoErr(err)
	is.Equal(private.Mode().Perm(), fs.FileMode(0o600))
	is.NoErr(w.Undo(backups[0]))
	is.Equal(content(t, path), "old")
	info, err = os.Stat(path)
	is.NoErr(err)
	is.Equal(info.Mode().Perm(), fs.FileMode(0o640))
	backups, err = w.List()
	is.NoErr(err)
	is.Equal(len(backups), 0)
}

func TestWriteMakesANewFileAndUndoRemovesIt(t *testing.T) {
	is := is.New(t)
	w, path := newTestWriter(t)
	is.NoErr(w.Write(Change{Path: path, After: []byte("new")}))
	is.Equal(content(t, path), "new")
	info, err := os.Stat(path)
	is.NoErr(err)
	is.Equal(info.Mode().Perm(), fs.FileMode(0o600))
	backups, err := w.List()
	is.NoErr(err)
	is.NoErr(w.Undo(backups[0]))
	_, err = os.Stat(path)
	is.True(errors.Is(err, fs.ErrNotExist))
}

func TestSomebodyElsesChangeWins(t *testing.T) {
	is := is.New(t)
	w, path := newTestWriter(t)
	is.NoErr(os.WriteFile(path, []byte("theirs"), 0o600))
	err := w.Write(Change{Path: path, Before: []byte("old"), After: []byte("new")})
	is.True(errors.Is(err, ErrChanged))
	is.Equal(content(t, path), "theirs")
	err = w.Write(Change{Path: path, After: []byte("new")})
	is.True(errors.Is(err, ErrChanged)) // the file was thought not to exist

	is.NoErr(w.Write(Change{Path: path, Before: []byte("theirs"), After: []byte("new")}))
	is.NoErr(os.WriteFile(path, []byte("edited"), 0o600))
	backups, err := w.List()
	is.NoErr(err)
	is.True(errors.Is(w.Undo(backups[0]), ErrChanged))
	is.Equal(content(t, path), "edited")
}

func TestLinks(t *testing.T) {
	is := is.New(t)
	w, path := newTestWriter(t)
	real := filepath.Join(t.TempDir(), "dotfiles.json")
	is.NoErr(os.WriteFile(real, []byte("old"), 0o600))
	is.NoErr(os.Symlink(real, path))

	err := w.Write(Change{Path: path, Project: filepath.Dir(path), Before: []byte("old"), After: []byte("new")})
	is.True(err != nil) // the link leaves the project
	is.Equal(content(t, real), "old")

	is.NoErr(w.Write(Change{Path: path, Before: []byte("old"), After: []byte("new")}))
	is.Equal(content(t, real), "new")
	info, err := os.Lstat(path)
	is.NoErr(err)
	is.True(info.Mode()&fs.ModeSymlink != 0) // the link is still one

	loop := filepath.Join(filepath.Dir(path), "loop.json")
	is.NoErr(os.Symlink(loop, loop))
	is.True(w.Write(Change{Path: loop, After: []byte("x")}) != nil)
}

func TestOddFilesAreRefused(t *testing.T) {
	is := is.New(t)
	w, path := newTestWriter(t)
	is.NoErr(os.Mkdir(path, 0o700))
	is.True(w.Write(Change{Path: path, Before: []byte{}, After: []byte("x")}) != nil)
	pipe := path + ".pipe"
	if err := exec.Command("mkfifo", pipe).Run(); err == nil {
		is.True(w.Write(Change{Path: pipe, Before: []byte{}, After: []byte("x")}) != nil)
	}
	for _, name := range []string{"mcp.json::$DATA", "CON", "nul.json", "COM1.json", "mcp.json.", "mcp.json ", "a\x00b"} {
		is.True(w.Write(Change{Path: filepath.Join(filepath.Dir(path), name), After: []byte("x")}) != nil) // name refused
	}
}

func TestBackupsAreBounded(t *testing.T) {
	is := is.New(t)
	w, path := newTestWriter(t)
	at := time.Unix(0, 0)
	w.now = func() time.Time { at = at.Add(time.Second); return at }
	before := []byte(nil)
	for i := range maxBackups + 5 {
		after := []byte(fmt.Sprint(i))
		is.NoErr(w.Write(Change{Path: path, Before: before, After: after}))
		before = after
	}
	backups, err := w.List()
	is.NoErr(err)
	is.Equal(len(backups), maxBackups)
	is.Equal(string(backups[0].Before), fmt.Sprint(maxBackups+3)) // the youngest first
}

// faulty fails the n-th call that it sees.
type faulty struct {
	disk
	n, calls int
	err      error
}

func (f *faulty) fail() error {
	f.calls++
	if f.calls == f.n {
		return f.err
	}
	return nil
}

func (f *faulty) Resolve(p string) (string, error) {
	if err := f.fail(); err != nil {
		return "", err
	}
	return f.disk.Resolve(p)
}
func (f *faulty) Read(p string) ([]byte, fs.FileInfo, error) {
	if err := f.fail(); err != nil {
		return nil, nil, err
	}
	return f.disk.Read(p)
}
func (f *faulty) Create(d string) (*os.File, error) {
	if err := f.fail(); err != nil {
		return nil, err
	}
	return f.disk.Create(d)
}
func (f *faulty) Write(file *os.File, data []byte) error {
	if err := f.fail(); err != nil {
		_, _ = file.Write(data[:len(data)/2]) // a short write, then the error
		return err
	}
	return f.disk.Write(file, data)
}
func (f *faulty) Chmod(file *os.File, m fs.FileMode) error {
	return errors.Join(f.fail(), f.disk.Chmod(file, m))
}
func (f *faulty) Chown(file *os.File, like fs.FileInfo) error {
	return errors.Join(f.fail(), f.disk.Chown(file, like))
}
func (f *faulty) Sync(file *os.File) error { return f.fail() }
func (f *faulty) SyncDir(d string) error   { return f.fail() }
func (f *faulty) Link(a, b string) error {
	if err := f.fail(); err != nil {
		return err
	}
	return f.disk.Link(a, b)
}
func (f *faulty) Exchange(a, b string) error {
	if err := f.fail(); err != nil {
		return err
	}
	return f.disk.Exchange(a, b)
}
func (f *faulty) Rename(a, b string) error {
	if err := f.fail(); err != nil {
		return err
	}
	return f.disk.Rename(a, b)
}
func (f *faulty) Remove(p string) error {
	if err := f.fail(); err != nil {
		return err
	}
	return f.disk.Remove(p)
}

// TestEveryCallMayFail makes each call to the file system fail in turn: the
// file is the old or the new one, an error means the old one, and the next
// write leaves nothing behind.
func TestEveryCallMayFail(t *testing.T) {
	for _, fault := range []error{syscall.EIO, syscall.ENOSPC, syscall.EACCES, syscall.EXDEV, errors.ErrUnsupported} {
		for n := 1; ; n++ {
			is := is.New(t)
			w, path := newTestWriter(t)
			is.NoErr(os.WriteFile(path, []byte("the old text"), 0o600))
			f := &faulty{n: n, err: fault}
			w.system = f
			err := w.Write(Change{Path: path, Before: []byte("the old text"), After: []byte("the new text, longer")})
			if f.calls < n {
				is.NoErr(err)
				if n < 10 {
					t.Fatalf("only %d calls were seen", n)
				}
				break
			}
			got := content(t, path)
			switch {
			case err != nil && got != "the old text":
				t.Fatalf("call %d fails with %v: error %v, but the file is %q", n, fault, err, got)
			case err == nil && got != "the new text, longer":
				t.Fatalf("call %d fails with %v: no error, but the file is %q", n, fault, got)
			}
			w.system = disk{}
			is.NoErr(w.Write(Change{Path: path, Before: []byte(got), After: []byte("next")}))
			left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), files.TempPrefix+"*"))
			is.Equal(len(left), 0)
		}
	}
}

// TestTwoWritersLoseNothing lets two writers add lines to one file. Every line
// that either was told is written must be there in the end.
func TestTwoWritersLoseNothing(t *testing.T) {
	w, path := newTestWriter(t)
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	const rounds = 500
	var written [2][]string
	var wait sync.WaitGroup
	for i := range written {
		mine := w
		if i == 1 {
			mine = NewWriter(w.Backups)
		}
		wait.Add(1)
		go func() {
			defer wait.Done()
			for n := range rounds {
				line := fmt.Sprintf("%d-%d\n", i, n)
				for {
					before, err := os.ReadFile(path)
					if err != nil {
						continue
					}
					err = mine.Write(Change{Path: path, Before: before, After: append(bytes.Clone(before), line...)})
					if err == nil {
						written[i] = append(written[i], line)
						break
					}
					if !errors.Is(err, ErrChanged) {
						t.Error(err)
						return
					}
				}
			}
		}()
	}
	wait.Wait()
	got := content(t, path)
	for _, lines := range written {
		for _, line := range lines {
			if !strings.Contains(got, line) {
				t.Fatalf("%q was lost", line)
			}
		}
	}
	if n := strings.Count(got, "\n"); n != 2*rounds {
		t.Fatalf("%d lines, want %d", n, 2*rounds)
	}
}

// TestEditorIsNotOverwritten writes while another program replaces the file by
// rename without looking, as editors do: it may undo our change, but we never
// lose a line of its.
func TestEditorIsNotOverwritten(t *testing.T) {
	is := is.New(t)
	w, path := newTestWriter(t)
	is.NoErr(os.WriteFile(path, nil, 0o600))
	done := make(chan int)
	go func() {
		lines := 0
		defer func() { done <- lines }()
		for range 300 {
			data, err := os.ReadFile(path)
			if err != nil {
				continue
			}
			beside := path + ".editor"
			if os.WriteFile(beside, append(data, "theirs\n"...), 0o600) != nil || os.Rename(beside, path) != nil {
				return
			}
			lines++
		}
	}()
	for ours := 0; ; ours++ {
		select {
		case lines := <-done:
			is.Equal(strings.Count(content(t, path), "theirs"), lines)
			is.True(ours > 0)
			return
		default:
		}
		before, err := os.ReadFile(path)
		is.NoErr(err)
		err = w.Write(Change{Path: path, Before: before, After: append(bytes.Clone(before), "ours\n"...)})
		if err != nil && !errors.Is(err, ErrChanged) {
			t.Fatal(err)
		}
	}
}

// TestKilledAtAnyMoment kills a writing process again and again: the file is
// always one of the two texts, whole.
func TestKilledAtAnyMoment(t *testing.T) {
	if os.Getenv("INSTALL_TEST_WRITER") != "" {
		writeForEver(os.Getenv("INSTALL_TEST_WRITER"))
	}
	is := is.New(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "mcp.json")
	texts := []string{strings.Repeat("a", 40_000), strings.Repeat("b", 70_000)}
	is.NoErr(os.WriteFile(path, []byte(texts[0]), 0o600))
	kills := 60
	if os.Getenv("MCPMEND_TEST_LONG") != "" {
		kills = 1000
	}
	for range kills {
		cmd := exec.Command(os.Args[0], "-test.run=^TestKilledAtAnyMoment$")
		cmd.Env = append(os.Environ(), "INSTALL_TEST_WRITER="+dir)
		out, err := cmd.StdoutPipe()
		is.NoErr(err)
		is.NoErr(cmd.Start())
		_, err = out.Read(make([]byte, 1)) // it writes now
		is.NoErr(err)
		time.Sleep(time.Duration(rand.Intn(3000)) * time.Microsecond)
		is.NoErr(cmd.Process.Kill())
		_ = cmd.Wait()
		got := content(t, path)
		is.True(got == texts[0] || got == texts[1]) // old or new, whole
	}
}

func writeForEver(dir string) {
	w := NewWriter(filepath.Join(dir, "backups"))
	path := filepath.Join(dir, "mcp.json")
	a, b := []byte(strings.Repeat("a", 40_000)), []byte(strings.Repeat("b", 70_000))
	fmt.Println("writing")
	for {
		if w.Write(Change{Path: path, Before: a, After: b}) != nil && w.Write(Change{Path: path, Before: b, After: a}) != nil {
			os.Exit(3)
		}
	}
}

func content(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
