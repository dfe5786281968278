package transactionalsink

import (
	"github.com/flk-byo/de/stages/08-transactional-sink/contract"
	"github.com/flk-byo/de/stages/stream"
)

// An event is one call on a sink that the host holds.
type event struct {
	sink   int // 1 for the first that was made
	op     string
	id     stream.CheckpointID // of pre-commit, commit and abort
	record stream.Record       // of write
}

// Events that are no operation of scripts.
const (
	opNewSink   = "new sink"
	opCommitted = "committed"
)

// A trace is what a solution did to the sinks that it was given, and what it
// returned. It can't be forged: the sinks are ours.
type trace struct {
	events []event
	sinks  int
	result []stream.Record
}

// newSink is the factory that a solution is given.
func (t *trace) newSink() contract.TransactionalSink {
	t.sinks++
	s := &tracedSink{model: newModel(), trace: t, number: t.sinks}
	s.note(event{op: opNewSink})
	return s
}

// A tracedSink is a model that takes note of every call.
type tracedSink struct {
	*model
	trace  *trace
	number int
}

func (s *tracedSink) note(e event) {
	e.sink = s.number
	s.trace.events = append(s.trace.events, e)
}

func (s *tracedSink) Write(r stream.Record) {
	s.note(event{op: opWrite, record: r})
	s.model.Write(r)
}

func (s *tracedSink) PreCommit(id stream.CheckpointID) {
	s.note(event{op: opPreCommit, id: id})
	s.model.PreCommit(id)
}

func (s *tracedSink) Commit(id stream.CheckpointID) {
	s.note(event{op: opCommit, id: id})
	s.model.Commit(id)
}

func (s *tracedSink) Abort(id stream.CheckpointID) {
	s.note(event{op: opAbort, id: id})
	s.model.Abort(id)
}

func (s *tracedSink) AbortOpen() {
	s.note(event{op: opAbortOpen})
	s.model.AbortOpen()
}

func (s *tracedSink) Committed() []stream.Record {
	s.note(event{op: opCommitted})
	return s.model.Committed()
}

// do applies e to m, the model of its sink.
func (m *model) do(e event) {
	switch e.op {
	case opWrite:
		m.Write(e.record)
	case opPreCommit:
		m.PreCommit(e.id)
	case opCommit:
		m.Commit(e.id)
	case opAbort:
		m.Abort(e.id)
	case opAbortOpen:
		m.AbortOpen()
	}
}
