package partitionedexchange

import (
	"math/rand/v2"

	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/05-partitioned-exchange/contract"
)

// longScripts is how many long scripts are run.
const longScripts = 10

// longest is how many operations a long script has.
const longest = 200

// long makes a script from a seed: calls that come back to the same keys with
// other numbers of groups, and to the same groups with other numbers of subtasks,
// so that what was answered before is of no use.
func long(seed uint64) []schedule.Op {
	chance := rand.New(rand.NewPCG(seed, 5))
	groups := []int64{1 + chance.Int64N(300), 128, contract.MaxParallelism, 1 + chance.Int64N(contract.MaxParallelism)}
	keys := 5 + chance.Int64N(200)
	var ops []schedule.Op
	for len(ops) < longest {
		of := groups[chance.IntN(len(groups))]
		par := 1 + chance.Int64N(1+chance.Int64N(of))
		switch chance.IntN(4) {
		case 0, 1:
			ops = append(ops, spec.Op(opGroup, chance.Int64N(keys)-int64(len(namedKeys)), of))
		case 2:
			ops = append(ops, spec.Op(opSubtask, chance.Int64N(of), of, par))
		default:
			ops = append(ops, spec.Op(opGroups, chance.Int64N(par), of, par))
		}
	}
	return ops
}
