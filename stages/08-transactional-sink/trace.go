package transactionalsink

import (
	"github.com/flk-byo/de/harness/fault"
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
	limit  int // of events; beyond it the solution has no end
	sinks  int
	result []stream.Record
}

// newTrace returns a trace of a run over n records. Its limit leaves room for
// telling every checkpoint again at every barrier, and more.
func newTrace(n int) *trace {
	return &trace{limit: min(1000+20*(n+1)*(n+1), 200_000)}
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
	if len(s.trace.events) == s.trace.limit {
		panic(&fault.Fault{Kind: fault.TooManyCalls, Message: "it keeps calling its sinks without an end"})
	}
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
