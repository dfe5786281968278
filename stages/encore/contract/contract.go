// Package contract is what the encore asks of a solution: a job that can be
// killed at any moment and started again, and whose output in an external store
// is exactly once nevertheless.
//
// A solution exports a type Solution with the method of [Job], of the type or
// of its pointer. Its zero value is used.
package contract

import (
	"errors"

	"github.com/flk-byo/de/stages/stream"
)

// Errors that stores answer with. They may be wrapped: use errors.Is. A job that
// meets one of them, or any other error, returns it; it is then started again
// unless a newer process is at work.
var (
	// ErrFenced says that a newer owner has taken over. This process must end.
	ErrFenced = errors.New("fenced: a newer owner is at work")

	// ErrTaken says that a transaction's ID was used before.
	ErrTaken = errors.New("the ID of the transaction was used before")

	// ErrGone says that a transaction that is to be committed was aborted, or
	// never was pre-committed.
	ErrGone = errors.New("there is no such transaction any more")
)

// An Epoch numbers the owners of a job: each process that takes the job over
// claims a higher one. Epochs are positive. ZooKeeper and Kafka fence by the
// same idea.
type Epoch int64

// A TransactionID names a transaction in the store, for good: it may not be
// used for a second one, not even by another process. It is made of 1 to 60
// letters, digits and dashes.
type TransactionID string

// A Handle is what a store needs to find a pre-committed transaction again. Only
// the store knows what it means.
type Handle string

// Pending is a transaction that was pre-committed, and that is to be committed.
type Pending struct {
	ID     TransactionID
	Handle Handle
}

// A Checkpoint is a consistent cut through the job.
type Checkpoint struct {
	// Offset is that of the next record to read.
	Offset int

	// State is the sum per key at Offset. Nil is as good as empty.
	State map[string]int64

	// Pending are the transactions that must be committed if the job goes on
	// from here: those with the output of the records before Offset.
	Pending []Pending
}

// A Source is a log of records that can be read again from any offset, as a
// partition of Kafka's can.
type Source interface {
	// Read returns the record at offset, counted from 0, and false at the end.
	Read(offset int) (stream.Record, bool, error)
}

// A CheckpointStore keeps the job's latest checkpoint, durably, and knows who
// owns the job. It copies what it is given and what it gives.
type CheckpointStore interface {
	// Claim makes the caller the owner, and returns its epoch, which is higher
	// than any before. From then on nobody else can save.
	Claim() (Epoch, error)

	// Latest returns the checkpoint that was saved last, by whatever owner, or
	// false if there is none. Before a Claim it can be out of date at once.
	Latest() (Checkpoint, bool, error)

	// Save replaces the latest checkpoint. When it returns nil, c is durable.
	// It returns ErrFenced where the epoch is not that of the newest owner:
	// then nothing was saved.
	Save(epoch Epoch, c Checkpoint) error
}

// A Sink writes records to an external store in transactions, in two phases. It
// is the sink of stage 08, over a store that outlives the process. At any time
// the store may hold prepared transactions of this process and of earlier ones.
type Sink interface {
	// Open begins the session of an owner, before the first Write. From then on
	// processes of older epochs can prepare nothing more. It returns ErrFenced
	// where a newer owner's session was opened before.
	Open(epoch Epoch) error

	// Write adds r to the open transaction. Nothing becomes visible.
	Write(r stream.Record) error

	// PreCommit makes the open transaction a prepared one: durable, and still
	// invisible. The next Write begins another. Errors: ErrTaken, ErrFenced.
	PreCommit(id TransactionID) (Handle, error)

	// Commit makes a prepared transaction visible, for good, whichever process
	// prepared it. It can be repeated: what is committed stays so, without an
	// error. It returns ErrGone where there is nothing to commit.
	Commit(id TransactionID, handle Handle) error

	// AbortOlder aborts all that owners of an epoch below the one given have
	// left open or prepared, and returns how many it aborted.
	AbortOlder(epoch Epoch) (int, error)
}

// A Job is a solution of the encore.
type Job interface {
	// RunJob writes, for each record of the source, one record to the sink: with
	// the same key and time, and as its value the sum of all values of that key
	// up to and with this record. Sums wrap around, as int64 does.
	//
	// It is run in a process of its own, which may be killed at any moment, and
	// is started again until RunJob returns nil. What is visible in the store
	// then is what one run without a kill would have written: each record once.
	// No transaction is left open or prepared. What the process before left is
	// in the two stores, and nowhere else.
	//
	// barrierEvery >= 1: when that many records have been read since the offset 0
	// or the last barrier, the open transaction is pre-committed, a checkpoint
	// saved and the transaction committed; at the end of the source, too, if
	// anything is open. Source and stores are the host's.
	RunJob(source Source, checkpoints CheckpointStore, sink Sink, barrierEvery int) error
}
