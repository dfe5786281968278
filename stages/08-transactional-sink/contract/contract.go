// Package contract is what stage 08 asks of a solution: a sink that commits in
// two phases, and a job that stays exactly once across a crash because of it.
//
// A solution exports a type Solution with the methods of [Stage], of the type
// or of its pointer. Its zero value is used.
package contract

import "github.com/flk-byo/de/stages/stream"

// NoCrash as crashAfter asks for a clean run.
const NoCrash = -1

// A TransactionalSink writes records to an external store in transactions, in
// two phases, as Flink's TwoPhaseCommitSinkFunction does. At any time it holds
// at most one open transaction, any number of prepared ones, each under the ID
// of its checkpoint, and the visible output.
//
// An ID is used for one PreCommit only in the life of a sink.
type TransactionalSink interface {
	// Write buffers r into the open transaction. Nothing becomes visible.
	Write(r stream.Record)

	// PreCommit moves the open transaction to prepared[id]: durable, but still
	// invisible. The open transaction is empty afterwards. An empty
	// transaction is prepared, and can be committed, like any other.
	PreCommit(id stream.CheckpointID)

	// Commit appends prepared[id] to the visible output, in the order of its
	// writes, exactly once. An id that is unknown, already committed or
	// aborted has no effect: notifications can arrive twice. An id that is
	// unknown now may still be prepared later.
	Commit(id stream.CheckpointID)

	// Abort drops prepared[id]. An id that is unknown or already committed has
	// no effect, and nothing else is touched.
	Abort(id stream.CheckpointID)

	// AbortOpen drops what was written since the last PreCommit, and only that.
	AbortOpen()

	// Committed returns what this sink made visible, in the order of the
	// commits. The slice is the caller's, to change as it likes.
	Committed() []stream.Record
}

// A Stage is a solution of stage 08.
type Stage interface {
	// NewTransactionalSink returns an empty sink. Sinks share nothing.
	NewTransactionalSink() TransactionalSink

	// RunExactlyOnceSink runs a job that copies records to a sink, through one
	// simulated crash, and returns the committed output, in any order: every
	// record exactly once, whatever the crash point and the lag.
	//
	//   - newSink makes the sinks: one at the start, a fresh one for the replay.
	//   - records is the source, which can be read again from any offset. It is
	//     only lent: it must not be changed.
	//   - barrierEvery >= 1: a barrier follows every barrierEvery records. At a
	//     barrier the open transaction is pre-committed, the source offset
	//     remembered, and a commit queued.
	//   - crashAfter: the crash comes after that many records (0 is before the
	//     first). NoCrash is a clean run; len(records) or more may be taken for one.
	//   - commitLag >= 0: the notification to commit checkpoint k arrives at
	//     barrier k+commitLag, the oldest first. 0 is at once.
	//
	// A clean run ends with a last PreCommit of what is still open and the
	// commits of all that is pending. A crash aborts the open transaction and
	// every prepared one whose notification did not arrive; then the source is
	// replayed from the offset of the last checkpoint that was committed, and
	// that tail is pre-committed and committed. At return no sink holds an open
	// or a prepared transaction.
	RunExactlyOnceSink(newSink func() TransactionalSink, records []stream.Record, barrierEvery, crashAfter, commitLag int) []stream.Record
}
