package stores

import (
	"cmp"
	"fmt"
	"os"
)

// Room says why nothing more can be written to a folder; nil if it can. It tries,
// for a driver may keep that to itself: SQLite's says "disk I/O error" of a full
// disk, too.
func Room(dir string) error {
	f, err := os.CreateTemp(dir, "room-")
	if err == nil {
		_, err = f.Write(make([]byte, roomBytes))
		err = cmp.Or(err, f.Sync(), f.Close(), os.Remove(f.Name()))
	}
	if err == nil {
		return nil
	}
	return fmt.Errorf("the disk takes no more: %w. Make room, and start the job again: it goes on where it was", err)
}

// roomBytes is how much a disk that is not full has room for.
const roomBytes = 64 << 10
