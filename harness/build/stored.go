package build

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// maxStored is how many guests are kept, the newest: of a solution that did not
// change, nothing need be done.
const maxStored = 10

// guestName is how the name of a stored guest begins: it tells all that the
// guest depends on. What follows tells its own bytes.
func (t *toolbox) guestName(l *layout, units []unit) string {
	h := sha256.New()
	for _, u := range units {
		fmt.Fprintln(h, u.hash)
	}
	h.Write(l.main)
	return filepath.Join(t.config.Cache, compiledFolder, t.id+"-"+short(h.Sum(nil))+"-")
}

func short(sum []byte) string { return hex.EncodeToString(sum[:12]) }

// stored returns a guest that was built before of the same.
func (t *toolbox) stored(l *layout, units []unit) (wasm string, ok bool) {
	name := t.guestName(l, units)
	paths, err := filepath.Glob(name + "*.wasm")
	if err != nil {
		return "", false
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		if sum := sha256.Sum256(text); path != name+short(sum[:])+".wasm" {
			_ = os.Remove(path) // it is damaged
			continue
		}
		wasm = t.path("guest.wasm")
		return wasm, os.WriteFile(wasm, text, 0o666) == nil
	}
	return "", false
}

// store keeps a guest. That it can't is no harm.
func (t *toolbox) store(wasm string, l *layout, units []unit) {
	text, err := os.ReadFile(wasm)
	if err != nil {
		return
	}
	sum := sha256.Sum256(text)
	fresh := t.path("stored.wasm")
	if os.WriteFile(fresh, text, 0o666) != nil || os.Rename(fresh, t.guestName(l, units)+short(sum[:])+".wasm") != nil {
		return
	}
	paths, err := filepath.Glob(filepath.Join(t.config.Cache, compiledFolder, "*.wasm"))
	if err != nil || len(paths) <= maxStored {
		return
	}
	age := func(path string) int64 {
		info, err := os.Stat(path)
		if err != nil {
			return 0
		}
		return info.ModTime().UnixNano()
	}
	slices.SortFunc(paths, func(a, b string) int { return cmp.Compare(age(a), age(b)) })
	for _, path := range paths[:len(paths)-maxStored] {
		_ = os.Remove(path)
	}
}
