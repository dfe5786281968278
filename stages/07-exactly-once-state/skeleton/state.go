// Package state is your stage 07: a job that adds up the values of each key,
// and whose sums are right whatever the crash point.
//
// The brief is STAGE.md, beside this file. Replace the panic; then, in the
// workspace's folder:
//
//	go test ./07-exactly-once-state   # a few plain tests, yours to extend
//	de test                           # the judge: every crash point, and real kills
package state

import (
	"github.com/flk-byo/de/stages/07-exactly-once-state/contract"
	"github.com/flk-byo/de/stages/stream"
)

// Solution is how the judge finds your work. It stays an empty struct: what
// must outlive a crash belongs in the store, all else in one run of the job.
type Solution struct{}

var _ contract.Stage = Solution{}

// RunExactlyOnceState adds up the values of each key in rs and returns the
// sums, every record counted exactly once.
//
// Write a clean run first: what belongs in a checkpoint, and which offset is
// that of the *next* record? Then let the run begin where the store's latest
// checkpoint says. The crash comes last, and is little work by then: at a place
// in the source, forget everything but the store. What would a process do that
// has just been started?
//
// Your State of stage 02 and the barriers of stage 06 may be of use.
func (Solution) RunExactlyOnceState(store contract.CheckpointStore, rs []stream.Record, barrierEvery, crashAfter int) map[string]int64 {
	panic(stream.NotImplemented("Solution.RunExactlyOnceState"))
}
