package transactionalsink

import (
	"fmt"
	"slices"

	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/08-transactional-sink/contract"
	"github.com/flk-byo/de/stages/stream"
)

// An account is what a trace amounts to: the writes, transactions and aborts of
// one run, each with its place in the source. The checks read it.
type account struct {
	records           []stream.Record
	every, crash, lag int
	crashes           bool // the crash comes before the source's end
	limit             int  // records written before the crash or the end

	events   []event
	position []int // writes done once the event was, by event
	result   []stream.Record

	writes  []write
	pieces  []piece         // transactions in the order of their pre-commits
	aborts  []abort         // those that dropped something
	replay  int             // index of the first event of the replay, or len(events)
	visible int             // records visible when the replay began, or at the end
	store   []stream.Record // what all sinks show at the end
	sinks   []*model        // as they were left; sink 1 is the first
	begun   []int           // by sink, index of the first write of what is open
}

type write struct {
	event  int
	sink   int
	record stream.Record
}

// A piece is one transaction that was pre-committed.
type piece struct {
	event     int // of the pre-commit
	sink      int
	id        stream.CheckpointID
	at        int // position of the pre-commit
	size      int // records in it
	first     int // index of its first write, if it has any
	reused    bool
	committed int // event of the commit that made it visible, or -1
}

type abort struct {
	event int
	open  bool // the open transaction, not a prepared one
}

// parameters returns an account without a trace.
func parameters(c schedule.Case) *account {
	a := &account{
		records: c.Records,
		every:   c.Param(barrierEvery), crash: c.Param(crashAfter), lag: c.Param(commitLag),
	}
	a.crashes = a.crash != contract.NoCrash && a.crash < len(a.records)
	a.limit = len(a.records)
	if a.crashes {
		a.limit = a.crash
	}
	return a
}

// read takes account of t.
func read(c schedule.Case, t *trace) *account {
	a := parameters(c)
	a.events, a.result = t.events, t.result
	a.replay = len(t.events)
	for i, e := range t.events {
		if e.op == opNewSink {
			a.sinks = append(a.sinks, newModel())
			a.begun = append(a.begun, 0)
		}
		a.event(i, e, a.sinks[e.sink-1])
		a.position = append(a.position, len(a.writes))
	}
	for i, m := range a.sinks {
		a.store = append(a.store, m.visible...)
		if i < len(t.sinks) && !slices.Equal(t.sinks[i].visible, m.visible) { // a fault of ours
			panic(fmt.Sprintf("sink %d of the host's shows %v, where the calls on it amount to %v", i+1, t.sinks[i].visible, m.visible))
		}
	}
	if a.replay == len(t.events) {
		a.visible = len(a.store)
	}
	return a
}

func (a *account) event(i int, e event, m *model) {
	switch e.op {
	case opWrite:
		if len(a.writes) == a.limit && a.replay == len(a.events) {
			a.replay, a.visible = i, a.shown()
		}
		if len(m.open) == 0 {
			a.begun[e.sink-1] = len(a.writes)
		}
		a.writes = append(a.writes, write{i, e.sink, e.record})
	case opPreCommit:
		a.pieces = append(a.pieces, piece{
			event: i, sink: e.sink, id: e.id, at: len(a.writes), size: len(m.open), first: a.begun[e.sink-1], reused: m.used[e.id], committed: -1,
		})
	case opCommit:
		if _, ok := m.holds(e.id); ok && !m.done[e.id] {
			a.newest(e).committed = i
		}
	case opAbort:
		if t, ok := m.holds(e.id); ok && len(t.records) > 0 {
			a.aborts = append(a.aborts, abort{event: i})
		}
	case opAbortOpen:
		if len(m.open) > 0 {
			a.aborts = append(a.aborts, abort{event: i, open: true})
		}
	}
	m.do(e)
}

// newest is the last transaction that was pre-committed under e's sink and id.
func (a *account) newest(e event) *piece {
	for i := len(a.pieces) - 1; ; i-- {
		if p := &a.pieces[i]; p.sink == e.sink && p.id == e.id {
			return p
		}
	}
}

func (a *account) shown() int {
	n := 0
	for _, m := range a.sinks {
		n += len(m.visible)
	}
	return n
}

// crashed tells whether the run took its crash point for a crash: one at the
// end may be taken for a clean finish.
func (a *account) crashed() bool {
	return a.crashes || a.crash >= 0 && (len(a.aborts) > 0 || a.replay < len(a.events))
}

// barrier returns k where position is that of barrier k, else 0.
func (a *account) barrier(position int) int {
	if position == 0 || position%a.every != 0 {
		return 0
	}
	return position / a.every
}

// written returns the records of the writes from the i-th up to the j-th.
func (a *account) written(i, j int) []stream.Record {
	var rs []stream.Record
	for _, w := range a.writes[min(i, len(a.writes)):min(j, len(a.writes))] {
		rs = append(rs, w.record)
	}
	return rs
}
