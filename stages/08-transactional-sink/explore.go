package transactionalsink

import (
	"iter"

	"github.com/flk-byo/de/harness/explore"
	"github.com/flk-byo/de/harness/schedule"
)

// sequenceLength is the bound of exploration: every sequence of operations on
// a sink up to this length is run.
const sequenceLength = 4

// unknownID is an ID that no sequence pre-commits.
const unknownID = 1000

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

// nextOps is what can be done after a script: a write of a new value, a
// pre-commit of a new ID, a commit and an abort of each prepared ID, of the
// newest committed and the newest aborted one, and of an unknown one, and an
// abort of the open transaction.
func nextOps(script []schedule.Op) []schedule.Op {
	writes, ids := int64(0), int64(0)
	var prepared []int64
	var committed, aborted int64
	for _, op := range script {
		switch op.Name {
		case opWrite:
			writes++
		case opPreCommit:
			ids++
			prepared = append(prepared, ids)
		case opCommit, opAbort:
			for i, id := range prepared {
				if id != op.Args[0] {
					continue
				}
				prepared = append(prepared[:i:i], prepared[i+1:]...)
				if op.Name == opCommit {
					committed = id
				} else {
					aborted = id
				}
				break
			}
		}
	}
	next := []schedule.Op{
		{Name: opWrite, Args: []int64{writes + 1}},
		{Name: opPreCommit, Args: []int64{ids + 1}},
		{Name: opAbortOpen},
	}
	targets := prepared
	for _, dead := range []int64{committed, aborted, unknownID} {
		if dead != 0 {
			targets = append(targets[:len(targets):len(targets)], dead)
		}
	}
	for _, id := range targets {
		next = append(next,
			schedule.Op{Name: opCommit, Args: []int64{id}},
			schedule.Op{Name: opAbort, Args: []int64{id}})
	}
	return next
}
