package submission

import (
	"archive/zip"
	"context"
	"errors"
	"io"
	"io/fs"
	"math"
	"strings"
)

func (in *intake) readZip(ctx context.Context, name string) error {
	f, size, err := openArchive(name, in.Limits)
	if err != nil {
		return err
	}
	defer f.Close()
	return damaged(Zip, in.takeZip(ctx, f, size))
}

func (in *intake) takeZip(ctx context.Context, r io.ReaderAt, size int64) error {
	// zip.NewReader keeps the whole directory, whatever the number of entries
	// that the archive admits to.
	perEntry := int64(128 + in.Limits.PathBytes/4)
	rationed := &ration{r: r, left: 1<<20 + int64(in.Limits.Entries)*perEntry, beyond: in.tooMany()}
	archive, err := zip.NewReader(rationed, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) { // we look at the paths ourselves
		return err
	}
	rationed.left = math.MaxInt64
	for _, entry := range archive.File {
		if err := ctx.Err(); err != nil {
			return err
		}
		f, err := in.wants(zipPath(entry))
		if err != nil {
			return err
		}
		if f == nil {
			continue
		}
		if err := in.unzip(ctx, f, entry); err != nil {
			return err
		}
	}
	return nil
}

// zipPath is the path of an entry, and what it is. Some programs for Windows part
// folders by backslashes, which no name there can have in it.
func zipPath(entry *zip.File) (string, fs.FileMode) {
	name := strings.ReplaceAll(entry.Name, `\`, "/")
	if strings.HasSuffix(name, "/") {
		return name, fs.ModeDir
	}
	return name, entry.Mode()
}

// encrypted is the flag of an entry that needs a password.
const encrypted = 1

func (in *intake) unzip(ctx context.Context, f *file, entry *zip.File) error {
	if entry.Flags&encrypted != 0 {
		in.refuse(f, "it is encrypted")
		return nil
	}
	r, err := entry.Open()
	if errors.Is(err, zip.ErrAlgorithm) {
		in.refuse(f, "it is packed by a method that can't be read; use a plain zip")
		return nil
	}
	if err != nil {
		return err
	}
	defer r.Close()
	return in.keep(f, &meter{ctx: ctx, r: r})
}

// A ration is read until nothing is left of it.
type ration struct {
	r      io.ReaderAt
	left   int64
	beyond error
}

func (r *ration) ReadAt(p []byte, at int64) (int, error) {
	if r.left < int64(len(p)) {
		return 0, r.beyond
	}
	r.left -= int64(len(p))
	return r.r.ReadAt(p, at)
}
