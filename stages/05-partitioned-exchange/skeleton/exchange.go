// Package exchange is your stage 05: an exchange that sends each record to the
// subtask that owns its key, and moves the state along when the job is rescaled.
//
// The brief is STAGE.md, beside this file. Replace the panics one at a time,
// from the top: each method needs those above it. After each, in the
// workspace's folder:
//
//	go test ./05-partitioned-exchange   # a few plain tests, yours to extend
//	de test                             # the judge: all small sizes, and odd keys
package exchange

import (
	"github.com/flk-byo/de/stages/05-partitioned-exchange/contract"
	"github.com/flk-byo/de/stages/stream"
)

// Solution is how the judge finds your work. It stays an empty struct: an
// exchange has nothing to remember.
type Solution struct{}

var _ contract.Stage = Solution{}

// KeyGroup returns the key group of a key: its FNV-1a hash, modulo
// maxParallelism.
//
// What does a range over a string yield, and is it what is to be hashed? And
// half of all hashes have the top bit set: of which type is yours when you
// take the modulus?
func (Solution) KeyGroup(key string, maxParallelism int) int {
	panic(stream.NotImplemented("Solution.KeyGroup"))
}

// Subtask returns the subtask that owns a key group.
//
// Does it matter whether you multiply or divide first?
func (Solution) Subtask(group, maxParallelism, parallelism int) int {
	panic(stream.NotImplemented("Solution.Subtask"))
}

// Groups returns the key groups that a subtask owns: from lo up to, but
// without, hi.
//
// Which is the first group for which Subtask gives this subtask? And the first
// for which it gives the next?
func (Solution) Groups(subtask, maxParallelism, parallelism int) (lo, hi int) {
	panic(stream.NotImplemented("Solution.Groups"))
}

// Partition deals records out: one slice a subtask, also where it is empty, in
// the order of rs.
//
// The caller may append to one of the slices. Could that overwrite another?
func (Solution) Partition(rs []stream.Record, maxParallelism, parallelism int) [][]stream.Record {
	panic(stream.NotImplemented("Solution.Partition"))
}

// Rescale deals the state of len(state) old subtasks out to parallelism new
// ones.
//
// Must you know where a key was to tell where it goes? And when a subtask keeps
// all its keys, may its map be handed on?
func (Solution) Rescale(state []map[string]int64, maxParallelism, parallelism int) []map[string]int64 {
	panic(stream.NotImplemented("Solution.Rescale"))
}
