package submission

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// openArchive opens the file of an archive, which is the caller's to close.
func openArchive(name string, limits Limits) (*os.File, int64, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	switch {
	case err != nil:
	case !info.Mode().IsRegular():
		err = refusal("the archive is not a regular file")
	case info.Size() > limits.ArchiveBytes:
		err = refusal(fmt.Sprintf("the archive is larger than %s: hand in only your Go files", size(limits.ArchiveBytes)))
	default:
		return f, info.Size(), nil
	}
	return nil, 0, errors.Join(err, f.Close())
}

// damaged tells what ended the reading of an archive: its contents are the
// student's to mend, anything else is not.
func damaged(kind Kind, err error) error {
	var ours *fs.PathError
	var refused refusal
	if err == nil || errors.As(err, &ours) || errors.As(err, &refused) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return refusal(fmt.Sprintf("it can't be read as a %s, it is damaged or incomplete (%.100q): pack it anew", kind, err.Error()))
}

// A meter passes on what it reads, at most limit bytes, and counts it. It ends
// with ctx.
type meter struct {
	ctx    context.Context
	r      io.Reader
	n      int64
	ended  bool // there was nothing left to read
	limit  func() int64
	beyond error // what is said at the limit
}

func (m *meter) Read(p []byte) (int, error) {
	if err := m.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := m.r.Read(p)
	m.n += int64(n)
	m.ended = n == 0 && err == io.EOF
	if m.limit != nil && m.n > m.limit() {
		return 0, m.beyond
	}
	return n, err
}
