// Package sink is your stage 08: a sink that commits in two phases, and a job
// that uses it to write every record exactly once, crash or no crash.
//
// The brief is STAGE.md, beside this file. Replace the panics one at a time:
// the sink first, then the job. After each, in the workspace's folder:
//
//	go test ./08-transactional-sink   # a few plain tests, yours to extend
//	de test                           # the judge: every crash point, every lag
package sink

import (
	"github.com/flk-byo/de/stages/08-transactional-sink/contract"
	"github.com/flk-byo/de/stages/stream"
)

// Solution is how the judge finds your work. It stays an empty struct: what
// must be remembered belongs to a sink, or to one run of the job.
type Solution struct{}

var _ contract.Stage = Solution{}

// NewTransactionalSink returns an empty sink. No two sinks may share anything.
func (Solution) NewTransactionalSink() contract.TransactionalSink {
	return &transactionalSink{}
}

// A transactionalSink holds at most one open transaction, any number of
// prepared ones, and what has become visible.
type transactionalSink struct {
	// Which of the three must be found again by its checkpoint's ID? In which
	// does the order matter?
}

// Write buffers r into the open transaction. No reader may see it yet.
func (s *transactionalSink) Write(r stream.Record) {
	panic(stream.NotImplemented("TransactionalSink.Write"))
}

// PreCommit closes the open transaction and keeps it as prepared[id].
//
// An empty transaction is no exception. And whose slice is it, once the next
// Write comes?
func (s *transactionalSink) PreCommit(id stream.CheckpointID) {
	panic(stream.NotImplemented("TransactionalSink.PreCommit"))
}

// Commit makes prepared[id] visible, after everything visible so far.
//
// Notifications can arrive twice, or for a transaction that was aborted, or
// that never was. What does your sink know about such an id?
func (s *transactionalSink) Commit(id stream.CheckpointID) {
	panic(stream.NotImplemented("TransactionalSink.Commit"))
}

// Abort drops prepared[id]. What is visible stays visible, and the other
// transactions stay as they are.
func (s *transactionalSink) Abort(id stream.CheckpointID) {
	panic(stream.NotImplemented("TransactionalSink.Abort"))
}

// AbortOpen drops what was written since the last PreCommit, and only that.
func (s *transactionalSink) AbortOpen() {
	panic(stream.NotImplemented("TransactionalSink.AbortOpen"))
}

// Committed returns what this sink made visible, in the order of the commits.
//
// The caller may sort the slice, or overwrite it. Does your sink notice?
func (s *transactionalSink) Committed() []stream.Record {
	panic(stream.NotImplemented("TransactionalSink.Committed"))
}

// RunExactlyOnceSink copies records to a sink made by newSink and returns what
// was committed: every record exactly once, in any order.
//
// Write a clean run first, the crash after that: a crash is a place in the
// source (crashAfter records have been written), not a panic. At that place,
// ask of everything in your run: is it lost, is it durable, is it visible?
// Section "The job" of STAGE.md has the rules, and a run drawn step by step.
func (Solution) RunExactlyOnceSink(newSink func() contract.TransactionalSink, records []stream.Record, barrierEvery, crashAfter, commitLag int) []stream.Record {
	panic(stream.NotImplemented("Solution.RunExactlyOnceSink"))
}
