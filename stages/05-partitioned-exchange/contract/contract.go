// Package contract is what stage 05 asks of a solution: an exchange that sends
// each record to the subtask that owns its key, and that moves the state along
// when the number of subtasks changes.
//
// A key belongs to one of maxParallelism key groups, for ever. A key group
// belongs to one of parallelism subtasks, until the job is rescaled. So what a
// rescaling moves are whole groups, as in Flink's KeyGroupRangeAssignment.
//
// A solution exports a type Solution with the methods of [Stage], of the type
// or of its pointer. Its zero value is used.
package contract

import "github.com/flk-byo/de/stages/stream"

// Limits of what the methods are called with: 1 <= parallelism <=
// maxParallelism <= MaxParallelism. A group is 0 to maxParallelism-1, a subtask
// 0 to parallelism-1. Anything else is unspecified, and never comes.
const (
	// MaxParallelism is the largest number of key groups, as in Flink. With it
	// the product of a group or a subtask and a parallelism is at most 2^30,
	// so it fits 32 bits, signed or not (but not 16).
	MaxParallelism = 1 << 15

	// FNVOffset and FNVPrime are the constants of FNV-1a with 32 bits.
	FNVOffset uint32 = 2166136261
	FNVPrime  uint32 = 16777619
)

// A Stage is a solution of stage 05. Its methods are functions: what they
// return depends on their arguments and on nothing else.
type Stage interface {
	// KeyGroup returns the key group of a key, 0 to maxParallelism-1: the
	// FNV-1a hash of the key's bytes, as an unsigned number of 32 bits, modulo
	// maxParallelism.
	//
	// FNV-1a begins with FNVOffset. For each byte it first takes the exclusive
	// or with that byte, and then multiplies by FNVPrime, modulo 2^32. The hash
	// of the empty key is FNVOffset. A key may hold any bytes, also such as
	// are no UTF-8, and is hashed as it is.
	//
	// (Flink uses a murmur hash of the key's hashCode, and drops its sign.
	// Which hash it is matters less than that it never changes: saved state
	// is found again by it.)
	KeyGroup(key string, maxParallelism int) int

	// Subtask returns the subtask that owns a key group, 0 to parallelism-1:
	// group*parallelism/maxParallelism, rounded down.
	Subtask(group, maxParallelism, parallelism int) int

	// Groups returns the key groups that a subtask owns: all from lo up to,
	// but without, hi. Since parallelism <= maxParallelism, each subtask owns
	// at least one, so lo < hi. Groups and Subtask agree: lo <= g < hi exactly
	// where Subtask(g, maxParallelism, parallelism) == subtask.
	//
	// (In Flink's KeyGroupRange the end is inclusive: hi-1.)
	Groups(subtask, maxParallelism, parallelism int) (lo, hi int)

	// Partition deals records out to the subtasks. It returns exactly
	// parallelism slices; slice i holds the records whose key's group subtask
	// i owns, in the order of rs, and is empty or nil if there are none. Equal
	// records are as many records.
	//
	// The slices, and the one that they are in, are the caller's: it may
	// overwrite what is in one, or append to it, and neither rs nor another
	// slice, of this call or of any other, changes. So no two share memory. rs
	// is only lent: it must not be changed.
	Partition(rs []stream.Record, maxParallelism, parallelism int) [][]stream.Record

	// Rescale deals the keyed state of a job out to a new number of subtasks.
	//
	//   - state is what the old subtasks held, one map each, so len(state) is
	//     the old parallelism, 1 to maxParallelism. state[i] holds keys whose
	//     group was owned by old subtask i; so no key is in two of the maps.
	//     A map may be empty or nil. Values may be any, 0 too.
	//   - maxParallelism is the same as before; it never changes.
	//   - parallelism is the new one: more, fewer, or as many subtasks.
	//
	// It returns exactly parallelism maps. Map i holds the keys whose group
	// new subtask i owns, each with its value, and is empty or nil if there
	// are none. No key is lost, none is in two maps, none is made up.
	//
	// The maps and their slice are the caller's, to change as it likes: they
	// are shared neither with state nor with each other. state, its maps
	// included, is only lent: it must not be changed.
	Rescale(state []map[string]int64, maxParallelism, parallelism int) []map[string]int64
}
