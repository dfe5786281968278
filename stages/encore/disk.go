package encore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// A disk is a file system of its own, in a file that stands for a real disk: what
// the kernel has written to the file is on the disk, and what it only keeps in
// memory is not. So a copy of the file, taken while the file system is mounted, is
// what a power cut leaves. What a disk would have had in a cache of its own is on
// the copy: a disk that lies about a flush is not simulated.
type disk struct {
	folder string // where it is mounted
	image  string // the file
	cuts   int
}

// diskBytes is the least size of a disk, and recordBytes what a record adds to it:
// each is in a store, and in what the store logs. Most of the file is a hole.
const (
	diskBytes   = 32 << 20
	recordBytes = 1 << 10
)

// mountOptions keep the file system from making durable, by itself, what a store
// has not asked for: each 5 s a commit, and the data of files that are renamed or
// written anew. Programs may not rely on either.
const mountOptions = "loop,commit=300,noauto_da_alloc,noatime"

// CanCutPower tells why no power can be cut here; nil if it can. It tries in dir.
func CanCutPower(ctx context.Context, dir string) error {
	switch {
	case runtime.GOOS != "linux":
		return errors.New("that needs Linux, which mounts a file as a disk")
	case os.Geteuid() != 0:
		return errors.New("only root can mount a file as a disk")
	}
	d, err := newDisk(ctx, dir, 0)
	if err != nil {
		return err
	}
	return errors.Join(d.remove(), os.Remove(d.image), os.Remove(d.folder))
}

// newDisk makes a disk for so many records in dir, and mounts it on a folder there.
func newDisk(ctx context.Context, dir string, records int) (*disk, error) {
	d := &disk{folder: filepath.Join(dir, "disk"), image: filepath.Join(dir, "disk.0")}
	if err := os.Mkdir(d.folder, 0o777); err != nil {
		return nil, err
	}
	if err := os.WriteFile(d.image, nil, 0o666); err != nil {
		return nil, err
	}
	if err := os.Truncate(d.image, diskBytes+int64(records)*recordBytes); err != nil {
		return nil, err
	}
	// Without the options the kernel would go on writing after the mount.
	if err := command(ctx, "mkfs.ext4", "-q", "-F", "-E", "lazy_itable_init=0,lazy_journal_init=0", d.image); err != nil {
		return nil, err
	}
	return d, d.mount(ctx)
}

func (d *disk) mount(ctx context.Context) error {
	return command(ctx, "mount", "-t", "ext4", "-o", mountOptions, d.image, d.folder)
}

// cut cuts the power: the disk is copied as it is at this moment, and crash ends
// all that runs on it. The order matters, for the kernel may write out a file
// that a process closes as it dies. Then the copy is mounted in its place, by
// which the file system recovers.
func (d *disk) cut(ctx context.Context, crash func()) error {
	d.cuts++
	before, after := d.image, strings.TrimSuffix(d.image, filepath.Ext(d.image))+fmt.Sprintf(".%d", d.cuts)
	err := command(ctx, "cp", "--sparse=always", before, after)
	crash()
	if err != nil {
		return err
	}
	if err := d.remove(); err != nil {
		return err
	}
	d.image = after
	return errors.Join(os.Remove(before), d.mount(ctx))
}

// remove unmounts the disk, also where a run was interrupted.
func (d *disk) remove() error {
	return command(context.Background(), "umount", d.folder)
}

// command runs a command of the system, and returns what it says if it fails.
func command(ctx context.Context, name string, args ...string) error {
	words, err := exec.CommandContext(ctx, name, args...).CombinedOutput()
	if err == nil {
		return nil
	}
	if said := strings.TrimSpace(string(words)); said != "" {
		return fmt.Errorf("%s: %s", name, said)
	}
	return fmt.Errorf("%s: %w", name, err)
}
