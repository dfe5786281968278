package partitionedexchange

import (
	"maps"
	"slices"
	"testing"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/schedule"
	reference "github.com/flk-byo/de/stages/05-partitioned-exchange/reference"
	"github.com/flk-byo/de/stages/stream"
)

// A faulty solution is the reference, but for what is not nil.
type faulty struct {
	reference.Solution
	keyGroup  func(key string, groups int) int
	subtask   func(group, groups, subtasks int) int
	ranges    func(subtask, groups, subtasks int) (lo, hi int)
	partition func(rs []stream.Record, groups, subtasks int) [][]stream.Record
	rescale   func(state []map[string]int64, groups, subtasks int) []map[string]int64
}

func (f faulty) KeyGroup(key string, groups int) int {
	if f.keyGroup != nil {
		return f.keyGroup(key, groups)
	}
	return f.Solution.KeyGroup(key, groups)
}

func (f faulty) Subtask(group, groups, subtasks int) int {
	if f.subtask != nil {
		return f.subtask(group, groups, subtasks)
	}
	return f.Solution.Subtask(group, groups, subtasks)
}

func (f faulty) Groups(subtask, groups, subtasks int) (lo, hi int) {
	if f.ranges != nil {
		return f.ranges(subtask, groups, subtasks)
	}
	return f.Solution.Groups(subtask, groups, subtasks)
}

func (f faulty) Partition(rs []stream.Record, groups, subtasks int) [][]stream.Record {
	if f.partition != nil {
		return f.partition(rs, groups, subtasks)
	}
	return f.Solution.Partition(rs, groups, subtasks)
}

func (f faulty) Rescale(state []map[string]int64, groups, subtasks int) []map[string]int64 {
	if f.rescale != nil {
		return f.rescale(state, groups, subtasks)
	}
	return f.Solution.Rescale(state, groups, subtasks)
}

var right reference.Solution

