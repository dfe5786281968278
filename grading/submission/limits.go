package submission

import (
	"time"

	"github.com/flk-byo/de/harness/build"
)

// Limits bound what is read of one submission. A zero is the default. Sizes are
// counted as they are read, never taken from what an archive says of itself.
type Limits struct {
	Entries      int           // files and folders, whatever their kind: 20,000
	Depth        int           // folders above a file: 16
	PathBytes    int           // of one path: 512
	FileBytes    int64         // of one Go file: as many as are compiled, 1 MiB
	TotalBytes   int64         // of all Go files that are read: 32 MiB
	ArchiveBytes int64         // of an archive, packed; unpacked, four times as many: 64 MiB
	Ratio        int64         // unpacked bytes for each packed one, beyond the first 8 MiB; of a zip only Go files are unpacked: 200
	GitTime      time.Duration // for each of the few calls of git: 20 s
}

func (l Limits) orDefaults() Limits {
	set(&l.Entries, 20_000)
	set(&l.Depth, 16)
	set(&l.PathBytes, 512)
	set(&l.FileBytes, build.MaxFileBytes)
	set(&l.TotalBytes, 32<<20)
	set(&l.ArchiveBytes, 64<<20)
	set(&l.Ratio, 200)
	set(&l.GitTime, 20*time.Second)
	return l
}

func set[T int | int64 | time.Duration](field *T, value T) {
	if *field == 0 {
		*field = value
	}
}
