package schedule_test

import (
	"fmt"

	"github.com/flk-byo/de/harness/schedule"
)

// sinkSpec is like the one of stage 08.
var sinkSpec = schedule.Spec{
	Stage: "08",
	Params: []schedule.Param{
		{
			Name: "barrier_every", Short: "every", Doc: "records between two barriers", Min: 1, Max: 1000,
			Ranges: map[string]func(int) []int{"every": func(n int) []int { return fromTo(1, n+1) }},
		},
		{
			Name: "crash_after", Short: "crash", Doc: "records before the crash", Min: 0, Max: 10000,
			Values: map[string]int{"none": -1},
			Ranges: map[string]func(int) []int{"every": func(n int) []int { return fromTo(-1, n+1) }},
		},
		{
			Name: "commit_lag", Short: "lag", Doc: "barriers between a pre-commit and its notification", Min: 0, Max: 1000,
		},
	},
	Ops: []schedule.OpSpec{
		{Name: "write", Args: []schedule.ArgSpec{{Name: "value", Min: -1 << 63, Max: 1<<63 - 1}}, Doc: "write a record"},
		{Name: "pre_commit", Args: idArg, Doc: "prepare the open transaction"},
		{Name: "commit", Args: idArg, Doc: "make a prepared transaction visible"},
		{Name: "abort", Args: idArg, Doc: "drop a prepared transaction"},
		{Name: "abort_open", Doc: "drop the open transaction"},
		{Name: "sink", Args: []schedule.ArgSpec{{Name: "number", Min: 1, Max: 20}}, Doc: "go on with another sink"},
		{Name: "change", Doc: "overwrite the committed records as returned"},
	},
	CheckScript: preCommitsOnce,
}

var idArg = []schedule.ArgSpec{{Name: "id", Min: 1, Max: 1 << 62}}

func fromTo(first, last int) []int {
	var ns []int
	for n := first; n <= last; n++ {
		ns = append(ns, n)
	}
	return ns
}

func preCommitsOnce(script []schedule.Op) (int, string) {
	type transaction struct{ sink, id int64 }
	seen := map[transaction]bool{}
	sink := int64(1)
	for i, op := range script {
		switch op.Name {
		case "sink":
			sink = op.Args[0]
		case "pre_commit":
			t := transaction{sink, op.Args[0]}
			if seen[t] {
				return i, fmt.Sprintf("pre_commit %d comes twice on sink %d, which the contract rules out; use another id", t.id, t.sink)
			}
			seen[t] = true
		}
	}
	return 0, ""
}
