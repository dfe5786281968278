package transactionalsink

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/diff"
	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/08-transactional-sink/contract"
	"github.com/flk-byo/de/stages/08-transactional-sink/wire"
	"github.com/flk-byo/de/stages/stream"
)

// A pair is a sink of the solution and what it must be like.
type pair struct {
	sink  contract.TransactionalSink
	model *model
}

// A scriptRun carries out a script on sinks of the solution, and compares each
// with its model after every operation.
type scriptRun struct {
	subject
	check string
	pairs []*pair // by number of sink, from 1; nil where not yet made
	now   int
	steps []grading.Step
}

func (s subject) runScript(c schedule.Case) grading.Outcome {
	r := &scriptRun{subject: s, check: checkOf(c), pairs: make([]*pair, maxSinks+1)}
	var found *grading.Finding
	death := fault.Guard(func() {
		r.use(1)
		for _, op := range c.Script {
			if found = r.step(op); found != nil {
				return
			}
		}
	})
	if death != nil {
		d := grading.Died(r.check, death, len(r.steps)-1)
		found = &d
	}
	r.release()
	if found == nil {
		return grading.Outcome{}
	}
	if r.check != sinkModel {
		found.Unless = sinkModel
	}
	return grading.Outcome{Findings: []grading.Finding{*found}, Steps: func() []grading.Step { return r.steps }}
}

// use makes sink number n the current one.
func (r *scriptRun) use(n int) {
	r.now = n
	if r.pairs[n] == nil {
		r.pairs[n] = &pair{r.solution.NewTransactionalSink(), newModel()}
	}
}

func (r *scriptRun) step(op schedule.Op) *grading.Finding {
	if op.Name == opSink {
		r.use(int(op.Args[0]))
	}
	p := r.pairs[r.now]
	r.steps = append(r.steps, grading.Step{Object: fmt.Sprintf("sink %d", r.now), Action: op.String()})
	row := &r.steps[len(r.steps)-1]
	if op.Name == opChange {
		if f := r.compare(op, r.now, changeCommitted(p.sink)); f != nil {
			return f
		}
	} else {
		apply(p.sink, op)
		apply(p.model, op)
	}
	row.State = p.model.state(recordLabel)
	for n, q := range r.pairs {
		if q == nil {
			continue
		}
		if f := r.compare(op, n, q.sink.Committed()); f != nil {
			return f
		}
	}
	return nil
}

// compare returns a finding unless sink n shows what its model does.
func (r *scriptRun) compare(op schedule.Op, n int, seen []stream.Record) *grading.Finding {
	want := r.pairs[n].model.visible
	if slices.Equal(want, seen) {
		return nil
	}
	which := "the sink"
	if r.check == isolation {
		which = fmt.Sprintf("sink %d", n)
	}
	last := len(r.steps) - 1
	r.steps[last].State = r.pairs[r.now].model.state(recordLabel)
	r.steps[last].Note = fmt.Sprintf("%s shows %s", which, list(seen, recordLabel))
	return &grading.Finding{
		Check: r.check, Kind: fault.WrongOutput, Step: last,
		Problem: fmt.Sprintf("After operation %d, %s, %s shows %s instead of %s.",
			last+1, op, which, list(seen, recordLabel), list(want, recordLabel)),
		Diff: diff.List(want, seen),
	}
}

// release gives up the sinks, so that a guest can free them.
func (r *scriptRun) release() {
	for _, p := range r.pairs {
		if p == nil {
			continue
		}
		if remote, ok := p.sink.(wire.Sink); ok {
			fault.Guard(remote.Release) // a dead guest needs no telling
		}
	}
}

func apply(s contract.TransactionalSink, op schedule.Op) {
	switch op.Name {
	case opWrite:
		s.Write(scriptRecord(op.Args[0]))
	case opPreCommit:
		s.PreCommit(stream.CheckpointID(op.Args[0]))
	case opCommit:
		s.Commit(stream.CheckpointID(op.Args[0]))
	case opAbort:
		s.Abort(stream.CheckpointID(op.Args[0]))
	case opAbortOpen:
		s.AbortOpen()
	}
}

// scriptRecord is the record that "write v" writes: all its fields tell v.
func scriptRecord(v int64) stream.Record {
	return stream.Record{Key: "r" + strconv.FormatInt(v, 10), Value: v, Time: v}
}

func recordLabel(r stream.Record) string { return r.Key }

// changeCommitted returns the committed output of s, after overwriting the
// slice that s returned.
func changeCommitted(s contract.TransactionalSink) []stream.Record {
	if remote, ok := s.(wire.Sink); ok {
		return remote.CommittedThenChange()
	}
	rs := s.Committed()
	seen := slices.Clone(rs)
	wire.Change(rs)
	return seen
}
