package plain

import (
	"testing"

	"github.com/flk-byo/de/stages/07-exactly-once-state/contract"
	reference "github.com/flk-byo/de/stages/07-exactly-once-state/reference"
	"github.com/flk-byo/de/stages/stream"
)

// source is what the jobs of these tests read.
var source = []stream.Record{{Key: "a", Value: 1}, {Key: "b", Value: 2}, {Key: "a", Value: 3}, {Key: "c", Value: 4}, {Key: "b", Value: 5}}

// rules asks for all rules of a run.
func rules(r *reproRun) map[string]string {
	return map[string]string{
		"cut": r.cut(), "barriers": r.barriers(), "recovery": r.recovery(), "asks": r.asks(), "ids": r.ids(), "wrongResult": r.wrongResult(),
	}
}

// The reference breaks no rule, whatever the barriers, the crash and the
// checkpoint it begins with; also killed in any call, begun again, or with
// another checkpoint after the crash.
func TestRightRuns(t *testing.T) {
	for every := 1; every <= 6; every++ {
		for crash := -1; crash <= 6; crash++ {
			for _, start := range []*contract.Checkpoint{nil, {ID: 9, Offset: 2, State: map[string]int64{"a": 7}}} {
				right(t, every, crash, start)
			}
		}
	}
}

func right(t *testing.T, every, crash int, start *contract.Checkpoint) {
	t.Helper()
	first := (&reproStore{start}).run(source, every, crash)
	do(t, first)
	for _, question := range first.questions() {
		changed := (&reproStore{start}).run(source, every, crash)
		changed.change = question
		changed.result = reference.Solution{}.RunExactlyOnceState(changed, source, every, crash)
		if wrong := changed.heeds(); wrong != "" {
			t.Errorf("every %d, crash %d, changed: %s", every, crash, wrong)
		}
	}
	for _, call := range first.calls {
		for _, after := range []bool{false, true} {
			store := &reproStore{start}
			killed := store.run(source, every, crash)
			if after && call.name == "Save" {
				killed.killAfter = call
			} else {
				killed.killBefore = call
			}
			do(t, killed)
			if !killed.dead {
				t.Errorf("every %d, crash %d: not killed in call %d of %s", every, crash, call.number, call.name)
			}
			do(t, store.run(source, every, crash))
		}
	}
}

// do lets the reference do a run, and asks for all rules.
func do(t *testing.T, r *reproRun) {
	t.Helper()
	r.untilKilled(func() map[string]int64 { return reference.Solution{}.RunExactlyOnceState(r, source, r.every, r.crash) })
	for rule, wrong := range rules(r) {
		if wrong != "" {
			t.Errorf("every %d, crash %d, killed %t: %s: %s", r.every, r.crash, r.dead, rule, wrong)
		}
	}
	r.log(t)
}

// Each breaks the rule that is named, and no other: there is a barrier after
// every 2 records, and where a crash comes, it comes after 3.
func TestWrongRuns(t *testing.T) {
	batch := map[string]int64{"a": 4, "b": 7, "c": 4}
	at2, at4 := map[string]int64{"a": 1, "b": 2}, map[string]int64{"a": 4, "b": 2, "c": 4}
	tests := []struct {
		name, rule string
		crash      int
		ask        int // how often the store is asked, at most the last time after a save
		saves      []contract.Checkpoint
		result     map[string]int64
	}{
		{"right", "", -1, 1, []contract.Checkpoint{save(1, 2, at2), save(2, 4, at4)}, batch},
		{"another state", "cut", -1, 1, []contract.Checkpoint{save(1, 2, at4), save(2, 4, at4)}, batch},
		{"a barrier left out", "barriers", -1, 1, []contract.Checkpoint{save(2, 4, at4)}, batch},
		{"the same ID", "ids", -1, 1, []contract.Checkpoint{save(1, 2, at2), save(1, 4, at4)}, batch},
		{"never asked", "asks", -1, 0, []contract.Checkpoint{save(1, 2, at2), save(2, 4, at4)}, batch},
		{"not asked after the crash", "recovery", 3, 1, []contract.Checkpoint{save(1, 2, at2), save(2, 4, at4)}, batch},
		{"asked after the crash", "", 3, 2, []contract.Checkpoint{save(1, 2, at2), save(2, 4, at4)}, batch},
		{"another result", "wrongResult", -1, 1, []contract.Checkpoint{save(1, 2, at2), save(2, 4, at4)}, at4},
	}
	for _, test := range tests {
		r := (&reproStore{}).run(source, 2, test.crash)
		for i, c := range test.saves {
			if i < test.ask {
				r.Latest()
			}
			r.Save(c)
		}
		r.result = test.result
		for rule, wrong := range rules(r) {
			if (wrong != "") != (rule == test.rule) {
				t.Errorf("%s: %s: %q", test.name, rule, wrong)
			}
		}
	}
}

func save(id stream.CheckpointID, offset int, state map[string]int64) contract.Checkpoint {
	return contract.Checkpoint{ID: id, Offset: offset, State: state}
}

// A run that does not go on from the changed checkpoint is told.
func TestHeedless(t *testing.T) {
	r := (&reproStore{}).run(source, 2, 3)
	r.change = 2
	r.Latest()
	r.Save(contract.Checkpoint{ID: 1, Offset: 2, State: r.sums(2)})
	r.Latest()
	r.Save(contract.Checkpoint{ID: 200, Offset: 4, State: r.sums(4)})
	r.result = r.sums(5)
	if r.heeds() == "" {
		t.Error("it is not told")
	}
}
