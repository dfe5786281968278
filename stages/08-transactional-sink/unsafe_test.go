package transactionalsink

import (
	"testing"

	"github.com/flk-byo/de/stages/08-transactional-sink/contract"
	"github.com/flk-byo/de/stages/stream"
)

// Whatever a right job may have done, it can still come to a right end: so the
// first call that it may not make is the point of no return, and none comes
// before.
func TestNoDeadEnds(t *testing.T) {
	states := 0
	for c := range smallJobs(2) {
		for reading := range parameters(c).readings() {
			var extend func(run []event)
			extend = func(run []event) {
				states++
				j := after(c, reading, run)
				next := j.calls(true, false)
				if len(next) == 0 && !j.over() {
					t.Fatalf("%s: after %v a right job can do nothing more, and is not over", c.ID, run)
				}
				for _, e := range next {
					extend(append(run[:len(run):len(run)], e))
				}
			}
			extend(nil)
		}
	}
	if states < 1000 {
		t.Errorf("only %d states were looked at", states)
	}
}

func TestUnsafe(t *testing.T) {
	rs := letters(2, 2)
	write := func(k int) event { return event{sink: 1, op: opWrite, record: rs[k]} }
	begin := event{sink: 1, op: opNewSink}
	preCommit := func(id stream.CheckpointID) event { return event{sink: 1, op: opPreCommit, id: id} }
	commit := func(id stream.CheckpointID) event { return event{sink: 1, op: opCommit, id: id} }
	for _, test := range []struct {
		name       string
		every, lag int
		run        []event
		want       int
	}{
		{"right", 1, 0, []event{begin, write(0), preCommit(1), commit(1), write(1), preCommit(2), commit(2)}, -1},
		{"committed before its notification", 1, 1, []event{begin, write(0), preCommit(1), commit(1), write(1), preCommit(2), commit(2)}, 3},
		{"the wrong record", 2, 0, []event{begin, write(1), write(0), preCommit(1), commit(1)}, 1},
		{"no barrier", 1, 0, []event{begin, write(0), write(1), preCommit(1), commit(1)}, 2},
		{"cut short", 2, 0, []event{begin, write(0), write(1)}, -1},
	} {
		a := parameters(job(rs, test.every, contract.NoCrash, test.lag))
		a.events = test.run
		if got := a.unsafe(); got != test.want {
			t.Errorf("%s: unsafe from %d instead of %d", test.name, got, test.want)
		}
	}
}
