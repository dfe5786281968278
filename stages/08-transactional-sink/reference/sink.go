// Package sink is the model answer of stage 08.
package sink

import (
	"slices"

	barriers "github.com/flk-byo/de/stages/06-checkpoint-barriers/reference"
	"github.com/flk-byo/de/stages/08-transactional-sink/contract"
	"github.com/flk-byo/de/stages/stream"
)

// Solution solves stage 08.
type Solution struct{}

var _ contract.Stage = Solution{}

// NewTransactionalSink returns an empty sink.
func (Solution) NewTransactionalSink() contract.TransactionalSink {
	return &transactionalSink{prepared: map[stream.CheckpointID][]stream.Record{}}
}

type transactionalSink struct {
	open      []stream.Record
	prepared  map[stream.CheckpointID][]stream.Record
	committed []stream.Record
}

func (s *transactionalSink) Write(r stream.Record) {
	s.open = append(s.open, r)
}

func (s *transactionalSink) PreCommit(id stream.CheckpointID) {
	s.prepared[id] = s.open
	s.open = nil
}

func (s *transactionalSink) Commit(id stream.CheckpointID) {
	s.committed = append(s.committed, s.prepared[id]...)
	delete(s.prepared, id)
}

func (s *transactionalSink) Abort(id stream.CheckpointID) {
	delete(s.prepared, id)
}

func (s *transactionalSink) AbortOpen() {
	s.open = nil
}

func (s *transactionalSink) Committed() []stream.Record {
	return slices.Clone(s.committed)
}

// RunExactlyOnceSink copies records to a sink, exactly once.
func (Solution) RunExactlyOnceSink(newSink func() contract.TransactionalSink, records []stream.Record, barrierEvery, crashAfter, commitLag int) []stream.Record {
	j := job{sink: newSink(), lag: commitLag}
	i := 0 // of the next record
	for _, e := range (barriers.Solution{}).InjectBarriers(records, barrierEvery) {
		if e.Barrier != nil {
			j.barrier(i)
			continue
		}
		if i == crashAfter {
			return j.recover(newSink, records)
		}
		j.sink.Write(e.Record)
		i++
	}
	j.finish(len(records))
	return j.sink.Committed()
}

// A job is one attempt at the source: everything in it but the sink is lost in a crash.
type job struct {
	sink      contract.TransactionalSink
	lag       int
	id        stream.CheckpointID // of the newest checkpoint
	pending   []checkpoint        // pre-committed, not yet notified, oldest first
	completed int                 // source offset of the last committed checkpoint
}

type checkpoint struct {
	id     stream.CheckpointID
	offset int // of the next record to read
}

func (j *job) barrier(offset int) {
	j.preCommit(offset)
	if len(j.pending) > j.lag {
		j.commitOldest()
	}
}

func (j *job) finish(offset int) {
	j.preCommit(offset)
	for len(j.pending) > 0 {
		j.commitOldest()
	}
}

func (j *job) preCommit(offset int) {
	j.id++
	j.sink.PreCommit(j.id)
	j.pending = append(j.pending, checkpoint{j.id, offset})
}

func (j *job) commitOldest() {
	oldest := j.pending[0]
	j.pending = j.pending[1:]
	j.sink.Commit(oldest.id)
	j.completed = oldest.offset
}

// recover aborts what the crash left behind and replays the rest of the source
// into a fresh sink.
func (j *job) recover(newSink func() contract.TransactionalSink, records []stream.Record) []stream.Record {
	j.sink.AbortOpen()
	for _, c := range j.pending {
		j.sink.Abort(c.id)
	}
	replay := job{sink: newSink(), lag: j.lag}
	for _, r := range records[j.completed:] {
		replay.sink.Write(r)
	}
	replay.finish(len(records))
	return append(j.sink.Committed(), replay.sink.Committed()...)
}
