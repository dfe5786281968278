package operators

import (
	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/schedule"
)

// Names of the checks.
const (
	operatorsCheck = "operators"
	chainCheck     = "chain"
	runCheck       = "run"
	callsCheck     = "calls"
	oneAtATime     = "one-at-a-time"
	isolation      = "isolation"
	noSleep        = "no-sleep"
	deterministic  = "deterministic"
)

var checks = []grading.Check{
	{
		Name:    callsCheck,
		Rule:    "Each function is called exactly once for each record that reaches its operator, with that record, in the order in which they come.",
		Why:     "A function may count, or write to a log: called once more or once less, it gives other results from then on.",
		Section: "The functions",
		Hint:    3,
		After:   operatorsCheck,
	},
	{
		Name:    operatorsCheck,
		Rule:    "Map, Filter and FlatMap each emit exactly what their function says, in order, before Process returns.",
		Why:     "All that follows in a stream is built of these three: a record lost here is lost in every job.",
		Section: "The operators",
		Hint:    2,
	},
	{
		Name:    chainCheck,
		Rule:    "A chain emits what its operators make of a record one after the other, in their order; Chain() emits it as it is.",
		Why:     "People take a pipeline apart into chains as it suits them, and count on it that the result is the same.",
		Section: "Chains",
		Hint:    2,
		After:   operatorsCheck,
	},
	{
		Name:    runCheck,
		Rule:    "Run returns all that the operator emits for the records of the source, in order, and nothing else.",
		Why:     "The output is all that others see of a stream.",
		Section: "The run",
		Hint:    1,
		After:   operatorsCheck,
	},
	{
		Name:    oneAtATime,
		Rule:    "A record that is emitted goes down the chain to its end before the next is emitted, and so before the next record enters.",
		Why:     "A source never ends, so a chain that waits for all of it would never answer; and what waits in a buffer is lost in a crash.",
		Section: "One record at a time",
		Hint:    2,
		After:   chainCheck,
	},
	{
		Name:    isolation,
		Rule:    "Runs and operators share nothing, a returned slice is the caller's, and the source stays as it was.",
		Why:     "A task manager runs many jobs in one process; state that leaks from one into the other corrupts both.",
		Section: "The run",
		Hint:    3,
		After:   runCheck,
	},
	{
		Name:    noSleep,
		Rule:    "The code neither sleeps nor reads the clock.",
		Why:     "What waits for time instead of a record is right only when the machine is fast enough.",
		Section: "What your code may use",
		After:   operatorsCheck,
	},
	{
		Name:    deterministic,
		Rule:    "The outcome is the same under every random seed: it depends neither on map order nor on chance or scheduling.",
		Why:     "A pipeline that is right by luck fails on the day that it matters, and can't be debugged.",
		Section: "What your code may use",
		After:   operatorsCheck,
	},
}

// checkOf is the check that a case is there for.
func checkOf(c schedule.Case) string {
	all := steps(c)
	last := all[len(all)-1]
	return last.check()
}

// check is the check that is broken where a step dies, or goes wrong by itself.
func (s step) check() string {
	switch s.node.op.Name {
	case opChain:
		return chainCheck
	case opOwn:
		return runCheck
	default:
		return operatorsCheck
	}
}
