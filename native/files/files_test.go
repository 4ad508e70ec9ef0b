package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/matryer/is"
)

func TestFailuresAreWordedOnce(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "nothing")
	_, open := os.Open(missing)
	tests := []struct {
		name string
		err  error
		want string
	}{
		{"of a path", open, "cannot read x: "},
		{"of two paths", os.Rename(missing, missing+"2"), "cannot read x: "},
		{"of something else", errors.New("out of luck"), "cannot read x: out of luck"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			got := Cannot("read", "x", tt.err)
			is.True(strings.HasPrefix(got.Error(), tt.want))
			is.True(!strings.Contains(got.Error(), missing)) // the path is named once, in our words
			is.True(errors.Is(got, Reason(tt.err)))
		})
	}
	is.New(t).True(errors.Is(Cannot("read", "x", open), fs.ErrNotExist))
}

func TestSavedIsLoaded(t *testing.T) {
	is := is.New(t)
	path := filepath.Join(t.TempDir(), "new", "list.json")
	var list []string
	is.NoErr(Load(path, &list)) // not there yet
	is.Equal(len(list), 0)
	is.NoErr(Save(path, []string{"a", "<b>"}))
	is.NoErr(Load(path, &list))
	is.Equal(list, []string{"a", "<b>"})
	info, err := os.Stat(path)
	is.NoErr(err)
	is.Equal(info.Mode().Perm()&0o077, fs.FileMode(0)) // nobody else's
	left, err := filepath.Glob(filepath.Join(filepath.Dir(path), TempPrefix+"*"))
	is.NoErr(err)
	is.Equal(len(left), 0)
	is.NoErr(os.WriteFile(path, []byte("{"), 0o600))
	is.True(strings.Contains(Load(path, &list).Error(), "is damaged")) // and what to do
}
