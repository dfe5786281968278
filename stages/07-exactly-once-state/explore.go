package exactlyoncestate

import (
	"fmt"
	"iter"

	"github.com/flk-byo/de/harness/explore"
	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/07-exactly-once-state/contract"
)

// A setting is what histories are explored with, and up to how many kills.
type setting struct {
	records, every, kills int
}

var settings = []setting{{1, 1, 1}, {2, 1, 1}, {3, 2, 1}, {4, 2, 1}, {3, 1, 2}}

var bound = fmt.Sprintf("every history of up to %d runs killed in a call on the store, over up to %d records, and a run to the end", maxKills, 4)

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
					script := append(s.setUp(), killed...)
					script = append(script, spec.Op(opRun, contract.NoCrash))
					if !yield(schedule.Case{ID: schedule.SequenceID(spec.Stage, script), Script: script}) {
						return
					}
				}
			}
		}
	}
}

func (s setting) setUp() []schedule.Op {
	return []schedule.Op{spec.Op(opRecords, int64(s.records)), spec.Op(opEvery, int64(s.every))}
}

// next are the ways in which one more run can be killed: in each of its calls,
// with and without a crash that it simulates before.
func (s setting) next(before []schedule.Op) []schedule.Op {
	saves := max(1, s.records/s.every-len(before))
	var ops []schedule.Op
	for _, crash := range []int{contract.NoCrash, 1} {
		if crash == contract.NoCrash {
			ops = append(ops, opOf(killPoint{op: opLatest, call: 1}, crash))
		} else {
			ops = append(ops, opOf(killPoint{op: opLatest, call: 2}, crash))
		}
		for call := 1; call <= saves; call++ {
			ops = append(ops,
				opOf(killPoint{opSave, call, false}, crash),
				opOf(killPoint{opSave, call, true}, crash))
		}
	}
	return ops
}
