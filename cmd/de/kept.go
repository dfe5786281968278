package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
)

// keptFolder holds results of stages, in the folder for caches.
const keptFolder = "results"

// maxKept bounds a result that is kept, in bytes.
const maxKept = 8 << 20

// A keeper keeps the results of stages in a folder, a file each. That it can't
// is no harm: they are found again.
type keeper struct {
	dir   string
	fresh bool // hand out none
}

func (k keeper) path(key string) string { return filepath.Join(k.dir, key+".json") }

func (k keeper) Load(key string) ([]byte, bool) {
	if k.fresh {
		return nil, false
	}
	f, err := os.Open(k.path(key))
	if err != nil {
		return nil, false
	}
	defer f.Close() // read only
	text, err := io.ReadAll(io.LimitReader(f, maxKept))
	return text, err == nil
}

func (k keeper) Save(key string, result []byte) {
	if len(result) >= maxKept || os.MkdirAll(k.dir, 0o777) != nil {
		return
	}
	_ = replace(k.path(key), func(w io.Writer) error {
		_, err := w.Write(result)
		return err
	})
}

// program tells this program and the Go toolchain from any other, by the files
// that they are. It says nothing of what is in these, so it is for this machine.
func program(self, goCommand string) (string, error) {
	text := runtime.GOOS + "/" + runtime.GOARCH
	for _, path := range []string{self, goCommand} {
		info, err := os.Stat(path)
		if err != nil {
			return "", fmt.Errorf("look at %s: %w", path, err)
		}
		text += fmt.Sprintf(" %q %d %d", path, info.Size(), info.ModTime().UnixNano())
	}
	return text, nil
}
