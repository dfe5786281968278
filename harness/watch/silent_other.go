//go:build !linux

package watch

// silent says why the system can't be relied on to tell of changes; nothing is
// known of these systems.
func silent(Config) string { return "" }
