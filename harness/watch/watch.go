// Package watch tells when folders and files change, as people and their editors
// change them: many files at once, in place, or by a new file that takes the
// name of the old one. It does not look into files. Start reading at [Start].
package watch

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"time"
)

// A Config says what to watch. Paths are absolute.
type Config struct {
	Folders []string               // for the files right in them that count
	Counts  func(name string) bool // tells for a file's name whether it counts
	Files   []string               // each for itself, whatever its name
	Quiet   time.Duration          // a change is told once there was none for so long
	Every   time.Duration          // how often to look where the system tells of no changes
}

// A Watcher tells of changes until its context ends.
type Watcher struct {
	// Changes carries those of Config.Folders and Config.Files in which something
	// changed, sorted. It is closed at the end.
	Changes <-chan []string

	// Polling says why files are looked at every now and then, e.g. "NFS tells of
	// no changes"; empty if the system tells of them.
	Polling string
}

// Start begins to watch; what changes from its return on is told. The system
// is asked to tell of changes. Where it does not, or is known not to tell of all
// of them, the files are looked at instead.
func Start(ctx context.Context, config Config) Watcher {
	changes, touched := make(chan []string), make(chan string)
	why := silent(config)
	if why == "" {
		if err := notified(ctx, config, touched); err != nil {
			why = "the system gave no notice of changes: " + err.Error()
		}
	}
	if why != "" {
		poll(ctx, config, touched)
	}
	go settle(ctx, config.Quiet, touched, changes)
	return Watcher{Changes: changes, Polling: why}
}

// paths are all that is watched.
func (c Config) paths() []string { return slices.Concat(c.Folders, c.Files) }

// folders are those in which something can happen that counts: a folder to be
// watched may itself go, and come again as another.
func (c Config) folders() []string {
	all := slices.Clone(c.Folders)
	for _, path := range c.paths() {
		all = append(all, filepath.Dir(path))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// settle hands on what was touched, each path once, when nothing was for a while.
func settle(ctx context.Context, quiet time.Duration, touched <-chan string, changes chan<- []string) {
	defer close(changes)
	pending := map[string]bool{}
	timer := time.NewTimer(0)
	<-timer.C
	var ready chan<- []string // nil while it is not quiet, or nothing was touched
	for {
		select {
		case path := <-touched:
			pending[path], ready = true, nil
			timer.Reset(quiet)
		case <-timer.C:
			ready = changes
		case ready <- slices.Sorted(maps.Keys(pending)):
			clear(pending)
			ready = nil
		case <-ctx.Done():
			return
		}
	}
}

// touch hands on a path, unless the context ends first.
func touch(ctx context.Context, touched chan<- string, path string) {
	select {
	case touched <- path:
	case <-ctx.Done():
	}
}
