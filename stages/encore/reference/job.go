// Package job is the model answer of the encore.
package job

import (
	"fmt"
	"maps"

	"github.com/flk-byo/de/stages/encore/contract"
	"github.com/flk-byo/de/stages/stream"
)

// Solution solves the encore.
type Solution struct{}

var _ contract.Job = Solution{}

// RunJob writes the running sums of the source's records to the sink, exactly
// once, and goes on where the process before was killed.
func (Solution) RunJob(source contract.Source, checkpoints contract.CheckpointStore, sink contract.Sink, barrierEvery int) error {
	j := job{checkpoints: checkpoints, sink: sink}
	if err := j.recover(); err != nil {
		return fmt.Errorf("recover: %w", err)
	}
	for {
		r, ok, err := source.Read(j.offset)
		if err != nil {
			return fmt.Errorf("read record %d: %w", j.offset, err)
		}
		if !ok {
			return j.barrier()
		}
		if err := j.process(r); err != nil {
			return fmt.Errorf("write record %d: %w", j.offset, err)
		}
		if j.written < barrierEvery {
			continue
		}
		if err := j.barrier(); err != nil {
			return err
		}
	}
}

// A job is one process's attempt: all in it is lost when that is killed.
type job struct {
	checkpoints contract.CheckpointStore
	sink        contract.Sink
	epoch       contract.Epoch

	offset  int // of the next record
	sums    map[string]int64
	written int // to the open transaction
	opened  int // transactions in this epoch, for their IDs
}

// recover takes the job over, and brings the store to what the latest checkpoint
// says: what ends at or before its offset is committed, all later is aborted.
func (j *job) recover() error {
	epoch, err := j.checkpoints.Claim()
	if err != nil {
		return err
	}
	j.epoch = epoch
	last, _, err := j.checkpoints.Latest() // after the claim: nobody can save another
	if err != nil {
		return err
	}
	if err := j.sink.Open(epoch); err != nil {
		return err
	}
	if err := j.settle(last); err != nil {
		return err
	}
	if _, err := j.sink.AbortOlder(epoch); err != nil {
		return err
	}
	j.offset, j.sums = last.Offset, maps.Clone(last.State)
	if j.sums == nil {
		j.sums = map[string]int64{}
	}
	return nil
}

// settle commits what the checkpoint names, and only then forgets it.
func (j *job) settle(last contract.Checkpoint) error {
	if len(last.Pending) == 0 {
		return nil
	}
	for _, p := range last.Pending {
		if err := j.sink.Commit(p.ID, p.Handle); err != nil {
			return fmt.Errorf("commit %s: %w", p.ID, err)
		}
	}
	last.Pending = nil
	return j.checkpoints.Save(j.epoch, last)
}

func (j *job) process(r stream.Record) error {
	j.sums[r.Key] += r.Value
	r.Value = j.sums[r.Key]
	if err := j.sink.Write(r); err != nil {
		return err
	}
	j.offset++
	j.written++
	return nil
}

// barrier ends the open transaction: durable first, then named by a durable
// checkpoint, and visible last.
func (j *job) barrier() error {
	if j.written == 0 {
		return nil
	}
	j.opened++
	id := contract.TransactionID(fmt.Sprintf("%d-%d", j.epoch, j.opened))
	handle, err := j.sink.PreCommit(id)
	if err != nil {
		return fmt.Errorf("pre-commit %s: %w", id, err)
	}
	pending := []contract.Pending{{ID: id, Handle: handle}}
	if err := j.checkpoints.Save(j.epoch, contract.Checkpoint{Offset: j.offset, State: j.sums, Pending: pending}); err != nil {
		return fmt.Errorf("save checkpoint at %d: %w", j.offset, err)
	}
	if err := j.sink.Commit(id, handle); err != nil {
		return fmt.Errorf("commit %s: %w", id, err)
	}
	j.written = 0
	return nil
}
