package exactlyoncestate

import (
	"fmt"
	"iter"

	"github.com/flk-byo/de/harness/explore"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/07-exactly-once-state/contract"
)

// A setting is what histories are explored with, up to how many kills, and
// whether with simulated crashes at all points or at one.
type setting struct {
	records, every, kills int
	everywhere            bool
}

var settings = []setting{{1, 1, 1, false}, {2, 1, 1, true}, {3, 2, 1, true}, {4, 2, 1, false}, {3, 1, 2, false}}

var bound = fmt.Sprintf("a kill in every call on the store, of jobs of up to 4 records, and of a job of 3 up to %d kills in a row; "+
	"of jobs of 2 and 3, with a crash at every point, before the kill and after it", maxKills)

const maxKills = 2

// histories yields a case for every history of runs that are killed, and one
// that comes to the end, those of fewer runs first.
func histories() iter.Seq[schedule.Case] {
	return func(yield func(schedule.Case) bool) {
		for n := 1; n <= maxKills; n++ {
			for _, s := range settings {
				if s.kills < n {
					continue
				}
				for killed := range explore.Sequences(n, s.next) {
					if len(killed) < n {
						continue
					}
					for _, crash := range s.ends() {
						script := append(s.setUp(), killed...)
						script = append(script, spec.Op(opRun, int64(crash)))
						if !yield(schedule.Case{ID: schedule.SequenceID(spec.Stage, script), Script: script}) {
							return
						}
					}
				}
			}
		}
	}
}

func (s setting) setUp() []schedule.Op {
	return []schedule.Op{spec.Op(opRecords, int64(s.records)), spec.Op(opEvery, int64(s.every))}
}

// crashes are the points at which the first run crashes before it is killed.
func (s setting) crashes() []int {
	if s.everywhere {
		return upTo(0, s.records-1)
	}
	return []int{1}
}

// ends are the points at which the run crashes that comes to the end.
func (s setting) ends() []int {
	if s.everywhere {
		return upTo(contract.NoCrash, s.records-1)
	}
	return []int{contract.NoCrash}
}

// next are the ways in which one more run can be killed: in each of its calls,
// and, if it is the first, also in those after a crash that it simulates.
func (s setting) next(before []schedule.Op) []schedule.Op {
	ops := s.kill(1, contract.NoCrash, len(before))
	if len(before) > 0 {
		return ops
	}
	for _, crash := range s.crashes() {
		ops = append(ops, s.kill(2, crash, 0)...)
	}
	return ops
}

// kill returns a kill in the given call of Latest, and in each of Save, before
// its effect and after it, of a run that comes after others.
func (s setting) kill(question, crash, after int) []schedule.Op {
	ops := []schedule.Op{opOf(killPoint{op: opLatest, call: question}, crash)}
	for call := 1; call <= max(1, s.records/s.every-after); call++ {
		ops = append(ops,
			opOf(killPoint{opSave, call, false}, crash),
			opOf(killPoint{opSave, call, true}, crash))
	}
	return ops
}
