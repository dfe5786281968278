// Package plain is what plain Go tests of stage 08 are made of: sinks that take
// note of what a job does, and a rule a file. A test takes the declarations that
// it needs along, so they need nothing of the harness, and their names begin
// with repro. Start reading at reproRun.
package plain

import (
	"fmt"
	"slices"
	"testing"

	"github.com/flk-byo/de/stages/08-transactional-sink/contract"
	"github.com/flk-byo/de/stages/stream"
)

// A reproRun is what a job does to the sinks that it is given.
type reproRun struct {
	sinks []*reproSink
	calls []reproCall
}

// A reproCall is one call on a sink.
type reproCall struct {
	sink    int // 1 is the first that was made
	name    string
	id      stream.CheckpointID
	records []stream.Record // what it wrote, prepared, made visible or dropped
	written int             // how many records are written by then, in all sinks
	begun   int             // how many were when the first of the transaction was written
}

// newSink makes the sinks of the job: they do what the contract says, and take
// note of it.
func (r *reproRun) newSink() contract.TransactionalSink { return r.sink() }

func (r *reproRun) sink() *reproSink {
	s := &reproSink{run: r, number: len(r.sinks) + 1, prepared: map[stream.CheckpointID][]stream.Record{}, over: map[stream.CheckpointID]bool{}}
	r.sinks = append(r.sinks, s)
	return s
}

type reproSink struct {
	run      *reproRun
	number   int
	begun    int // records that were written before the open transaction
	open     []stream.Record
	prepared map[stream.CheckpointID][]stream.Record
	over     map[stream.CheckpointID]bool // committed or aborted
	visible  []stream.Record
}

func (s *reproSink) Write(r stream.Record) {
	if len(s.open) == 0 {
		s.begun = s.run.written()
	}
	s.open = append(s.open, r)
	s.note("write", 0, []stream.Record{r})
}

func (s *reproSink) PreCommit(id stream.CheckpointID) {
	s.note("pre-commit", id, s.open)
	s.prepared[id], s.open = s.open, nil
}

func (s *reproSink) Commit(id stream.CheckpointID) {
	records := s.take(id)
	s.visible = append(s.visible, records...)
	s.note("commit", id, records)
}

func (s *reproSink) Abort(id stream.CheckpointID) { s.note("abort", id, s.take(id)) }

func (s *reproSink) AbortOpen() {
	s.note("abort open", 0, s.open)
	s.open = nil
}

func (s *reproSink) Committed() []stream.Record { return slices.Clone(s.visible) }

// take removes the prepared transaction id, and returns what was in it.
func (s *reproSink) take(id stream.CheckpointID) []stream.Record {
	records, ok := s.prepared[id]
	delete(s.prepared, id)
	if !ok || s.over[id] {
		return nil
	}
	s.over[id] = true
	return records
}

func (s *reproSink) note(name string, id stream.CheckpointID, records []stream.Record) {
	if len(s.run.calls) == 200_000 {
		panic("the job keeps calling its sinks, without an end")
	}
	written := s.run.written()
	if name == "write" {
		written++
	}
	s.run.calls = append(s.run.calls, reproCall{s.number, name, id, records, written, s.begun})
}

// written is how many records are written so far, in all sinks.
func (r *reproRun) written() int {
	if len(r.calls) == 0 {
		return 0
	}
	return r.calls[len(r.calls)-1].written
}

// visible is what all sinks show.
func (r *reproRun) visible() []stream.Record {
	var all []stream.Record
	for _, s := range r.sinks {
		all = append(all, s.visible...)
	}
	return all
}

// log prints the calls; go test shows them of a test that fails.
func (r *reproRun) log(t *testing.T) {
	t.Helper()
	for _, c := range r.calls {
		line := fmt.Sprintf("%d written  sink %d  %s", c.written, c.sink, c.name)
		if c.id != 0 {
			line += fmt.Sprintf(" %d", c.id)
		}
		t.Log(line, c.records)
	}
}

// reproSame tells whether two lists hold the same records equally often.
func reproSame(a, b []stream.Record) bool {
	balance := map[stream.Record]int{}
	for _, r := range a {
		balance[r]++
	}
	for _, r := range b {
		balance[r]--
	}
	for _, n := range balance {
		if n != 0 {
			return false
		}
	}
	return true
}
