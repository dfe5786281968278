package partitionedexchange

import (
	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/schedule"
)

// Names of the checks.
const (
	keyGroup      = "key-group"
	subtaskCheck  = "subtask"
	groupRange    = "group-range"
	partition     = "partition"
	sourceOrder   = "source-order"
	rescale       = "rescale"
	isolation     = "isolation"
	noSleep       = "no-sleep"
	deterministic = "deterministic"
)

var checks = []grading.Check{
	{
		Name:    keyGroup,
		Rule:    "A key's group is the FNV-1a hash of its bytes, as an unsigned number of 32 bits, modulo the maximum parallelism.",
		Why:     "State that was saved under a key's group is never found again if the next version, or another machine, computes another group.",
		Section: "From a key to its group",
		Hint:    1,
	},
	{
		Name:    subtaskCheck,
		Rule:    "The owner of a group is group*parallelism/maxParallelism, rounded down.",
		Why:     "If two sides of the exchange disagree on the owner, a record goes to a subtask that does not hold its state.",
		Section: "From a group to its subtask",
		Hint:    1,
	},
	{
		Name:    groupRange,
		Rule:    "Groups returns exactly the groups for which Subtask gives that subtask, from lo up to, but without, hi.",
		Why:     "A restarted subtask loads the groups of its range: one too few loses state, one too many has two owners write to it.",
		Section: "From a subtask to its groups",
		Hint:    2,
	},
	{
		Name:    partition,
		Rule:    "Partition returns one slice a subtask, and each record is in the slice of the owner of its key's group, once.",
		Why:     "A record that reaches another subtask than those before it of the same key updates a state of its own, and both are wrong.",
		Section: "The exchange",
		Hint:    2,
	},
	{
		Name:    sourceOrder,
		Rule:    "Within each slice the records stand in the order in which they came.",
		Why:     "A withdrawal that overtakes the deposit before it finds the account empty.",
		Section: "The exchange",
		After:   partition,
	},
	{
		Name:    rescale,
		Rule:    "Rescale returns one map a new subtask, and each key, with its value, is in the map of the owner of its group, and in no other.",
		Why:     "State left with the old owner is lost to the records that now go to the new one; state that two subtasks hold is counted twice.",
		Section: "Rescaling",
		Hint:    2,
	},
	{
		Name:    isolation,
		Rule:    "The input stays as it was, what is returned is the caller's and shares no memory with anything, and a second call is as right as the first.",
		Why:     "Subtasks run side by side: what two of them share, one changes under the hands of the other.",
		Section: "Whose memory it is",
		Hint:    1,
		After:   partition,
	},
	{
		Name:    noSleep,
		Rule:    "The code neither sleeps nor reads the clock.",
		Why:     "Where a record goes must depend on its key alone, or a replay after a crash sends it elsewhere.",
		Section: "What your code may use",
		After:   partition,
	},
	{
		Name:    deterministic,
		Rule:    "The outcome is the same under every random seed: it depends neither on map order nor on chance or scheduling.",
		Why:     "A hash with a seed of its own for each process gives every key another owner after a restart.",
		Section: "What your code may use",
		After:   partition,
	},
}

// checkOf is the check that a case is there for.
func checkOf(c schedule.Case) string {
	switch {
	case c.Script != nil:
		return checkOfOp(c.Script[0])
	case c.Param(rescaleTo) == exchangeOnly:
		return partition
	default:
		return rescale
	}
}

func checkOfOp(op schedule.Op) string {
	switch op.Name {
	case opGroup:
		return keyGroup
	case opGroups:
		return groupRange
	default:
		return subtaskCheck
	}
}
