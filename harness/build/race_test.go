//go:build race

package build_test

// raceEnabled: the race detector reserves more address space than any limit lets it.
const raceEnabled = true
