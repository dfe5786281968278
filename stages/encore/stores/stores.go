// Package stores is what the stores have in common that the encore's job is run
// on. Each is a checkpoint store and a sink over something that outlives the
// process, and can be read by whoever comes later. Each kind has a package of its
// own below this one, and a program: so who runs a job on one of them neither
// downloads nor compiles the drivers of the others.
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

	// Drop removes all that the store has on a server. Nobody uses it any more.
	Drop() error

	Close() error
}

// A Filled store has a source of its own. It is filled once, before a job is run.
type Filled interface {
	Store
	Fill(records []stream.Record) error
	Source() (contract.Source, error)
}

// Open is what a kind of store exports: it opens the one that is at a place, and
// makes it if it is not there.
type Open func(at protocol.Location) (Store, error)

const longestID = 60

// CheckID refuses IDs that could not be the name of a file in each store.
func CheckID(id contract.TransactionID) error {
	odd := func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '-')
	}
	if id == "" || len(id) > longestID || strings.ContainsFunc(string(id), odd) {
		return fmt.Errorf("the ID %.70q is not made of 1 to %d letters, digits and dashes", id, longestID)
	}
	return nil
}
