package watch

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/fsnotify/fsnotify"
)

// notified has the system tell of changes, and returns once it does. Folders are
// watched, never files: an editor that saves a file under another name and
// renames it leaves a watched file behind.
func notified(ctx context.Context, config Config, touched chan<- string) error {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return err
	}
	for _, dir := range config.folders() {
		if err := w.Add(dir); err != nil {
			w.Close() // nothing of it is of use any more
			return err
		}
	}
	go func() {
		defer w.Close() // likewise
		listen(ctx, config, w, touched)
	}()
	return nil
}

// listen hands on what the system tells until the context ends.
func listen(ctx context.Context, config Config, w *fsnotify.Watcher, touched chan<- string) {
	for {
		select {
		case event := <-w.Events:
			path := config.changed(event)
			if path == "" {
				continue
			}
			if path == event.Name && slices.Contains(config.Folders, path) && event.Has(fsnotify.Create) {
				_ = w.Add(path) // it may have gone again, which is told too
			}
			touch(ctx, touched, path)
		case <-w.Errors: // something happened, and nobody knows what
			for _, path := range config.paths() {
				touch(ctx, touched, path)
			}
		case <-ctx.Done():
			return
		}
	}
}

// changed returns which of the watched paths an event is about; "" for none.
func (c Config) changed(event fsnotify.Event) string {
	path := filepath.Clean(event.Name)
	switch dir := filepath.Dir(path); {
	case event.Op == fsnotify.Chmod: // its content is as it was
		return ""
	case slices.Contains(c.Files, path), slices.Contains(c.Folders, path):
		return path
	case slices.Contains(c.Folders, dir) && c.Counts(filepath.Base(path)):
		return dir
	default:
		return ""
	}
}
