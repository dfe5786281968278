// Package stores has the stores that the encore's job is run on. Each is a
// checkpoint store and a sink over something that outlives the process, and can
// be read by whoever comes later. Database drivers are not imported here: the
// program that is built around a job brings them, so that nobody else pays.
package stores

import (
	"fmt"
	"strings"

	"github.com/flk-byo/de/stages/encore/contract"
	"github.com/flk-byo/de/stages/encore/protocol"
	"github.com/flk-byo/de/stages/stream"
)

// A Store is what a job is run on.
type Store interface {
	contract.CheckpointStore
	contract.Sink

	// Contents is what readers see, and what was left open or prepared.
	Contents() (protocol.Contents, error)

	// Plain inserts records, so many at once durably, and no more than that: what
	// a sink costs is measured against it. Readers of Contents do not see them.
	Plain(records []stream.Record, every int) error

	// Lock keeps all other writers out until release is called.
	Lock() (release func() error, err error)

	Close() error
}

// Open opens the store of a kind in a folder, and makes it if it is not there.
func Open(kind, dir string) (Store, error) {
	switch kind {
	case "sqlite":
		return openSQLite(dir)
	case "file":
		return openFiles(dir)
	}
	return nil, fmt.Errorf("there is no store %q", kind)
}

const longestID = 60

// checkID refuses IDs that could not be the name of a file in each store.
func checkID(id contract.TransactionID) error {
	odd := func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '-')
	}
	if id == "" || len(id) > longestID || strings.ContainsFunc(string(id), odd) {
		return fmt.Errorf("the ID %.70q is not made of 1 to %d letters, digits and dashes", id, longestID)
	}
	return nil
}
