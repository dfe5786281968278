package transactionalsink

import (
	"fmt"
	"slices"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/diff"
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
	place  string              // in the solution, where known
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
	place  func() string                     // where in the solution the call under way comes from; or nil
	limit  int                               // of events; beyond it the solution has no end
	inner  func() contract.TransactionalSink // makes the solution's own sinks, which then do what ours are told; or nil
	astray *grading.Finding                  // the first thing that one of them showed and should not have
	label  func(stream.Record) string        // names records, where inner is not nil
	sinks  []*model                          // what the host holds, in the order in which they were made
	result []stream.Record
}

// newTrace returns a trace of a run over n records. Its limit leaves room for
// telling every checkpoint again at every barrier, and more.
func newTrace(n int) *trace {
	return &trace{limit: min(1000+20*(n+1)*(n+1), 200_000)}
}

// newSink is the factory that a solution is given.
func (t *trace) newSink() contract.TransactionalSink {
	m := newModel()
	t.sinks = append(t.sinks, m)
	s := &tracedSink{model: m, trace: t, number: len(t.sinks)}
	if t.inner != nil {
		s.own = t.inner()
	}
	s.note(event{op: opNewSink})
	return s
}

// A tracedSink is a model that takes note of every call, and hands it on to a
// sink of the solution's if it has one.
type tracedSink struct {
	*model
	own      contract.TransactionalSink
	compared int // how many records own showed last
	trace    *trace
	number   int
}

func (s *tracedSink) note(e event) {
	if len(s.trace.events) == s.trace.limit {
		panic(&fault.Fault{Kind: fault.TooManyCalls, Message: "it keeps calling its sinks without an end"})
	}
	e.sink = s.number
	if s.trace.place != nil {
		e.place = s.trace.place()
	}
	s.trace.events = append(s.trace.events, e)
}

func (s *tracedSink) Write(r stream.Record) {
	s.take(event{op: opWrite, record: r}, func(to contract.TransactionalSink) { to.Write(r) })
}

func (s *tracedSink) PreCommit(id stream.CheckpointID) {
	s.take(event{op: opPreCommit, id: id}, func(to contract.TransactionalSink) { to.PreCommit(id) })
}

func (s *tracedSink) Commit(id stream.CheckpointID) {
	s.take(event{op: opCommit, id: id}, func(to contract.TransactionalSink) { to.Commit(id) })
	if s.own != nil && s.due() {
		s.compare()
	}
}

// often is up to how many records a sink's output is read after each commit. To
// read all of it each time takes the square of the records.
const often = 300

// due tells whether what the solution's own sink shows is to be compared after a
// commit: where it is much, once it has grown by an eighth.
func (s *tracedSink) due() bool {
	return len(s.visible) <= often || len(s.visible) >= s.compared+s.compared/8
}

func (s *tracedSink) Abort(id stream.CheckpointID) {
	s.take(event{op: opAbort, id: id}, func(to contract.TransactionalSink) { to.Abort(id) })
}

func (s *tracedSink) AbortOpen() {
	s.take(event{op: opAbortOpen}, func(to contract.TransactionalSink) { to.AbortOpen() })
}

func (s *tracedSink) Committed() []stream.Record {
	s.note(event{op: opCommitted})
	if s.own != nil {
		return s.compare()
	}
	return s.model.Committed()
}

// take notes an operation and carries it out.
func (s *tracedSink) take(e event, do func(contract.TransactionalSink)) {
	s.note(e)
	do(s.model)
	if s.own != nil {
		do(s.own)
	}
}

// compare returns what the solution's own sink shows, and notes if it should not.
func (s *tracedSink) compare() []stream.Record {
	seen := s.own.Committed()
	s.compared = len(s.visible)
	if s.trace.astray == nil && !slices.Equal(seen, s.visible) {
		check, unless := sinkModel, ""
		if len(s.trace.sinks) > 1 { // else it is the sink that is wrong, alone
			check, unless = isolation, sinkModel
		}
		s.trace.astray = &grading.Finding{
			Check: check, Unless: unless, Kind: fault.WrongOutput, Step: len(s.trace.events) - 1,
			Problem: fmt.Sprintf(inRun+"your sink %d shows %s instead of %s.",
				s.number, list(seen, s.trace.label), list(s.visible, s.trace.label)),
			Diff: diff.List(s.visible, seen),
		}
	}
	return seen
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
