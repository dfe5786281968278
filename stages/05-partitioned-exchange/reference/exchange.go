// Package exchange is the model answer of stage 05.
package exchange

import (
	"github.com/flk-byo/de/stages/05-partitioned-exchange/contract"
	"github.com/flk-byo/de/stages/stream"
)

// Solution solves stage 05.
type Solution struct{}

var _ contract.Stage = Solution{}

// KeyGroup returns the key group of a key.
func (Solution) KeyGroup(key string, maxParallelism int) int {
	return int(hash(key) % uint32(maxParallelism))
}

// hash is FNV-1a with 32 bits.
func hash(key string) uint32 {
	h := contract.FNVOffset
	for i := range len(key) { // by byte, not by rune
		h ^= uint32(key[i])
		h *= contract.FNVPrime
	}
	return h
}

// Subtask returns the owner of a key group.
func (Solution) Subtask(group, maxParallelism, parallelism int) int {
	return group * parallelism / maxParallelism
}

// Groups returns the key groups from lo up to, but without, hi that a subtask owns.
func (Solution) Groups(subtask, maxParallelism, parallelism int) (lo, hi int) {
	return firstGroup(subtask, maxParallelism, parallelism), firstGroup(subtask+1, maxParallelism, parallelism)
}

// firstGroup is the least group with group*parallelism >= subtask*maxParallelism.
func firstGroup(subtask, maxParallelism, parallelism int) int {
	return (subtask*maxParallelism + parallelism - 1) / parallelism
}

// Partition deals records out to the subtasks.
func (s Solution) Partition(rs []stream.Record, maxParallelism, parallelism int) [][]stream.Record {
	parts := make([][]stream.Record, parallelism)
	for _, r := range rs {
		i := s.owner(r.Key, maxParallelism, parallelism)
		parts[i] = append(parts[i], r)
	}
	return parts
}

// Rescale deals state out to a new number of subtasks.
func (s Solution) Rescale(state []map[string]int64, maxParallelism, parallelism int) []map[string]int64 {
	scaled := make([]map[string]int64, parallelism)
	for i := range scaled {
		scaled[i] = map[string]int64{}
	}
	for _, old := range state {
		for key, value := range old {
			scaled[s.owner(key, maxParallelism, parallelism)][key] = value
		}
	}
	return scaled
}

// owner returns the subtask that owns a key's group.
func (s Solution) owner(key string, maxParallelism, parallelism int) int {
	return s.Subtask(s.KeyGroup(key, maxParallelism), maxParallelism, parallelism)
}
