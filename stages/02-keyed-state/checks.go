package keyedstate

import (
	"slices"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/schedule"
)

// Names of the checks.
const (
	stateModel    = "state-model"
	snapshot      = "snapshot"
	restore       = "restore"
	isolation     = "isolation"
	reduceState   = "reduce-state"
	reduceCalls   = "reduce-calls"
	reduceOutput  = "reduce-output"
	noSleep       = "no-sleep"
	deterministic = "deterministic"
)

var checks = []grading.Check{
	{
		Name:    stateModel,
		Rule:    "Get and Keys show what was put last and not deleted: the right value for each key, absent told from 0, all keys in order.",
		Why:     "Every operator decides by what its state says; one that forgets, or takes 0 for nothing, is wrong for the rest of the stream.",
		Section: "The state",
		Hint:    2,
	},
	{
		Name:    snapshot,
		Rule:    "A snapshot holds all of the state and stays as it was taken: nothing done to the state reaches it, and nothing done to it reaches the state.",
		Why:     "Flink writes a snapshot out while records go on; if it changes meanwhile, the checkpoint is of no moment that ever was (FLINK-17918).",
		Section: "Snapshot and restore",
		Hint:    2,
		After:   stateModel,
	},
	{
		Name:    restore,
		Rule:    "After a restore the state holds exactly what the map does, and the map stays the caller's, unchanged and unwatched.",
		Why:     "A job that comes back with a key too many, or spoils the checkpoint by going on, is wrong after the next crash at the latest.",
		Section: "Snapshot and restore",
		Hint:    2,
		After:   stateModel,
	},
	{
		Name:    isolation,
		Rule:    "States share nothing, a slice that Keys returned is the caller's, and a second run is as right as the first.",
		Why:     "A task manager runs many subtasks in one process; state that leaks between them mixes up what was partitioned.",
		Section: "The state",
		Hint:    3,
		After:   stateModel,
	},
	{
		Name:    reduceState,
		Rule:    "The acc of each key is kept in the state that Reduce was given, and there alone: under the record's key, up to date after each record, no other key touched.",
		Why:     "Only what is in the state gets into checkpoints; what an operator remembers by itself is lost in a crash, and survives a restore when it should not.",
		Section: "Reduce",
		Hint:    2,
		After:   reduceOutput,
	},
	{
		Name:    reduceCalls,
		Rule:    "f is called once for each record but the first of its key, with acc and then the value.",
		Why:     "f is the user's: it may be neither commutative nor free of side effects, and has no answer for a record that has no predecessor.",
		Section: "Reduce",
		Hint:    3,
		After:   reduceOutput,
	},
	{
		Name:    reduceOutput,
		Rule:    "For each record exactly one is emitted: its key, the fold of its key so far, and its own time.",
		Why:     "What comes downstream is all that anyone sees of an aggregation.",
		Section: "Reduce",
		Hint:    3,
	},
	{
		Name:    noSleep,
		Rule:    "The code neither sleeps nor reads the clock.",
		Why:     "What waits for time instead of an event is right only when the machine is fast enough.",
		Section: "What your code may use",
		After:   stateModel,
	},
	{
		Name:    deterministic,
		Rule:    "The outcome is the same under every random seed: it depends neither on map order nor on chance or scheduling.",
		Why:     "A replay after a crash must do the same again; an answer that is right by luck can't be relied on, nor debugged.",
		Section: "What your code may use",
		After:   stateModel,
	},
}

// checkOf is the check that a case is there for.
func checkOf(c schedule.Case) string {
	if c.Script == nil {
		return reduceOutput
	}
	return checkOfScript(c.Script)
}

// checkOfScript is the check that a script has come to be about by its last
// operation: states that share something, an operator, a map.
func checkOfScript(script []schedule.Op) string {
	switch last := script[len(script)-1].Name; {
	case last == opProcess:
		return reduceOutput
	case last == opState:
		return isolation
	case has(script, opRestore, opRestoreEmpty, opRestoreNil):
		return restore
	case has(script, opSnapshot):
		return snapshot
	case has(script, opState):
		return isolation
	default:
		return stateModel
	}
}

func has(script []schedule.Op, names ...string) bool {
	return slices.ContainsFunc(script, func(op schedule.Op) bool { return slices.Contains(names, op.Name) })
}
