package partitionedexchange

import (
	"fmt"

	"github.com/flk-byo/de/harness/schedule"
	"github.com/flk-byo/de/stages/05-partitioned-exchange/contract"
)

// Parameters of a case, as schedules name them.
const (
	maxParallelism = "max_parallelism"
	parallelism    = "parallelism"
	rescaleTo      = "rescale_to"
)

// Values of parameters that stand for themselves.
const (
	exchangeOnly = -1 // of rescale_to: "none"
	asMany       = 0  // "max": as many subtasks as there are key groups
)

// Operations of a script.
const (
	opGroup   = "group"
	opSubtask = "subtask"
	opGroups  = "groups"
	opTable   = "table"
)

// maxTable bounds a table, which takes as many calls as it has rows.
const maxTable = 1024

var (
	maxArg     = schedule.ArgSpec{Name: "max", Min: 1, Max: contract.MaxParallelism}
	parArg     = schedule.ArgSpec{Name: "parallelism", Min: 1, Max: contract.MaxParallelism}
	tableArg   = schedule.ArgSpec{Name: "max", Min: 1, Max: maxTable}
	keyArg     = schedule.ArgSpec{Name: "key", Min: 0, Max: 999_999, Words: keyWords()}
	groupArg   = schedule.ArgSpec{Name: "group", Min: 0, Max: contract.MaxParallelism - 1}
	subtaskArg = schedule.ArgSpec{Name: "subtask", Min: 0, Max: contract.MaxParallelism - 1}
)

var spec = schedule.Spec{
	Stage: "05",
	Params: []schedule.Param{
		{
			Name: maxParallelism, Short: "max", Doc: "key groups",
			Min: 1, Max: contract.MaxParallelism,
		},
		{
			Name: parallelism, Short: "par", Doc: "subtasks; more than there are key groups count as that many",
			Min: 1, Max: contract.MaxParallelism, Values: map[string]int{"max": asMany},
		},
		{
			Name: rescaleTo, Short: "to", Doc: "subtasks that the state is rescaled to; none tries the exchange instead",
			Min: 1, Max: contract.MaxParallelism, Default: []int{exchangeOnly},
			Values: map[string]int{"max": asMany, "none": exchangeOnly},
		},
	},
	Ops: []schedule.OpSpec{
		{Name: opGroup, Args: []schedule.ArgSpec{keyArg, maxArg}, Doc: "ask for the group of a key, which is a word or the digits of a number"},
		{Name: opSubtask, Args: []schedule.ArgSpec{groupArg, maxArg, parArg}, Doc: "ask for the owner of a key group"},
		{Name: opGroups, Args: []schedule.ArgSpec{subtaskArg, maxArg, parArg}, Doc: "ask for the key groups of a subtask"},
		{Name: opTable, Args: []schedule.ArgSpec{tableArg, parArg}, Doc: "ask for the owner of every group, and for the groups of every subtask"},
	},
	// So a message has room for all records of a case, and for all of a result.
	Limits:      schedule.Limits{Bytes: 128 << 10, Records: 2000},
	CheckScript: checkScript,
}

// checkScript refuses calls beyond the contract's limits.
func checkScript(script []schedule.Op) (int, string) {
	for i, op := range script {
		a := op.Args
		switch op.Name {
		case opSubtask, opGroups:
			bound, noun := a[1], "groups"
			if op.Name == opGroups {
				bound, noun = a[2], "subtasks"
			}
			if a[2] > a[1] {
				return i, tooMany(a[2], a[1])
			}
			if a[0] >= bound {
				return i, fmt.Sprintf("with %d %s there is no number %d; they count from 0", bound, noun, a[0])
			}
		case opTable:
			if a[1] > a[0] {
				return i, tooMany(a[1], a[0])
			}
		}
	}
	return 0, ""
}

func tooMany(subtasks, groups int64) string {
	return fmt.Sprintf("%d subtasks are more than the %d key groups, and some would own nothing; ask for fewer", subtasks, groups)
}

// sizes returns the parameters of a case that has records.
func sizes(c schedule.Case) (groups, subtasks, rescaled int) {
	groups = c.Param(maxParallelism)
	number := func(v int) int {
		if v == asMany {
			return groups
		}
		return min(v, groups)
	}
	return groups, number(c.Param(parallelism)), number(c.Param(rescaleTo))
}

// compare orders cases by size: scripts by length and numbers; the others by
// count of records, of groups and of subtasks.
func compare(a, b schedule.Case) int {
	for i, v := range size(a) {
		if w := size(b)[i]; v != w {
			return v - w
		}
	}
	return 0
}

func size(c schedule.Case) [6]int {
	if c.Script == nil {
		groups, subtasks, rescaled := sizes(c)
		return [6]int{1, len(c.Records), groups, max(subtasks, rescaled), subtasks, rescaled}
	}
	size := [6]int{0, len(c.Script)}
	for _, op := range c.Script {
		switch a := op.Args; op.Name {
		case opGroup:
			size[2] += len(keyOf(a[0]))
			size[3] += int(a[1])
		case opTable:
			size[2] += int(a[0] + a[1])
			size[3] += int(a[1])
		default:
			size[2] += int(a[1])
			size[3] += int(a[2])
			size[4] += int(a[0])
		}
	}
	return size
}
