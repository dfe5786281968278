package watch

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// poll looks at all files every now and then, and hands on what is not as it was
// the last time. It returns once it has looked for the first time.
func poll(ctx context.Context, config Config, touched chan<- string) {
	last := looks(config)
	go func() {
		ticker := time.NewTicker(config.Every)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
			case <-ctx.Done():
				return
			}
			now := looks(config)
			for i, path := range config.paths() {
				if now[i] != last[i] {
					touch(ctx, touched, path)
				}
			}
			last = now
		}
	}()
}

// looks returns what each of the watched paths looks like: size and time of each
// file that counts. What is not there, or can't be read, looks like nothing.
func looks(config Config) []string {
	var all []string
	for _, dir := range config.Folders {
		entries, _ := os.ReadDir(dir)
		var b strings.Builder
		for _, e := range entries {
			if config.Counts(e.Name()) {
				info, _ := os.Stat(filepath.Join(dir, e.Name()))
				fmt.Fprintf(&b, "%q %s\n", e.Name(), look(info))
			}
		}
		all = append(all, b.String())
	}
	for _, file := range config.Files {
		info, _ := os.Stat(file)
		all = append(all, look(info))
	}
	return all
}

func look(info fs.FileInfo) string {
	if info == nil {
		return ""
	}
	return fmt.Sprintf("%d %d", info.Size(), info.ModTime().UnixNano())
}
