package grading

import (
	"iter"
	"strings"
	"testing"

	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/harness/schedule"
)

// sweptSuite is the test suite with a sweep of two parts and two long scripts.
func sweptSuite() Suite {
	s := testSuite
	s.Sweep = func(longer int) Sweep {
		return Sweep{
			Bound: "all short ones", Length: 3 + longer, Parts: []int{10, 20},
			Cases: func(part, length int) iter.Seq[schedule.Case] {
				return func(yield func(schedule.Case) bool) {
					yield(schedule.Case{ID: []string{"first part", "second part"}[part]})
				}
			},
		}
	}
	s.LongScripts = 2
	s.Long = func(seed uint64) []schedule.Op { return make([]schedule.Op, seed) }
	return s
}

func TestAgenda(t *testing.T) {
	suite := sweptSuite()
	scheduled := testCases("a", "b", "c")
	a := newAgenda(suite, scheduled, StageJob{Explore: true, Longer: 1})
	explored := a.size() - len(scheduled) - 2 - suite.LongScripts
	if explored <= 0 || a.sweep.Length != 4 {
		t.Fatalf("%d explored cases, sequences of %d", explored, a.sweep.Length)
	}
	var ends []int
	for at := 0; at < a.size(); at = a.stretch(at) {
		ends = append(ends, a.stretch(at))
	}
	if len(ends) != 3 || ends[0] != 3 || ends[1] != 5 || ends[2] != a.size() {
		t.Errorf("the stretches end at %v of %d", ends, a.size())
	}
	var ids []string
	for place := range a.size() {
		if place < 3 || place >= a.sweepEnd() {
			ids = append(ids, a.at(place).ID)
		}
		if a.isLong(place) != (place >= a.size()-2) || a.isScheduled(place) != (place < 3) {
			t.Errorf("place %d: long %v, scheduled %v", place, a.isLong(place), a.isScheduled(place))
		}
	}
	if got := strings.Join(ids, " "); !strings.HasPrefix(got, "a b c ") || !strings.HasSuffix(got, " "+suite.ID+"/long/1 "+suite.ID+"/long/2") {
		t.Errorf("cases %s", got)
	}
	if a := newAgenda(suite, scheduled, StageJob{}); a.size() != 3 {
		t.Errorf("without exploration there are %d places", a.size())
	}
}

// Each place counts for as many cases as it stands for.
func TestSweepCounts(t *testing.T) {
	r := &record{stage: Stage{Suite: sweptSuite(), Cases: testCases("a", "b"), Explore: true}}
	r.note(Message{Phase: PhaseStage, Total: 7, Sweep: []int{10, 20}}, r.start)
	for _, place := range []int{0, 1, 3, 4} { // the second part, and an explored case
		r.note(Message{Phase: PhaseCase, Case: place}, r.start)
	}
	report := r.report()
	if report.Cases != (Count{Total: 2, Ran: 2}) || report.Explored != (Count{Total: 33, Ran: 21}) {
		t.Errorf("cases %+v, explored %+v", report.Cases, report.Explored)
	}
	for place, want := range map[int]string{1: "b", 2: "first part", 3: "second part"} {
		if c := r.caseAt(place); c.ID != want {
			t.Errorf("place %d is %s, want %s", place, c.ID, want)
		}
	}
	for place, want := range map[int]int{0: 2, 1: 2, 2: 3, 3: 4, 4: 0, 6: 0} {
		if got := r.guardedTo(place); got != want {
			t.Errorf("guarded from %d to %d, want %d", place, got, want)
		}
	}
}

func TestStageGoesOn(t *testing.T) {
	r := &record{stage: Stage{Suite: sweptSuite(), Explore: true}}
	r.note(Message{Phase: PhaseEnd, More: true}, r.start)
	if r.ended || !r.more {
		t.Error("the stage ended with a job that was not its last")
	}
	r.note(Message{Phase: PhaseEnd}, r.start)
	if !r.ended || r.more {
		t.Error("the stage did not end with its last job")
	}
}

// Of what a sweep finds the shortest counts, of several the first, in whatever
// order they are found; and one that fails alone before one that does not.
func TestFinds(t *testing.T) {
	found := func(length int, leaks bool) *CaseResult {
		return &CaseResult{Case: schedule.Case{Script: make([]schedule.Op, length)}, Leaks: leaks}
	}
	type find struct {
		place, length int
		leaks         bool
	}
	all := []find{{1, 5, false}, {2, 3, false}, {3, 3, false}, {4, 1, true}, {5, 4, false}}
	for first := range all {
		f := &finds{length: 7}
		for i := range all {
			next := all[(first+i)%len(all)]
			f.add(found(next.length, next.leaks), next.place)
		}
		f.add(nil, 0)
		if r := f.best(); r.Index != 2 || f.limit() != 2 {
			t.Errorf("from %d on: found at %d, then up to length %d", first, r.Index, f.limit())
		}
	}
	f := &finds{length: 7}
	f.add(found(4, true), 2)
	f.add(found(2, true), 3)
	if r := f.best(); r.Index != 3 || f.limit() != 7 {
		t.Errorf("of leaks: found at %d, then up to length %d", r.Index, f.limit())
	}
}

// What a sweep did not come back from fails by the first of its cases, and ends
// the stage.
func TestDiedInSweep(t *testing.T) {
	r := &record{stage: Stage{Suite: sweptSuite(), Explore: true}, sweep: []int{10, 20}}
	r.died(1, &fault.Fault{Kind: fault.TimeLimit, Message: "too long"})
	if f := r.failed[0]; f.Case.ID != "second part" || !f.Explored || !r.ended {
		t.Errorf("%+v, ended %v", f, r.ended)
	}
}

// Once a sequence of one operation fails, there is none that is shorter.
func TestNothingShorterThanOne(t *testing.T) {
	f := &finds{length: 7}
	f.add(&CaseResult{Case: schedule.Case{Script: make([]schedule.Op, 1)}}, 3)
	never := Sweep{Parts: []int{1}, Run: func(Guest, int, int) *schedule.Case { panic("it was run") }}
	if r := (&bench{judge: &judge{}}).part(never, 0, f.limit(), nil); r != nil {
		t.Errorf("%+v", r)
	}
}
