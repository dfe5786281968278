//go:build unix

package sandbox

import "golang.org/x/sys/unix"

func reserve(n int) []byte {
	space, err := unix.Mmap(-1, 0, n, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return nil
	}
	return space
}

func unreserve(space []byte) error { return unix.Munmap(space) }
