package sandbox

import (
	"bytes"
	"errors"

	"github.com/tetratelabs/wazero/experimental"
)

// memory is the linear memory of one instance: address space reserved for the
// most it may become, so that it never moves, of which the system gives pages
// only as they are touched.
//
// Restoring takes less than 0.1 ms a megabyte. Letting the kernel do it
// page by page, from a private mapping of a file in memory, took longer.
type memory struct {
	space []byte // all that was reserved
	size  int    // of it, what the guest has
	saved []byte // contents at the snapshot
	began int    // size at the snapshot or the last restore
}

// page is the unit of a restore, in bytes: most of them are as they were, and to
// see that takes less time than to copy.
const page = 4096

// growthBeforeRenewal is by how much a guest's memory may have grown for a
// restore: it can't shrink, and what is above counts against its limit.
const growthBeforeRenewal = 64 << 20

// startSize is about what a guest has at its start, in bytes.
const startSize = 8 << 20

// Allocate and the methods of LinearMemory are wazero's.
func (m *memory) Allocate(_, most uint64) experimental.LinearMemory {
	m.space = reserve(int(most))
	mapHuge(m.space[:min(len(m.space), startSize)])
	return m // without space, the first Reallocate refuses
}

func (m *memory) Reallocate(size uint64) []byte {
	if size > uint64(len(m.space)) {
		return nil
	}
	m.size = int(size)
	return m.space[:size]
}

// Free is called by wazero when the module closes, which may be in the middle
// of a call; release does the work.
func (m *memory) Free() {}

func (m *memory) release() error {
	if m.space == nil {
		return nil
	}
	err := unreserve(m.space)
	if m.saved != nil {
		err = errors.Join(err, unreserve(m.saved))
	}
	m.space, m.saved = nil, nil
	return err
}

func (m *memory) snapshot() error {
	if m.space == nil {
		return errors.New("no memory for the guest")
	}
	if m.saved = reserve(m.size); m.saved == nil {
		return errors.New("no memory for a copy of the guest's")
	}
	mapHuge(m.saved)
	copy(m.saved, m.space)
	m.began = m.size
	return nil
}

// restore brings back the snapshot. What was added since reads as zero again,
// as Go expects of memory it believes to be new: it takes up what it asked for
// from the end of the snapshot on, even where there is more.
func (m *memory) restore() bool {
	if m.size-len(m.saved) > growthBeforeRenewal {
		return false
	}
	for at := 0; at < len(m.saved); at += page {
		now, then := m.space[at:min(at+page, len(m.saved))], m.saved[at:min(at+page, len(m.saved))]
		if !bytes.Equal(now, then) {
			copy(now, then)
		}
	}
	clear(m.space[len(m.saved):][:m.size-m.began])
	m.began = m.size
	return true
}
