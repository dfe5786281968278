package transactionalsink

import (
	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/schedule"
)

// Names of the checks.
const (
	sinkModel     = "sink-model"
	eosOutput     = "eos-output"
	visibility    = "visibility"
	notification  = "notification"
	barriers      = "barriers"
	recovery      = "recovery"
	noDangling    = "no-dangling"
	isolation     = "isolation"
	noSleep       = "no-sleep"
	deterministic = "deterministic"
)

var checks = []grading.Check{
	{
		Name:    sinkModel,
		Rule:    "After every operation your sink shows what the contract says: all that was committed, once, in the order of the commits, and nothing else.",
		Why:     "A job can only be as exact as its sink: what a commit loses or repeats, no recovery can mend.",
		Section: "The API",
		Hint:    2,
	},
	{
		Name:    eosOutput,
		Rule:    "The sorted committed output equals the batch answer: every record exactly once, for every crash point and every lag.",
		Why:     "A lost record is a payment never made, a duplicate is one made twice.",
		Section: "The invariant",
		Hint:    2,
	},
	{
		Name:    visibility,
		Rule:    "The result is exactly what the sinks made visible, and what was once visible stays so.",
		Why:     "Readers act on what they see at once; output that is taken back, or never went through the sink, is not exactly once for them.",
		Section: "The invariant",
		Hint:    3,
		After:   eosOutput,
	},
	{
		Name:    notification,
		Rule:    "Checkpoint k is committed when its notification arrives: at barrier k+lag, neither earlier nor as late as the next barrier.",
		Why:     "Before the notification the checkpoint may still fail, and then its output would be replayed on top of itself; after it, readers wait for nothing.",
		Section: "The job",
		Hint:    2,
		After:   eosOutput,
	},
	{
		Name:    barriers,
		Rule:    "At every barrier the open transaction is pre-committed, under an ID of its own, and between barriers nothing is.",
		Why:     "The barrier is where output and source offset belong together; cut elsewhere, a replay from the offset repeats or skips what lies between.",
		Section: "The job",
		Hint:    3,
		After:   eosOutput,
	},
	{
		Name:    recovery,
		Rule:    "Exactly the records before the crash are written before it; afterwards what is not committed is aborted and exactly the rest of the source, from the last committed offset, is replayed.",
		Why:     "Replaying from anywhere else loses or repeats records, if not in this run then for another crash point.",
		Section: "The job",
		Hint:    1,
		After:   eosOutput,
	},
	{
		Name:    noDangling,
		Rule:    "At return no sink, not even the crashed one, holds an open or a prepared transaction.",
		Why:     "In a real store they would linger: they hold locks, block readers, and may be committed by mistake much later.",
		Section: "The job",
		Hint:    2,
		After:   eosOutput,
	},
	{
		Name:    isolation,
		Rule:    "Sinks share nothing, a returned slice is the caller's, the input stays as it was, and a second run is as right as the first.",
		Why:     "A task manager runs many sinks and restarts jobs in one process; state that leaks between them corrupts both.",
		Section: "The API",
		Hint:    3,
		After:   sinkModel,
	},
	{
		Name:    noSleep,
		Rule:    "The code neither sleeps nor reads the clock.",
		Why:     "What waits for time instead of an event is right only when the machine is fast enough.",
		Section: "What your code may use",
		After:   eosOutput,
	},
	{
		Name:    deterministic,
		Rule:    "The outcome is the same under every random seed: it depends neither on map order nor on chance or scheduling.",
		Why:     "A job that is right by luck fails on the day that it matters, and can't be debugged.",
		Section: "What your code may use",
		After:   eosOutput,
	},
}

// checkOf is the check that a case is there for.
func checkOf(c schedule.Case) string {
	for _, op := range c.Script {
		if op.Name == opSink || op.Name == opChange {
			return isolation
		}
	}
	if c.Script != nil {
		return sinkModel
	}
	return eosOutput
}
