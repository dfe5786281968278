//go:build unix

package build

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// Neither a link nor a pipe is followed: the one could show any file, the
// other never ends.
func TestCollectFromDisk(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret.go")
	if err := os.WriteFile(secret, []byte("package a\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		make func(path string) error
	}{
		{"link", func(path string) error { return os.Symlink(secret, path) }},
		{"link to nothing", func(path string) error { return os.Symlink("nothing", path) }},
		{"pipe", func(path string) error { return unix.Mkfifo(path, 0o666) }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := test.make(filepath.Join(dir, "x.go")); err != nil {
				t.Fatal(err)
			}
			sources, found, err := collect(Package{Folder: "01", Files: os.DirFS(dir)}, allowed)
			if err != nil || len(sources) > 0 || len(found) != 1 || !strings.HasPrefix(found[0].Message, "it is not a regular file") {
				t.Errorf("%d files, %v, %v", len(sources), found, err)
			}
		})
	}
}
