package operators

import (
	"fmt"
	"strings"

	"github.com/flk-byo/de/harness/schedule"
)

// The parameter of a case, as schedules name it.
const pipeline = "pipeline"

// Operations of a script. Those that make an operator put it last in a row;
// those that use one use the last.
const (
	opMap     = "map"
	opFilter  = "filter"
	opFlatMap = "flat_map"
	opOwn     = "own"
	opChain   = "chain"
	opAgain   = "again"
	opSwap    = "swap"
	opRun     = "run"
	opProcess = "process"
)

const (
	maxOperators = 100    // in a row
	maxLeaves    = 100    // in the last of them, chains taken apart
	maxRun       = 100    // records of a run in a script
	maxRecords   = 1_100  // of a case; times what the largest pipeline makes of each, still below maxCalls
	maxCalls     = 10_000 // of functions in a run
)

var ops = []schedule.OpSpec{
	{Name: opMap, Args: named("function", mapFunctions), Doc: "make a Map of that function"},
	{Name: opFilter, Args: named("function", filterFunctions), Doc: "make a Filter of that function"},
	{Name: opFlatMap, Args: named("function", flatMapFunctions), Doc: "make a FlatMap of that function"},
	{Name: opOwn, Args: named("operator", ownOperators), Doc: "take an operator of the caller's own type"},
	{Name: opChain, Args: []schedule.ArgSpec{{Name: "count", Min: 0, Max: maxOperators}}, Doc: "make a Chain of the last so many operators, instead of them"},
	{Name: opAgain, Doc: "use the last operator once more"},
	{Name: opSwap, Doc: "turn to the operator before the last; the two change places"},
	{Name: opRun, Args: []schedule.ArgSpec{{Name: "records", Min: 0, Max: maxRun}}, Doc: "run so many records through the last operator"},
	{Name: opProcess, Args: []schedule.ArgSpec{{Name: "value", Min: least, Max: most, Words: map[string]int64{"least": least, "most": most}}}, Doc: "let the last operator process a record of that value"},
}

var spec = schedule.Spec{
	Stage: "01",
	Params: []schedule.Param{{
		Name: pipeline, Short: pipeline, Doc: "the operators that the records run through",
		Min: 0, Max: -1, // words only
		Values: pipelineNumbers(),
		Ranges: map[string]func(int) []int{"every": func(int) []int { return everyPipeline() }},
	}},
	Ops:         ops,
	Limits:      schedule.Limits{Records: maxRecords},
	CheckScript: checkScript,
}

// named is an argument that names one of the functions.
func named(what string, functions []function) []schedule.ArgSpec {
	words := map[string]int64{}
	for i, f := range functions {
		words[f.word] = int64(i)
	}
	return []schedule.ArgSpec{{Name: what, Min: 0, Max: -1, Words: words}}
}

// operation returns the operation that text stands for, as in "map inc".
func operation(text string) schedule.Op {
	name, arg, _ := strings.Cut(strings.TrimSpace(text), " ")
	for _, o := range ops {
		if o.Name != name {
			continue
		}
		op := schedule.Op{Name: name}
		if len(o.Args) == 0 {
			return op
		}
		if n, ok := o.Args[0].Words[arg]; ok {
			op.Args, op.Words = []int64{n}, []string{arg}
			return op
		}
		var n int64
		if _, err := fmt.Sscan(arg, &n); err == nil {
			op.Args = []int64{n}
			return op
		}
	}
	panic(fmt.Sprintf("stage 01 has no operation %q", text))
}

// script returns the operations that text lists, as in "map inc, run 2".
func script(text string) []schedule.Op {
	var all []schedule.Op
	for part := range strings.SplitSeq(text, ",") {
		all = append(all, operation(part))
	}
	return all
}

// compare orders cases by size: the count of operators made, then that of
// records fed in, then that of operations.
func compare(a, b schedule.Case) int {
	for i, v := range size(a) {
		if w := size(b)[i]; v != w {
			return v - w
		}
	}
	return 0
}

func size(c schedule.Case) [3]int {
	var made, fed int
	steps := steps(c)
	for _, s := range steps {
		switch s.op.Name {
		case opRun, opProcess:
			fed += len(s.source)
		default:
			made++
		}
	}
	return [3]int{made, fed, len(steps)}
}
