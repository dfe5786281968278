//go:build unix

package submission

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// Nothing in a folder is opened but folders and regular files: a pipe would
// never end, and a link could show any file.
func TestUntrustedFolders(t *testing.T) {
	outside := makeFolder(t, files("01-first/secret.go", "secret")).Path
	notRegular := fmt.Sprintf(spoiled, `"01-first/x.go" is left out: it is not a regular file; links and devices are not followed`)
	tests := []struct {
		name string
		make func(dir string) error
		want string
	}{
		{"a pipe", func(dir string) error { return unix.Mkfifo(filepath.Join(dir, "01-first/x.go"), 0o666) }, notRegular},
		{"a link out", func(dir string) error {
			return os.Symlink(filepath.Join(outside, "01-first/secret.go"), filepath.Join(dir, "01-first/x.go"))
		}, notRegular},
		{"a link to nothing", func(dir string) error { return os.Symlink("nothing", filepath.Join(dir, "01-first/x.go")) }, notRegular},
		{"a link to itself", func(dir string) error { return os.Symlink(".", filepath.Join(dir, "round")) },
			taken + "\nleft out, other files: 1; only Go files in the folder of a stage are taken"},
		{"a folder that is a link", func(dir string) error { return os.Symlink(outside, filepath.Join(dir, "more")) },
			taken + "\nleft out, other files: 1; only Go files in the folder of a stage are taken"},
		{"an editor's lock", func(dir string) error { return os.Symlink("ada@host.1", filepath.Join(dir, "01-first/.#a.go")) }, taken},
		{"two names that differ in case", func(dir string) error { return os.WriteFile(filepath.Join(dir, "01-first/A.go"), nil, 0o666) },
			fmt.Sprintf(spoiled, `"01-first/A.go" is left out: there are two files of that name; capital letters do not tell them apart`)},
		{"deep", func(dir string) error {
			for range 18 {
				dir = filepath.Join(dir, "x")
			}
			return os.MkdirAll(dir, 0o777)
		}, taken + "\n" + `"x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x/x" is left out: it is more than 16 folders deep`},
		{"a hole", func(dir string) error {
			p := filepath.Join(dir, "01-first/x.go")
			if err := os.WriteFile(p, nil, 0o666); err != nil {
				return err
			}
			return os.Truncate(p, 1<<40)
		}, fmt.Sprintf(spoiled, `"01-first/x.go" is left out: it is larger than 1 MiB`)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := makeFolder(t, good)
			if err := test.make(s.Path); err != nil {
				t.Skip(err)
			}
			if got := say(t, read(t, s, Limits{})); got != test.want {
				t.Errorf("says\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

// An archive may be a pipe, or a link to one.
func TestArchiveIsPipe(t *testing.T) {
	for _, kind := range []Kind{Zip, Tar, TarGz} {
		name := filepath.Join(t.TempDir(), "ada."+string(kind))
		if err := unix.Mkfifo(name, 0o666); err != nil {
			t.Skip(err)
		}
		if got := say(t, read(t, Source{Path: name, Kind: kind}, Limits{})); got != "FATAL the archive is not a regular file" {
			t.Errorf("%s: says %s", kind, got)
		}
	}
}

func TestManyFilesInFolder(t *testing.T) {
	s := makeFolder(t, good)
	for i := range 60 {
		if err := os.WriteFile(filepath.Join(s.Path, fmt.Sprint(i)), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want := "FATAL it holds more than 50 files and folders: hand in only your Go files, in the folders of their stages"
	got := read(t, s, Limits{Entries: 50})
	if last := got.Problems[len(got.Problems)-1]; !last.Fatal || "FATAL "+last.Words != want {
		t.Errorf("says %v", last)
	}
}
