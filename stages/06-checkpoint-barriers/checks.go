package checkpointbarriers

import (
	"slices"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/schedule"
)

// Names of the checks.
const (
	injection       = "injection"
	consistentCut   = "consistent-cut"
	noStall         = "no-stall"
	release         = "release"
	newerBarrier    = "newer-barrier"
	lateBarrier     = "late-barrier"
	finishedChannel = "finished-channel"
	isolation       = "isolation"
	noSleep         = "no-sleep"
	deterministic   = "deterministic"
)

var checks = []grading.Check{
	{
		Name:    injection,
		Rule:    "InjectBarriers returns all records in order, with barrier k right after record k*every, and no other barrier.",
		Why:     "A barrier is where a source offset is remembered; where it stands is what a restart goes back to.",
		Section: "The barriers",
	},
	{
		Name:    consistentCut,
		Rule:    "Barrier n goes downstream once every channel has delivered it, not before, and nothing from behind it on any channel goes before it.",
		Why:     "State that is saved at a barrier which some channels are past holds records that the replay brings again.",
		Section: "The rules",
		Hint:    2,
	},
	{
		Name:    noStall,
		Rule:    "A record of a channel that is not held back goes downstream at once, and so does a barrier that the last channel delivers.",
		Why:     "Whoever holds back more than the alignment needs adds to the latency of all channels, and may wait for ever.",
		Section: "The rules",
		Hint:    2,
		After:   consistentCut,
	},
	{
		Name:    release,
		Rule:    "Barrier n goes downstream once, and behind it, in the same call and by arrival, all that it held back: each element once.",
		Why:     "What an alignment loses, no replay brings again; what it doubles or swaps is wrong for good.",
		Section: "The rules",
		Hint:    2,
		After:   consistentCut,
	},
	{
		Name:    newerBarrier,
		Rule:    "A barrier newer than the one being aligned cancels it: the old one never goes downstream, what it held back does, and the newer one is aligned.",
		Why:     "Barriers get lost when a checkpoint fails; an aligner that waits for one that is gone stalls the job.",
		Section: "Newer barriers and late ones",
		Hint:    3,
		After:   consistentCut,
	},
	{
		Name:    lateBarrier,
		Rule:    "A barrier older than the newest that was begun, or equal to it once it is complete, is dropped and holds nothing back.",
		Why:     "An old checkpoint that is begun once more holds its channel back for barriers that have long gone by.",
		Section: "Newer barriers and late ones",
		Hint:    3,
		After:   consistentCut,
	},
	{
		Name:    finishedChannel,
		Rule:    "A channel that has ended counts as having delivered every barrier; its end has its turn behind all that the channel still holds back.",
		Why:     "Inputs of different lengths are the normal case; waiting for a barrier from one that has ended would stop all checkpoints.",
		Section: "The end of a channel",
		Hint:    3,
		After:   consistentCut,
	},
	{
		Name:    isolation,
		Rule:    "Aligners share nothing, a returned slice is the caller's, the input stays as it was, and a second run is as right as the first.",
		Why:     "A task manager runs many operators in one process, and downstream keeps what it is given.",
		Section: "The API",
		Hint:    3,
		After:   consistentCut,
	},
	{
		Name:    noSleep,
		Rule:    "The code neither sleeps nor reads the clock.",
		Why:     "An alignment ends by what arrives, not by time; what waits for time is right only when the machine is fast enough.",
		Section: "What your code may use",
		After:   consistentCut,
	},
	{
		Name:    deterministic,
		Rule:    "The outcome is the same under every random seed: it depends neither on map order nor on chance or scheduling.",
		Why:     "An operator that is right by luck fails on the day that it matters, and can't be debugged.",
		Section: "What your code may use",
		After:   consistentCut,
	},
}

// checkOf is the check that a case is there for.
func checkOf(c schedule.Case) string {
	if c.Script == nil && c.Param(channels) == 0 {
		return injection
	}
	p := planOf(c)
	if slices.ContainsFunc(p.arrivals, func(a arrival) bool { return a.aligner > 1 }) {
		return isolation
	}
	return blame(p.channels, p.arrivals, consistentCut)
}

// blame is the check of what is out of the ordinary in a history; of several
// things the last in the order of the checks, since each of the others has cases
// of its own. It is ordinary where there is none.
func blame(channels int, history []arrival, ordinary string) string {
	a := oracle(channels, history)
	switch {
	case slices.ContainsFunc(history, func(a arrival) bool { return a.end }):
		return finishedChannel
	case len(a.late) > 0:
		return lateBarrier
	case len(a.givenUp)+len(a.skips) > 0:
		return newerBarrier
	default:
		return ordinary
	}
}