// What each rule catches: a fault, a case that shows it, and the check that it
// breaks, alone. The right solution passes each of the cases.
func TestJudge(t *testing.T) {
	abc := records("a b d e a c")
	exchange := job(abc, 10, 3, exchangeOnly)
	rescaling := job(abc, 10, 3, 4)
	calls := 0
	var shared, outer [][]stream.Record
	tests := []struct {
		name  string
		fault faulty
		c     schedule.Case
		check string
	}{
		{"a negative group", faulty{keyGroup: func(key string, groups int) int { return int(int32(hashOf(key))) % groups }}, script(opGroup, -2, 10), keyGroup},
		{"a group far off", faulty{keyGroup: func(string, int) int { return 1 << 60 }}, script(opGroup, -1, 10), keyGroup},
		{"another owner", faulty{subtask: func(g, groups, n int) int { return g % n }}, script(opSubtask, 1, 10, 3), subtaskCheck},
		{"another owner in a table", faulty{subtask: func(g, groups, n int) int { return min(g, n-1) }}, script(opTable, 10, 3), subtaskCheck},
		{"an end that is owned", faulty{ranges: func(i, groups, n int) (int, int) { lo, hi := rangeOf(i, groups, n); return lo, hi - 1 }}, script(opGroups, 1, 10, 3), groupRange},
		{"an end that is owned, in a table", faulty{ranges: func(i, groups, n int) (int, int) { lo, hi := rangeOf(i, groups, n); return lo, hi - 1 }}, script(opTable, 10, 3), groupRange},

		{"no slices", faulty{partition: func([]stream.Record, int, int) [][]stream.Record { return nil }}, exchange, partition},
		{"a slice too many", faulty{partition: func(rs []stream.Record, groups, n int) [][]stream.Record {
			return append(right.Partition(rs, groups, n), nil)
		}}, exchange, partition},
		{"a record lost", faulty{partition: func(rs []stream.Record, groups, n int) [][]stream.Record { return right.Partition(rs[1:], groups, n) }}, exchange, partition},
		{"a record twice", faulty{partition: func(rs []stream.Record, groups, n int) [][]stream.Record {
			return right.Partition(append(slices.Clone(rs), rs[0]), groups, n)
		}}, exchange, partition},
		{"a record made up", faulty{partition: func(rs []stream.Record, groups, n int) [][]stream.Record {
			return right.Partition(append(slices.Clone(rs), stream.Record{Key: "z"}), groups, n)
		}}, exchange, partition},
		{"a record elsewhere", faulty{partition: func(rs []stream.Record, groups, n int) [][]stream.Record {
			parts := right.Partition(rs, groups, n)
			slices.Reverse(parts)
			return parts
		}}, exchange, partition},
		{"another order", faulty{partition: func(rs []stream.Record, groups, n int) [][]stream.Record {
			parts := right.Partition(rs, groups, n)
			slices.Reverse(parts[0])
			return parts
		}}, exchange, sourceOrder},

		{"no maps", faulty{rescale: func([]map[string]int64, int, int) []map[string]int64 { return nil }}, rescaling, rescale},
		{"a key lost", faulty{rescale: changed(func(m map[string]int64) { delete(m, "a") })}, rescaling, rescale},
		{"a key in all", faulty{rescale: changed(func(m map[string]int64) { m["a"] = 6 })}, rescaling, rescale},
		{"another value", faulty{rescale: changed(func(m map[string]int64) {
			for key := range m {
				m[key]++
			}
		})}, rescaling, rescale},
		{"a key made up", faulty{rescale: changed(func(m map[string]int64) { m["z"] = 0 })}, rescaling, rescale},
		{"a key elsewhere", faulty{rescale: func(state []map[string]int64, groups, n int) []map[string]int64 {
			maps := right.Rescale(state, groups, n)
			slices.Reverse(maps)
			return maps
		}}, rescaling, rescale},
		{"only the way back is wrong", faulty{rescale: func(state []map[string]int64, groups, n int) []map[string]int64 {
			return right.Rescale(state[:min(len(state), 3)], groups, n)
		}}, rescaling, rescale},

		{"the input returned", faulty{partition: func(rs []stream.Record, groups, n int) [][]stream.Record {
			return [][]stream.Record{rs}
		}}, job(abc, 10, 1, exchangeOnly), isolation},
		{"the input changed", faulty{partition: func(rs []stream.Record, groups, n int) [][]stream.Record {
			parts := right.Partition(rs, groups, n)
			rs[0].Value = 9
			return parts
		}}, exchange, isolation},
		{"an append that runs into the next slice", faulty{partition: func(rs []stream.Record, groups, n int) [][]stream.Record {
			parts := right.Partition(rs, groups, n)
			all := slices.Concat(parts...)
			for i, part := range parts {
				parts[i], all = all[:len(part)], all[len(part):]
			}
			return parts
		}}, exchange, isolation},
		{"the slices of the last call", faulty{partition: func(rs []stream.Record, groups, n int) [][]stream.Record {
			parts := right.Partition(rs, groups, n)
			for i, part := range parts {
				if i < len(shared) {
					parts[i] = append(shared[i][:0], part...)
				}
			}
			shared = slices.Clone(parts)
			return parts
		}}, exchange, isolation},
		{"the slice of slices of the last call", faulty{partition: func(rs []stream.Record, groups, n int) [][]stream.Record {
			outer = append(outer[:0], right.Partition(rs, groups, n)...)
			return outer
		}}, exchange, isolation},
		{"the old maps returned", faulty{rescale: func(state []map[string]int64, groups, n int) []map[string]int64 {
			return slices.Clone(state)
		}}, job(abc, 10, 3, 3), isolation},
		{"the old slice returned", faulty{rescale: func(state []map[string]int64, groups, n int) []map[string]int64 {
			for i := range state {
				state[i] = maps.Clone(state[i])
			}
			return state
		}}, job(abc, 10, 3, 3), isolation},
		{"one map for all that are empty", faulty{rescale: func(state []map[string]int64, groups, n int) []map[string]int64 {
			empty := map[string]int64{}
			return slices.Repeat([]map[string]int64{empty}, n)
		}}, job(nil, 10, 3, 3), isolation},
		{"a second call that is wrong", faulty{keyGroup: func(key string, groups int) int {
			calls++
			return groupOf(key, groups) + (calls-1)%2
		}}, script(opGroup, -2, 10), isolation},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			expectPass(t, Native(right), test.c)
			o := Native(test.fault).Run(test.c)
			if got := broken(o); !slices.Equal(got, []string{test.check}) {
				t.Errorf("broken: %v, want %s alone: %+v", got, test.check, o.Findings)
			}
			if o.Steps == nil {
				t.Fatal("there is no timeline")
			}
			if n := len(o.Steps()); len(o.Findings) > 0 && o.Findings[0].Step >= n {
				t.Errorf("the finding is at step %d of %d", o.Findings[0].Step, n)
			}
		})
	}
}

// What is tolerated: nil and empty are the same, whoever makes them.
func TestTolerated(t *testing.T) {
	s := Native(faulty{
		partition: func(rs []stream.Record, groups, n int) [][]stream.Record {
			parts := right.Partition(rs, groups, n)
			for i := range parts {
				parts[i] = append(make([]stream.Record, 0, 10), parts[i]...)
			}
			return parts
		},
		rescale: func(state []map[string]int64, groups, n int) []map[string]int64 {
			maps := right.Rescale(state, groups, n)
			for i := range maps {
				if len(maps[i]) == 0 {
					maps[i] = nil
				}
			}
			return maps
		},
	})
	for _, n := range []int{1, 2, 10} {
		expectPass(t, s, job(records("a b"), 10, n, exchangeOnly))
		expectPass(t, s, job(records("a b"), 10, n, 5))
		expectPass(t, s, job(nil, 10, n, 5))
	}
}

