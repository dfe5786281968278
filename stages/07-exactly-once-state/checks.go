package exactlyoncestate

import (
	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/schedule"
)

// Names of the checks.
const (
	consistentCut = "consistent-cut"
	barriers      = "barriers"
	exactlyOnce   = "exactly-once"
	recovery      = "recovery"
	realCrash     = "real-crash"
	resume        = "resume"
	checkpointIDs = "checkpoint-ids"
	isolation     = "isolation"
	noSleep       = "no-sleep"
	deterministic = "deterministic"
)

var checks = []grading.Check{
	{
		Name:    consistentCut,
		Rule:    "The State of a checkpoint is the sums of exactly the records before its Offset.",
		Why:     "State and offset are restored together: what the state lacks is never read again, and what it has too much of is counted twice.",
		Section: "The checkpoint",
		Hint:    2,
		After:   exactlyOnce,
	},
	{
		Name:    barriers,
		Rule:    "One checkpoint is saved at every barrier that a run comes to, in order, and none between barriers.",
		Why:     "A checkpoint that is missing means a longer replay after the next crash; one that goes back makes the next crash undo more than it must.",
		Section: "The job",
		Hint:    2,
		After:   exactlyOnce,
	},
	{
		Name:    exactlyOnce,
		Rule:    "The result equals the batch sums, for every crash point and every barrier distance.",
		Why:     "A record lost is money missing from a balance, one counted twice is money made up.",
		Section: "The invariant",
		Hint:    2,
	},
	{
		Name:    recovery,
		Rule:    "After the crash the run asks the store for the latest checkpoint, and goes on from just what it returns.",
		Why:     "What a process keeps in its memory is gone when it really crashes; a recovery that leans on it works only in tests.",
		Section: "The crash",
		Hint:    1,
		After:   exactlyOnce,
	},
	{
		Name:    realCrash,
		Rule:    "A run that is killed in any call on the store, and begun again with the same store, goes on from the latest checkpoint and ends with the batch sums.",
		Why:     "This is what checkpoints are for: machines fail at any moment, also in the middle of a save.",
		Section: "The crash",
		Hint:    2,
		After:   exactlyOnce,
	},
	{
		Name:    resume,
		Rule:    "A run begins by asking for the latest checkpoint, and goes on from its State and Offset, whoever saved it and whatever State holds.",
		Why:     "Jobs are stopped and started again, with other settings and after years; the source may no longer have what was before the offset.",
		Section: "The start of a run",
		Hint:    2,
		After:   exactlyOnce,
	},
	{
		Name:    checkpointIDs,
		Rule:    "Every checkpoint's ID is positive and larger than that of the latest in the store, also after a crash and in a later run.",
		Why:     "Stores keep and drop checkpoints by ID; one that comes twice, or falls, makes the wrong one the latest.",
		Section: "The checkpoint",
		Hint:    3,
		After:   exactlyOnce,
	},
	{
		Name:    isolation,
		Rule:    "The input stays as it was, the returned map is the caller's, and a second run with another store is as right as the first.",
		Why:     "A task manager runs many jobs and restarts them in one process; state that leaks between them corrupts both.",
		Section: "The job",
		After:   exactlyOnce,
	},
	{
		Name:    noSleep,
		Rule:    "The code neither sleeps nor reads the clock.",
		Why:     "What waits for time instead of an event is right only when the machine is fast enough.",
		Section: "What your code may use",
		After:   exactlyOnce,
	},
	{
		Name:    deterministic,
		Rule:    "The outcome is the same under every random seed: it depends neither on map order nor on chance or scheduling.",
		Why:     "A job that is right by luck fails on the day that it matters, and can't be debugged.",
		Section: "What your code may use",
		After:   exactlyOnce,
	},
}

// checkOf is the check that a case is there for.
func checkOf(c schedule.Case) string {
	switch {
	case kills(c.Script):
		return realCrash
	case c.Script != nil || c.Param(savedOffset) != noneSaved:
		return resume
	}
	return exactlyOnce
}
