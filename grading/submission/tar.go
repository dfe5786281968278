package submission

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// slack is what any archive may unpack to, however small it is: tar pads files
// with zeros.
const slack = 8 << 20

func (in *intake) readTar(ctx context.Context, s Source) error {
	f, _, err := openArchive(s.Path, in.Limits)
	if err != nil {
		return err
	}
	defer f.Close()
	if s.Kind == TarGz {
		return damaged(TarGz, in.takeTarGz(ctx, f))
	}
	return damaged(Tar, in.takeTar(&meter{ctx: ctx, r: f}))
}

func (in *intake) takeTarGz(ctx context.Context, r io.Reader) error {
	packed := &meter{ctx: ctx, r: r}
	unpacked, err := gzip.NewReader(packed)
	if err != nil {
		return err
	}
	bounded := &meter{ctx: ctx, r: unpacked}
	bounded.limit = func() int64 { return min(packed.n*in.Limits.Ratio+slack, 4*in.Limits.ArchiveBytes) }
	bounded.beyond = refusal(fmt.Sprintf("the archive unpacks to more than %s, or %d times its size: hand in only your Go files", size(4*in.Limits.ArchiveBytes), in.Limits.Ratio))
	if err := in.takeTar(bounded); err != nil {
		return err
	}
	// The checksum stands at the end, and what follows an archive is nobody's
	// business.
	_, err = io.Copy(io.Discard, bounded)
	if errors.Is(err, gzip.ErrHeader) {
		return nil
	}
	return err
}

func (in *intake) takeTar(r *meter) error {
	archive := tar.NewReader(r)
	for {
		entry, err := archive.Next()
		if err == io.EOF && r.ended { // before the two blocks that end an archive
			return io.ErrUnexpectedEOF
		}
		if err == io.EOF {
			return nil
		}
		if err != nil && !errors.Is(err, tar.ErrInsecurePath) { // we look at the paths ourselves
			return err
		}
		if entry.Typeflag == tar.TypeXGlobalHeader {
			continue // is about the archive, e.g. the commit that it is of
		}
		f, err := in.wants(entry.Name, tarMode(entry.Typeflag))
		if err == nil && f != nil {
			err = in.keep(f, archive)
		}
		if err != nil {
			return err
		}
	}
}

// tarMode goes by the type alone: the mode that stands beside it may say
// otherwise.
func tarMode(typeflag byte) fs.FileMode {
	switch typeflag {
	case tar.TypeReg:
		return 0
	case tar.TypeDir:
		return fs.ModeDir
	default:
		return fs.ModeIrregular
	}
}
