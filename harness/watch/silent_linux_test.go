package watch

import (
	"testing"

	"golang.org/x/sys/unix"
)

func TestSilentKinds(t *testing.T) {
	for kind, want := range map[uint32]string{unix.NFS_SUPER_MAGIC: "NFS", unix.FUSE_SUPER_MAGIC: "FUSE", unix.EXT4_SUPER_MAGIC: "", unix.TMPFS_MAGIC: ""} {
		if got := silentKinds[kind]; got != want {
			t.Errorf("%#x is %q, want %q", kind, got, want)
		}
	}
}
