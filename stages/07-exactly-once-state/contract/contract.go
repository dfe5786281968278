// Package contract is what stage 07 asks of a solution: a job whose state is
// exactly once across a crash, because it saves state and source offset
// together.
//
// A solution exports a type Solution with the methods of [Stage], of the type
// or of its pointer. Its zero value is used.
package contract

import "github.com/flk-byo/de/stages/stream"

// NoCrash as crashAfter asks for a clean run.
const NoCrash = -1

// A Checkpoint is a consistent cut through a job: where its source was, and
// what its state was just then. Flink calls one that is complete a
// CompletedCheckpoint.
type Checkpoint struct {
	// ID is positive, and larger than that of every checkpoint that is in the
	// store. IDs need not be consecutive.
	ID stream.CheckpointID

	// Offset is how many records of the source State has seen, counted from
	// the source's start: so it is the index of the next record to read.
	Offset int

	// State is the sum per key at Offset: every key that came so far, also if
	// its values add up to 0, and no other. Nil is as good as empty.
	State map[string]int64
}

// A CheckpointStore keeps checkpoints where a crash can't reach them. The judge
// holds it, and what is in it outlives the run. Flink has its
// CompletedCheckpointStore for this.
//
// A store is used by one run at a time, and by one goroutine at a time. It
// copies what it is given and what it gives.
type CheckpointStore interface {
	// Save keeps c. When it returns, c is durable; until then, it is not. The
	// map stays the caller's, to change as it likes.
	Save(c Checkpoint)

	// Latest returns the checkpoint that was saved last, or false if there is
	// none: then it is the zero Checkpoint. The map is the caller's.
	Latest() (Checkpoint, bool)
}

// A Stage is a solution of stage 07.
type Stage interface {
	// RunExactlyOnceState runs a job that adds up the values of each key, with
	// checkpoints and through one simulated crash, and returns the sums: as if
	// every record had been counted exactly once, whatever the crash point.
	// Sums wrap around on overflow, as int64 does. The map that it returns is
	// the caller's; it has every key that came, also if its sum is 0.
	//
	//   - store is all that outlives a crash. The run begins by asking it for the
	//     latest checkpoint. If there is one, left by an earlier run, it takes
	//     State as its state, and reads the source from Offset on. If there is
	//     none, it begins at 0 with nothing. It must not assume that State is
	//     what it would compute itself from the records before Offset: the
	//     checkpoint may come from an earlier version of the job, as a savepoint
	//     in Flink.
	//   - rs is the source, which can be read again from any offset. It is only
	//     lent: it must not be changed. A checkpoint's Offset is never beyond
	//     its end.
	//   - barrierEvery >= 1: a barrier follows every barrierEvery records, counted
	//     from the source's start: barrier k is at offset k*barrierEvery, also
	//     where that is the end of the source. At each barrier that a run comes
	//     to, it saves one checkpoint, of that very offset, before it reads on.
	//     Between barriers it saves nothing. At the end of a source whose last
	//     records are followed by no barrier, it may save one, or not.
	//   - crashAfter: the crash comes, once, after this run has processed that
	//     many records, wherever in the source it began (0 is before its first).
	//     NoCrash is a clean run; a number that is not less than that of the
	//     records the run has to process may be taken for one.
	//
	// A crash loses all that is not in the store: the state, the offset, and the
	// ID of the last checkpoint too. So the job asks the store again, as at its
	// beginning, takes what Latest returns for its state and its offset, and
	// replays the source from there, over the barriers that are still to come,
	// with a checkpoint at each.
	RunExactlyOnceState(store CheckpointStore, rs []stream.Record, barrierEvery, crashAfter int) map[string]int64
}
