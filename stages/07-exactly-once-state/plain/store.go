// Package plain is what plain Go tests of stage 07 are made of: a store that
// takes note of what a run does, and a rule a file. A test takes the declarations
// that it needs along, so they need nothing of the harness, and their names begin
// with repro. Start reading at reproStore.
package plain

import (
	"maps"
	"slices"
	"testing"

	"github.com/flk-byo/de/stages/07-exactly-once-state/contract"
	"github.com/flk-byo/de/stages/stream"
)

// A reproStore is what outlives a run: the latest checkpoint, or nil.
type reproStore struct{ latest *contract.Checkpoint }

// run returns the store as one run of a job sees it, which takes note of the calls.
func (s *reproStore) run(records []stream.Record, every, crash int) *reproRun {
	r := &reproRun{store: s, records: records, every: every, crash: crash, killed: make(chan bool, 1)}
	if s.latest != nil {
		r.start, r.found = reproClone(*s.latest), true
	}
	return r
}

// A reproRun is one run of a job, and the store that it is given.
type reproRun struct {
	store        *reproStore
	records      []stream.Record
	every, crash int
	start        contract.Checkpoint // in the store beforehand; zero if there was none
	found        bool                // start is one

	calls  []reproCall
	result map[string]int64

	killBefore, killAfter reproCall // in which the run is killed: only name and number count
	killed                chan bool
	dead                  bool
	change                int // the call of Latest at which the checkpoint in the store is changed; 0 is none
}

// A reproCall is one call on the store.
type reproCall struct {
	name       string // "Save" or "Latest"
	number     int    // 1 is the first of that name
	checkpoint contract.Checkpoint
	found      bool // a checkpoint, by Latest
	kept       bool // the store keeps what is saved: the run was not killed before
}

func (r *reproRun) Save(c contract.Checkpoint) {
	call := r.note("Save")
	call.checkpoint = reproClone(c)
	r.die(r.killBefore, call)
	saved := reproClone(c)
	r.store.latest, call.kept = &saved, true
	r.die(r.killAfter, call)
}

func (r *reproRun) Latest() (contract.Checkpoint, bool) {
	call := r.note("Latest")
	r.die(r.killBefore, call)
	latest := r.store.latest
	if latest == nil {
		return contract.Checkpoint{}, false
	}
	if r.change == call.number {
		*latest = reproChanged(*latest, r.every)
	}
	call.checkpoint, call.found = reproClone(*latest), true
	return reproClone(*latest), true
}

func (r *reproRun) note(name string) *reproCall {
	if len(r.calls) == 200_000 {
		panic("the run keeps calling its store, without an end")
	}
	number := 1
	for _, c := range r.calls {
		if c.name == name {
			number++
		}
	}
	r.calls = append(r.calls, reproCall{name: name, number: number})
	return &r.calls[len(r.calls)-1]
}

// die lets the run stand still for ever in a call, if it is killed in it.
func (r *reproRun) die(in reproCall, call *reproCall) {
	if call.name == in.name && call.number == in.number {
		r.dead = true
		r.killed <- true
		select {}
	}
}

// untilKilled does what a run does until it is killed, or comes to its end.
func (r *reproRun) untilKilled(run func() map[string]int64) {
	ended := make(chan map[string]int64)
	go func() { ended <- run() }()
	select {
	case r.result = <-ended:
	case <-r.killed:
	}
}

// sums are those that the state must hold at an offset: those of the checkpoint
// at the start, and what came since.
func (r *reproRun) sums(offset int) map[string]int64 {
	sums := maps.Clone(r.start.State)
	if sums == nil {
		sums = map[string]int64{}
	}
	for i := r.start.Offset; i < min(offset, len(r.records)); i++ {
		sums[r.records[i].Key] += r.records[i].Value
	}
	return sums
}

// wrong tells whether the run came to its end with a wrong result.
func (r *reproRun) wrong() bool {
	return !r.dead && !maps.Equal(r.result, r.sums(len(r.records)))
}

// afterCrash tells whether call i, of Save, comes after the crash: the source is
// beyond it by then, or has been there before.
func (r *reproRun) afterCrash(i int) bool {
	if r.crash == contract.NoCrash {
		return false
	}
	offset := r.calls[i].checkpoint.Offset
	return offset-r.start.Offset > r.crash || slices.ContainsFunc(r.calls[:i], func(c reproCall) bool {
		return c.name == "Save" && c.checkpoint.Offset >= offset
	})
}

// log prints the calls; go test shows them of a test that fails.
func (r *reproRun) log(t *testing.T) {
	t.Helper()
	for _, c := range r.calls {
		if c.name == "Latest" && !c.found {
			t.Logf("%s: none", c.name)
		} else {
			t.Logf("%s: ID %d, offset %d, state %v", c.name, c.checkpoint.ID, c.checkpoint.Offset, c.checkpoint.State)
		}
	}
}

func reproClone(c contract.Checkpoint) contract.Checkpoint {
	c.State = maps.Clone(c.State)
	return c
}