// A fault of KeyGroup or Subtask that shows in Partition or Rescale too is
// looked for there.
func TestBlame(t *testing.T) {
	wrong := faulty{
		partition: func(rs []stream.Record, groups, n int) [][]stream.Record {
			parts := right.Partition(rs, groups, n)
			slices.Reverse(parts)
			return parts
		},
		rescale: func(state []map[string]int64, groups, n int) []map[string]int64 {
			maps := right.Rescale(state, groups, n)
			slices.Reverse(maps)
			return maps
		},
	}
	wrongGroup, wrongOwner, dies := wrong, wrong, wrong
	wrongGroup.keyGroup = func(string, int) int { return -1 }
	wrongOwner.subtask = func(int, int, int) int { return 7 }
	dies.subtask = func(int, int, int) int { panic("no") }
	tests := []struct {
		name  string
		fault faulty
		want  string
	}{
		{"its own", wrong, ""},
		{"the group", wrongGroup, keyGroup},
		{"the owner", wrongOwner, subtaskCheck},
		{"the owner, by a panic", dies, subtaskCheck},
	}
	for _, test := range tests {
		for _, to := range []int{exchangeOnly, 4} {
			o := Native(test.fault).Run(job(records("a b d e"), 10, 3, to))
			if len(o.Findings) != 1 || o.Findings[0].Unless != test.want {
				t.Errorf("%s, to %d: %+v", test.name, to, o.Findings)
			}
		}
	}
}

// What dies, dies by the check that the case is there for.
func TestDeath(t *testing.T) {
	dead := faulty{
		keyGroup:  func(string, int) int { panic("dead") },
		subtask:   func(int, int, int) int { panic("dead") },
		ranges:    func(int, int, int) (int, int) { panic("dead") },
		partition: func([]stream.Record, int, int) [][]stream.Record { panic("dead") },
		rescale:   func([]map[string]int64, int, int) []map[string]int64 { panic("dead") },
	}
	tests := map[string]schedule.Case{
		keyGroup: script(opGroup, 1, 1), subtaskCheck: script(opSubtask, 0, 1, 1), groupRange: script(opGroups, 0, 1, 1),
		partition: job(nil, 1, 1, exchangeOnly), rescale: job(nil, 1, 1, 1),
	}
	for check, c := range tests {
		o := Native(dead).Run(c)
		if got := broken(o); !slices.Equal(got, []string{check}) || o.Findings[0].Fault == nil {
			t.Errorf("%s: %+v", c.ID, o.Findings)
		}
		if got := checkOf(c); got != check {
			t.Errorf("%s is there for %s, want %s", c.ID, got, check)
		}
		o.Steps() // must not depend on what was returned
	}
}

// What a solution returns is bounded where it crosses the line.
func TestHugeResults(t *testing.T) {
	huge := faulty{
		partition: func(rs []stream.Record, groups, n int) [][]stream.Record {
			return slices.Repeat([][]stream.Record{slices.Repeat(records("a"), 100)}, 3000)[:n:n]
		},
		rescale: func(state []map[string]int64, groups, n int) []map[string]int64 {
			return make([]map[string]int64, 1<<20)
		},
	}
	for check, c := range map[string]schedule.Case{
		partition: job(records("a"), 32768, 3000, exchangeOnly),
		rescale:   job(records("a"), 32768, 1, 3000),
	} {
		if got := broken(Native(huge).Run(c)); !slices.Contains(got, check) {
			t.Errorf("%s: broken: %v", c.ID, got)
		}
	}
}

func broken(o grading.Outcome) []string {
	var names []string
	for _, f := range o.Findings {
		if !slices.Contains(names, f.Check) {
			names = append(names, f.Check)
		}
	}
	return names
}

// changed is Rescale, with something done to each map.
func changed(do func(m map[string]int64)) func([]map[string]int64, int, int) []map[string]int64 {
	return func(state []map[string]int64, groups, n int) []map[string]int64 {
		all := right.Rescale(state, groups, n)
		for _, m := range all {
			do(m)
		}
		return all
	}
}

// records makes a record of each letter, with values 1, 2, …
func records(keys string) []stream.Record {
	var rs []stream.Record
	for _, key := range keys {
		if key != ' ' {
			rs = append(rs, stream.Record{Key: string(key), Value: int64(len(rs) + 1)})
		}
	}
	return rs
}
