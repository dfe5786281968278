package partitionedexchange

import (
	"hash/fnv"
	"slices"

	"github.com/flk-byo/de/stages/stream"
)

// The batch answers, written as definitions: an owner and a range are looked
// for, not computed, and the hash is the standard library's. Nothing here is
// shared with the reference.

// hashOf is FNV-1a with 32 bits.
func hashOf(key string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(key)) // never fails
	return h.Sum32()
}

func groupOf(key string, groups int) int { return int(int64(hashOf(key)) % int64(groups)) }

// ownerOf is the one subtask of which group*subtasks lies in its share of
// groups*subtasks.
func ownerOf(group, groups, subtasks int) int {
	subtask := 0
	for (subtask+1)*groups <= group*subtasks {
		subtask++
	}
	return subtask
}

// rangeOf are the groups that a subtask owns: from the first of its own to the
// first that is a later subtask's.
func rangeOf(subtask, groups, subtasks int) (lo, hi int) {
	for lo*subtasks < subtask*groups {
		lo++
	}
	for hi = lo; hi < groups && hi*subtasks < (subtask+1)*groups; {
		hi++
	}
	return lo, hi
}

// A keyspace is how keys are spread over subtasks.
type keyspace struct{ groups, subtasks int }

func (k keyspace) group(key string) int { return groupOf(key, k.groups) }

func (k keyspace) owner(key string) int { return ownerOf(k.group(key), k.groups, k.subtasks) }

// parts is what each subtask gets of records.
func (k keyspace) parts(records []stream.Record) [][]stream.Record {
	owner := make([]int, len(records))
	for i, r := range records {
		owner[i] = k.owner(r.Key)
	}
	parts := make([][]stream.Record, k.subtasks)
	for _, subtask := range slices.Compact(slices.Sorted(slices.Values(owner))) {
		for i, r := range records {
			if owner[i] == subtask {
				parts[subtask] = append(parts[subtask], r)
			}
		}
	}
	return parts
}

// state is what each subtask holds after records: the sum of the values of each
// of its keys. Those without a key have nil or an empty map, in turns.
func (k keyspace) state(records []stream.Record) []map[string]int64 {
	state := make([]map[string]int64, k.subtasks)
	for i, part := range k.parts(records) {
		if len(part) > 0 || i%2 == 0 {
			state[i] = map[string]int64{}
		}
		for _, r := range part {
			state[i][r.Key] += r.Value
		}
	}
	return state
}
