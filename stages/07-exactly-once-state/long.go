package exactlyoncestate

import (
	"math/rand/v2"

	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/07-exactly-once-state/contract"
)

// longScripts is how many long scripts are run. They are few, since each run
// takes a process of its own.
const longScripts = 6

// longest is how many runs a long script has.
const longest = 12

// long makes a history from a seed: a source that grows from run to run, of which
// most are killed or crash, barriers that come at other distances, and one store
// for all.
func long(seed uint64) []schedule.Op {
	chance := rand.New(rand.NewPCG(seed, 7))
	var ops []schedule.Op
	add := func(name string, args ...int64) { ops = append(ops, spec.Op(name, args...)) }
	records := chance.Int64N(6)
	add(opRecords, records)
	add(opEvery, 1+chance.Int64N(4))
	if seed%2 == 0 {
		add(opSaved, 1+chance.Int64N(maxID), chance.Int64N(records+1))
	}
	for range longest - 1 {
		crash := chance.Int64N(8) + contract.NoCrash
		switch chance.IntN(6) {
		case 0:
			add(opKillLatest, 1+chance.Int64N(2), crash)
		case 1, 2:
			add(opKillSave, 1+chance.Int64N(6), crash)
		case 3, 4:
			add(opKillSaved, 1+chance.Int64N(6), crash)
		default:
			add(opRun, crash)
		}
		if chance.IntN(2) == 0 {
			records += chance.Int64N(12)
			add(opRecords, records)
		}
		if chance.IntN(3) == 0 {
			add(opEvery, 1+chance.Int64N(6))
		}
	}
	add(opRun, contract.NoCrash)
	return ops
}
