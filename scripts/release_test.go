package scripts

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// TestRelease opens what scripts/release has made: every archive has all that it
// should, the binaries are what their names say, and checksums and bills of
// materials are there for each.
func TestRelease(t *testing.T) {
	dir := os.Getenv("MCPMEND_TEST_RELEASE")
	if dir == "" {
		t.Skip("looks at a release: ./scripts/release --snapshot")
	}
	is := is.New(t)
	sums := checksums(t, dir)
	commit, err := exec.Command("git", "-C", "..", "rev-parse", "HEAD").Output()
	is.NoErr(err)
	for _, system := range []string{"linux", "darwin", "windows"} {
		for _, arch := range []string{"amd64", "arm64"} {
			t.Run(system+" "+arch, func(t *testing.T) {
				is := is.New(t)
				suffix, program := "_"+system+"_"+arch+".tar.gz", "mcpmend"
				if system == "windows" {
					suffix, program = "_"+system+"_"+arch+".zip", "mcpmend.exe"
				}
				path := only(t, dir, suffix)
				files := unpacked(t, path)
				for _, name := range []string{program, "LICENSE", "README.md", "man/mcpmend.1", "man/mcpmend-check.1",
					"completions/mcpmend.bash", "completions/mcpmend.zsh", "completions/mcpmend.fish", "completions/mcpmend.powershell"} {
					if len(files[name]) == 0 {
						t.Errorf("%s has no %s, or an empty one", filepath.Base(path), name)
					}
				}
				info, err := buildinfo.Read(bytes.NewReader(files[program]))
				is.NoErr(err)
				is.Equal(info.Main.Path, "mcpmend")
				settings := map[string]string{}
				for _, s := range info.Settings {
					settings[s.Key] = s.Value
				}
				is.Equal(settings["GOOS"], system)
				is.Equal(settings["GOARCH"], arch)
				is.Equal(settings["CGO_ENABLED"], "0")
				is.Equal(settings["-trimpath"], "true")
				is.True(sums[filepath.Base(path)])
				if system == runtime.GOOS && arch == runtime.GOARCH {
					runs(t, files[program], strings.TrimSpace(string(commit)))
				}
			})
		}
	}
	t.Run("bills of materials", func(t *testing.T) {
		is := is.New(t)
		bills, err := filepath.Glob(filepath.Join(dir, "*.sbom.json"))
		is.NoErr(err)
		is.Equal(len(bills), 6)
		for _, path := range bills {
			var bill struct {
				BOMFormat  string
				Components []any
			}
			text, err := os.ReadFile(path)
			is.NoErr(err)
			is.NoErr(json.Unmarshal(text, &bill))
			is.Equal(bill.BOMFormat, "CycloneDX")
			is.True(len(bill.Components) > 5)
			is.True(sums[filepath.Base(path)])
		}
	})
	t.Run("the page", func(t *testing.T) {
		path := only(t, dir, "_page.tar.gz")
		files := unpacked(t, path)
		is := is.New(t)
		is.True(len(files["index.html"]) > 0 && len(files["SHA256SUMS"]) > 0)
		for line := range strings.Lines(string(files["SHA256SUMS"])) {
			sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
			got := sha256.Sum256(files[name])
			if hex.EncodeToString(got[:]) != sum {
				t.Errorf("%s is not what SHA256SUMS says", name)
			}
		}
		is.True(sums[filepath.Base(path)])
	})
}

// checksums reads checksums.txt and holds every file against it.
func checksums(t *testing.T, dir string) map[string]bool {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "checksums.txt"))
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Errorf("listed and not there: %v", err)
			continue
		}
		got := sha256.Sum256(data)
		if hex.EncodeToString(got[:]) != sum {
			t.Errorf("%s is not what checksums.txt says", name)
		}
		listed[name] = true
	}
	return listed
}

// only is the one file with a suffix.
func only(t *testing.T, dir, suffix string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "*"+suffix))
	if err != nil || len(found) != 1 {
		t.Fatalf("%d files end in %s", len(found), suffix)
	}
	return found[0]
}

// unpacked is what is in an archive, by name.
func unpacked(t *testing.T, path string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	read := func(name string, r io.Reader) {
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = data
	}
	if strings.HasSuffix(path, ".zip") {
		archive, err := zip.OpenReader(path)
		if err != nil {
			t.Fatal(err)
		}
		defer archive.Close()
		for _, entry := range archive.File {
			r, err := entry.Open()
			if err != nil {
				t.Fatal(err)
			}
			read(entry.Name, r)
			r.Close()
		}
		return files
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	packed, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for archive := tar.NewReader(packed); ; {
		entry, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		if slices.Contains([]string{"mcpmend", "mcpmend.exe"}, entry.Name) && entry.Mode&0o111 == 0 {
			t.Errorf("%s cannot be executed", entry.Name)
		}
		read(entry.Name, archive)
	}
}

// runs starts the binary of this very system.
func runs(t *testing.T, program []byte, commit string) {
	t.Helper()
	is := is.New(t)
	path := filepath.Join(t.TempDir(), "mcpmend.exe") // a name that every system starts
	is.NoErr(os.WriteFile(path, program, 0o755))
	out, err := exec.Command(path, "version").CombinedOutput()
	is.NoErr(wrapped(err, out))
	is.True(strings.Contains(string(out), commit))
	out, err = exec.Command(path, "modules", "list").CombinedOutput()
	is.NoErr(wrapped(err, out))
	is.True(strings.Contains(string(out), "embedded")) // it was built with the fix modules
}
