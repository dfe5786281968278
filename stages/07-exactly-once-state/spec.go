package exactlyoncestate

import (
	"fmt"

	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/07-exactly-once-state/contract"
)

// Parameters of a case, as schedules name them.
const (
	barrierEvery = "barrier_every"
	crashAfter   = "crash_after"
	savedOffset  = "saved_offset"
)

// noneSaved as savedOffset says that the store is empty at first.
const noneSaved = -1

// Operations of a script, which is a history of runs with one store.
const (
	opRecords    = "records"
	opEvery      = "every"
	opSaved      = "saved"
	opRun        = "run"
	opKillSave   = "kill_save"
	opKillSaved  = "kill_saved"
	opKillLatest = "kill_latest"
)

const (
	maxID     = 1 << 40
	maxScript = 100 // records of a script
	maxCall   = 100 // of the calls at which a run is killed
	maxCrash  = 10_000
)

var crashArg = schedule.ArgSpec{Name: "crash", Min: 0, Max: maxCrash, Words: map[string]int64{"none": contract.NoCrash}}

var callArg = schedule.ArgSpec{Name: "call", Min: 1, Max: maxCall}

var spec = schedule.Spec{
	Stage: "07",
	Params: []schedule.Param{
		{
			Name: barrierEvery, Short: "every", Doc: "records between two barriers",
			Min: 1, Max: 1000,
			Ranges: map[string]func(int) []int{"every": func(n int) []int { return upTo(1, n+1) }},
		},
		{
			Name: crashAfter, Short: "crash", Doc: "records that the run processes before the crash",
			Min: 0, Max: maxCrash,
			Values: map[string]int{"none": contract.NoCrash},
			Ranges: map[string]func(int) []int{"every": func(n int) []int { return upTo(contract.NoCrash, n+1) }},
		},
		{
			Name: savedOffset, Short: "saved", Doc: "offset of a checkpoint that is in the store beforehand, at most the count of records",
			Min: 0, Max: maxCrash, Default: []int{noneSaved},
			Values: map[string]int{"none": noneSaved},
			Ranges: map[string]func(int) []int{"every": func(n int) []int { return upTo(0, n) }},
		},
	},
	Ops: []schedule.OpSpec{
		{Name: opRecords, Args: []schedule.ArgSpec{{Name: "count", Min: 0, Max: maxScript}}, Doc: "the source has that many records from here on"},
		{Name: opEvery, Args: []schedule.ArgSpec{{Name: "distance", Min: 1, Max: 1000}}, Doc: "records between two barriers, from here on"},
		{Name: opSaved, Args: []schedule.ArgSpec{{Name: "id", Min: 1, Max: maxID}, {Name: "offset", Min: 0, Max: maxScript}}, Doc: "a checkpoint of an earlier job is in the store"},
		{Name: opRun, Args: []schedule.ArgSpec{crashArg}, Doc: "a run to its end, with a simulated crash after so many records, or none"},
		{Name: opKillSave, Args: []schedule.ArgSpec{callArg, crashArg}, Doc: "a run that is killed in that call of Save, before it takes effect"},
		{Name: opKillSaved, Args: []schedule.ArgSpec{callArg, crashArg}, Doc: "a run that is killed in that call of Save, after it took effect"},
		{Name: opKillLatest, Args: []schedule.ArgSpec{callArg, crashArg}, Doc: "a run that is killed in that call of Latest"},
	},
	CheckScript: checkScript,
	Limits:      schedule.Limits{Records: 300}, // there can be as many checkpoints, of as many keys
}

// checkScript refuses a history that the contract leaves open, or that proves
// nothing.
func checkScript(script []schedule.Op) (int, string) {
	records, every, runs, saved := int64(-1), int64(0), 0, false
	for i, op := range script {
		switch op.Name {
		case opRecords:
			if op.Args[0] < records {
				return i, fmt.Sprintf("a source does not lose records, and it had %d; write at least as many", records)
			}
			records = op.Args[0]
		case opEvery:
			every = op.Args[0]
		case opSaved:
			switch {
			case records < 0:
				return i, "say first how many records there are, as in \"records 4\""
			case runs > 0 || saved:
				return i, "only one checkpoint can be there beforehand, so saved stands once, before all runs"
			case op.Args[1] > records:
				return i, fmt.Sprintf("the offset lies beyond the %d records of the source", records)
			}
			saved = true
		default:
			if records < 0 || every == 0 {
				return i, "before a run, say how many records there are and how far apart the barriers, as in \"records 4\" and \"every 2\""
			}
			runs++
		}
	}
	if last := len(script) - 1; last >= 0 && script[last].Name != opRun {
		return last, "a history must end with a run to its end, as in \"run none\""
	}
	return 0, ""
}

// kills tells whether a history has a run that is killed.
func kills(script []schedule.Op) bool {
	for _, op := range script {
		switch op.Name {
		case opKillSave, opKillSaved, opKillLatest:
			return true
		}
	}
	return false
}

func upTo(low, high int) []int {
	var all []int
	for v := low; v <= high; v++ {
		all = append(all, v)
	}
	return all
}

// compare orders cases by size: first single runs, by count of records, whether
// a checkpoint is there, whether there is a crash, barrier distance, crash point
// and offset; then histories, by length and the sum of their numbers.
func compare(a, b schedule.Case) int {
	for i, v := range size(a) {
		if w := size(b)[i]; v != w {
			return v - w
		}
	}
	return 0
}

func size(c schedule.Case) [7]int {
	if c.Script != nil {
		sum := 0
		for _, op := range c.Script {
			for _, arg := range op.Args {
				sum += int(min(arg, maxCrash)) + 1 // none counts for less than 0
			}
		}
		return [7]int{1, len(c.Script), sum}
	}
	crash, saved := c.Param(crashAfter), c.Param(savedOffset)
	return [7]int{0, len(c.Records), oneIf(saved != noneSaved), oneIf(crash != contract.NoCrash), c.Param(barrierEvery), crash, saved}
}

func oneIf(b bool) int {
	if b {
		return 1
	}
	return 0
}
