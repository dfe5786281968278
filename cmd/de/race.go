//go:build race

package main

// raceEnabled: the race detector reserves terabytes of address space, which no
// limit of memory would let it.
const raceEnabled = true
