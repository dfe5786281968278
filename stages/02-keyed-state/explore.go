package keyedstate

import (
	"iter"

	"github.com/flk-byo/de/harness/explore"
	"github.com/flk-byo/de/harness/schedule"
)

// sequenceLength is the bound of exploration: every sequence of operations on
// a state up to this length is run.
const sequenceLength = 4

// sequences yields a case for every sequence of operations, the shorter first.
func sequences() iter.Seq[schedule.Case] {
	return func(yield func(schedule.Case) bool) {
		for script := range explore.Sequences(sequenceLength, nextOps) {
			if !yield(schedule.Case{ID: schedule.SequenceID(spec.Stage, script), Script: script}) {
				return
			}
		}
	}
}

// nextOps is what can be done after a script: put and delete a, and b once a was
// there; take a snapshot, restore one, change one; empty the state; go to a
// second one and back. Values count up from 0, so that each put is told apart.
func nextOps(script []schedule.Op) []schedule.Op {
	const a, b = 0, 1 // of keyNames
	maps, values, state := int64(0), int64(0), int64(1)
	keys := []int64{a}
	for _, op := range script {
		switch op.Name {
		case opPut, opChange:
			values++
			keys = []int64{a, b}
		case opSnapshot:
			maps = max(maps, op.Args[0])
		case opState:
			state = op.Args[0]
		}
	}
	var next []schedule.Op
	for _, key := range keys {
		next = append(next, spec.Op(opPut, key, values), spec.Op(opDelete, key))
	}
	if maps < 2 {
		next = append(next, spec.Op(opSnapshot, maps+1))
	}
	for m := range maps {
		next = append(next, spec.Op(opRestore, m+1), spec.Op(opChange, m+1, a, values))
	}
	next = append(next, spec.Op(opRestoreEmpty))
	if len(script) > 0 {
		next = append(next, spec.Op(opState, 3-state))
	}
	return next
}
