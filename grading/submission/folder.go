package submission

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

// A walk is through a folder on disk. An os.Root keeps it inside, and nothing
// is opened but folders and regular files.
type walk struct {
	in   *intake
	ctx  context.Context
	root *os.Root
}

func (in *intake) readFolder(ctx context.Context, name string) error {
	root, err := os.OpenRoot(name)
	if err != nil {
		return err
	}
	defer root.Close()
	return walk{in, ctx, root}.folder(".", 0)
}

func (w walk) folder(dir string, depth int) error {
	if depth > w.in.Limits.Depth {
		w.in.leaveOut(dir, w.in.Limits.tooDeep())
		return nil
	}
	entries, err := w.entries(dir)
	if errors.Is(err, fs.ErrPermission) {
		w.in.leaveOut(dir, "it can't be read, permission is denied")
		return nil
	}
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if err := w.entry(path.Join(dir, entry.Name()), entry.Type(), depth); err != nil {
			return err
		}
	}
	return nil
}

// entries lists a folder in order, but no more of it than may be looked at.
func (w walk) entries(dir string) ([]fs.DirEntry, error) {
	f, err := w.root.Open(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	entries, err := f.ReadDir(w.in.Limits.Entries - w.in.entries + 1)
	if err != nil && err != io.EOF {
		return nil, err
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, nil
}

func (w walk) entry(name string, mode fs.FileMode, depth int) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	f, err := w.in.wants(name, mode)
	switch {
	case err != nil:
		return err
	case f != nil:
		return w.file(f, name)
	case mode.IsDir() && !isJunk(name):
		return w.folder(name, depth+1)
	}
	return nil
}

// file reads a file, if it is still what it was listed as.
func (w walk) file(f *file, name string) error {
	r, err := w.root.OpenFile(name, os.O_RDONLY|nonblock, 0)
	if errors.Is(err, fs.ErrPermission) {
		w.in.refuse(f, "it can't be read, permission is denied")
		return nil
	}
	if err != nil {
		return err
	}
	defer r.Close()
	info, err := r.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		w.in.refuse(f, "it changed while it was read")
		return nil
	}
	return w.in.keep(f, r)
}
