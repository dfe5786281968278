package operators

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/flk-byo/de/harness/schedule"
)

// longScripts is how many long scripts are run.
const longScripts = 20

// longest is how many operations a long script has, nearly.
const longest = 100

// maxWork bounds the calls of functions in one run of a long script.
const maxWork = 60

// A longScript grows by chance. What the planner refuses is left out.
type longScript struct {
	*rand.Rand
	planner
	ops []schedule.Op
}

// long makes a script from a seed: many runs of one operator; chains of many;
// one operator in many places of a chain; or whatever comes.
func long(seed uint64) []schedule.Op {
	l := &longScript{Rand: rand.New(rand.NewPCG(seed, 1))}
	switch seed % 4 {
	case 0:
		l.pipeline(1 + l.IntN(4))
		l.use(longest)
	case 1:
		for len(l.ops) < longest {
			l.pipeline(5 + l.IntN(30))
			l.use(4)
		}
	case 2:
		for len(l.ops) < longest {
			l.repeated(3 + l.IntN(4))
			l.use(3)
		}
	default:
		l.pipeline(1)
		for len(l.ops) < longest {
			l.any()
		}
		l.use(1)
	}
	return l.ops
}

// try adds an operation, unless it is refused.
func (l *longScript) try(format string, args ...any) bool {
	op := operation(fmt.Sprintf(format, args...))
	if l.refuse(op) != "" {
		return false
	}
	l.add(op)
	l.ops = append(l.ops, op)
	return true
}

// leaf makes an operator with a function.
func (l *longScript) leaf() {
	kinds := []struct {
		op        string
		functions []function
	}{
		{opMap, mapFunctions}, {opFilter, filterFunctions}, {opFlatMap, fewer(flatMapFunctions)}, {opOwn, ownOperators},
	}
	k := kinds[l.IntN(len(kinds))]
	l.try("%s %s", k.op, k.functions[l.IntN(len(k.functions))].word)
}

// fewer are the functions that don't make so many records that none can be run.
func fewer(functions []function) []function {
	return slices.DeleteFunc(slices.Clone(functions), func(f function) bool { return f.emits > 7 })
}

// passing makes an operator that lets something through, one record for one.
func (l *longScript) passing() {
	l.try("%s", []string{"map number", "map inc", "map rekey", "map previous", "filter all", "flat_map itself", "own tap"}[l.IntN(7)])
}

// pipeline makes a chain of so many operators, some of them in chains of their
// own, and few that drop or multiply.
func (l *longScript) pipeline(operators int) {
	before := len(l.row)
	for range operators {
		if l.IntN(6) == 0 {
			l.leaf()
		} else {
			l.passing()
		}
		if own := len(l.row) - before; l.IntN(6) == 0 {
			l.try("chain %d", l.IntN(own+1))
		}
	}
	l.try("chain %d", len(l.row)-before)
}

// repeated makes a chain in which one operator has so many places.
func (l *longScript) repeated(places int) {
	before := len(l.row)
	if l.IntN(2) == 0 {
		l.passing()
	} else {
		l.leaf()
	}
	for range places - 1 {
		l.try(opAgain)
	}
	l.leaf()
	l.try("chain %d", len(l.row)-before)
}

// use uses the last operator so many times.
func (l *longScript) use(times int) {
	for range times {
		records := min(maxRun, maxWork/l.work())
		if l.IntN(3) == 0 || !l.try("run %d", l.IntN(records+1)) {
			l.try("process %d", l.IntN(40)-10)
		}
	}
}

// work is how many calls the last operator makes of a record, at most.
func (l *longScript) work() int {
	calls, records := 1, 1
	for _, leaf := range l.row[len(l.row)-1].leaves() {
		calls += records
		records *= leaf.function.emits
	}
	return calls + records
}

// any does anything that is not refused.
func (l *longScript) any() {
	switch l.IntN(8) {
	case 0, 1:
		l.leaf()
	case 2:
		l.try(opAgain)
	case 3:
		l.try(opSwap)
	case 4:
		l.try("chain %d", l.IntN(min(5, len(l.row)+1)))
	default:
		l.use(1)
	}
}
