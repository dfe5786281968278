// Package job is your encore: a job that is killed, for real, and started again,
// and whose output in a real store is exactly once.
//
// The brief is STAGE.md, beside this file. In the workspace's folder:
//
//	go test ./encore   # plain tests on stores in memory, yours to extend
//	de encore          # your job as a process, on SQLite, killed everywhere
package job

import (
	"github.com/flk-byo/de/stages/encore/contract"
	"github.com/flk-byo/de/stages/stream"
)

// Solution is how your job is found. It stays an empty struct: what must be
// remembered belongs to one run, or to the stores.
type Solution struct{}

var _ contract.Job = Solution{}

// RunJob writes the running sum of each record's key to the sink, and goes on
// where the process before was killed.
//
// Begin with a clean run: read, sum, write, and a barrier now and then. Then
// ask at each line: if the process is killed here, what does the next one find
// in the two stores? Section "Recovery" of STAGE.md has the rule.
func (Solution) RunJob(source contract.Source, checkpoints contract.CheckpointStore, sink contract.Sink, barrierEvery int) error {
	panic(stream.NotImplemented("Solution.RunJob"))
}
