package partitionedexchange

import (
	"iter"

	"github.com/flk-byo/de/harness/schedule"
)

// exploredGroups is the bound of exploration: with up to so many key groups,
// each subtask and each group is asked for, for every parallelism.
const exploredGroups = 12

// exploredModuli are the numbers of key groups for which the named keys are tried.
var exploredModuli = []int64{1, 2, 3, 10, 128, 32767, 32768}

// calls yields a case for every call, those with fewer groups first.
func calls() iter.Seq[schedule.Case] {
	return func(yield func(schedule.Case) bool) {
		call := func(name string, args ...int64) bool {
			script := []schedule.Op{spec.Op(name, args...)}
			return yield(schedule.Case{ID: schedule.SequenceID(spec.Stage, script), Script: script})
		}
		for _, groups := range exploredModuli {
			for i := range namedKeys {
				if !call(opGroup, int64(-1-i), groups) {
					return
				}
			}
		}
		for groups := int64(1); groups <= exploredGroups; groups++ {
			for subtasks := int64(1); subtasks <= groups; subtasks++ {
				for group := range groups {
					if !call(opSubtask, group, groups, subtasks) {
						return
					}
				}
				for subtask := range subtasks {
					if !call(opGroups, subtask, groups, subtasks) {
						return
					}
				}
			}
		}
	}
}
