package transactionalsink

import (
	"fmt"

	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/08-transactional-sink/contract"
)

// Parameters of a case, as schedules name them.
const (
	barrierEvery = "barrier_every"
	crashAfter   = "crash_after"
	commitLag    = "commit_lag"
)

// Operations of a script.
const (
	opWrite     = "write"
	opPreCommit = "pre_commit"
	opCommit    = "commit"
	opAbort     = "abort"
	opAbortOpen = "abort_open"
	opSink      = "sink"
	opChange    = "change"
)

const (
	maxID    = 1 << 62
	maxSinks = 20
)

var spec = schedule.Spec{
	Stage: "08",
	Params: []schedule.Param{
		{
			Name: barrierEvery, Short: "every", Doc: "records between two barriers",
			Min: 1, Max: 1000,
			Ranges: map[string]func(int) []int{"every": func(n int) []int { return upTo(1, n+1) }},
		},
		{
			Name: crashAfter, Short: "crash", Doc: "records before the crash",
			Min: 0, Max: 10_000,
			Values: map[string]int{"none": contract.NoCrash},
			Ranges: map[string]func(int) []int{"every": func(n int) []int { return upTo(contract.NoCrash, n+1) }},
		},
		{
			Name: commitLag, Short: "lag", Doc: "barriers between a pre-commit and its notification",
			Min: 0, Max: 1000, Default: []int{0},
		},
	},
	Ops: []schedule.OpSpec{
		{Name: opWrite, Args: []schedule.ArgSpec{{Name: "value", Min: -1 << 63, Max: 1<<63 - 1}}, Doc: "write a record of that value"},
		{Name: opPreCommit, Args: []schedule.ArgSpec{{Name: "id", Min: 1, Max: maxID}}, Doc: "prepare the open transaction"},
		{Name: opCommit, Args: []schedule.ArgSpec{{Name: "id", Min: 1, Max: maxID}}, Doc: "make a prepared transaction visible"},
		{Name: opAbort, Args: []schedule.ArgSpec{{Name: "id", Min: 1, Max: maxID}}, Doc: "drop a prepared transaction"},
		{Name: opAbortOpen, Doc: "drop the open transaction"},
		{Name: opSink, Args: []schedule.ArgSpec{{Name: "number", Min: 1, Max: maxSinks}}, Doc: "go on with another sink"},
		{Name: opChange, Doc: "ask for the committed output and overwrite the slice"},
	},
	CheckScript: checkScript,
}

// checkScript refuses a second pre-commit of an ID on one sink, which the
// contract leaves open.
func checkScript(script []schedule.Op) (int, string) {
	type use struct{ sink, id int64 }
	seen := map[use]bool{}
	sink := int64(1)
	for i, op := range script {
		switch op.Name {
		case opSink:
			sink = op.Args[0]
		case opPreCommit:
			u := use{sink, op.Args[0]}
			if seen[u] {
				return i, fmt.Sprintf("id %d is pre-committed twice on one sink, which the contract leaves open; use another id", u.id)
			}
			seen[u] = true
		}
	}
	return 0, ""
}

func upTo(low, high int) []int {
	var all []int
	for v := low; v <= high; v++ {
		all = append(all, v)
	}
	return all
}

// compare orders cases by size: scripts by length; runs by count of records,
// lag, whether there is a crash, barrier distance and crash point.
func compare(a, b schedule.Case) int {
	for i, v := range size(a) {
		if w := size(b)[i]; v != w {
			return v - w
		}
	}
	return 0
}

func size(c schedule.Case) [6]int {
	if c.Script != nil {
		return [6]int{0, len(c.Script)}
	}
	crash := c.Param(crashAfter)
	crashes := 0
	if crash != contract.NoCrash {
		crashes = 1
	}
	return [6]int{1, len(c.Records), c.Param(commitLag), crashes, c.Param(barrierEvery), crash}
}
