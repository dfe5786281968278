package windows

import (
	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/schedule"
)

// Names of the checks.
const (
	tumbling      = "tumbling"
	sliding       = "sliding"
	firing        = "firing"
	lateFiring    = "late-firing"
	lateRecords   = "late-records"
	sessions      = "sessions"
	order         = "order"
	isolation     = "isolation"
	noSleep       = "no-sleep"
	deterministic = "deterministic"
)

var checks = []grading.Check{
	{
		Name:    tumbling,
		Rule:    "A time belongs to exactly one tumbling window: the one from offset+k*size that contains it, for negative times and any offset too.",
		Why:     "A record in the wrong window is counted in the wrong hour, and no later step can tell.",
		Section: "Which windows a time is in",
		Hint:    1,
	},
	{
		Name:    sliding,
		Rule:    "A time belongs to all sliding windows that contain it, each once, and to none in a gap.",
		Why:     "A window that is missed or added makes every average over it wrong.",
		Section: "Which windows a time is in",
		Hint:    2,
	},
	{
		Name:    firing,
		Rule:    "A window fires once, when the watermark reaches End-1, with the sum and the count of all its records of that key, and of no others.",
		Why:     "Earlier, its records are not all there; later or twice, those who act on it act late or twice.",
		Section: "When a window fires",
		Hint:    2,
	},
	{
		Name:    lateFiring,
		Rule:    "A record for a window that has ended but is not gone fires it again at once, with the new totals.",
		Why:     "That is what lateness is for: a result that is out is put right, instead of staying wrong for ever.",
		Section: "What comes late",
		Hint:    2,
		After:   firing,
	},
	{
		Name:    lateRecords,
		Rule:    "Once the watermark reaches End-1+lateness a window is gone; a record all of whose windows are gone counts nowhere, and Late tells of it.",
		Why:     "State that is never given up grows without end, and a record that is dropped in silence is never missed.",
		Section: "What comes late",
		Hint:    3,
		After:   firing,
	},
	{
		Name:    sessions,
		Rule:    "Records of a key that are at most the gap apart are in one session, which grows and merges, and fires and is given up as the merged window says.",
		Why:     "A visit that is cut in two, or two that are made one, is a customer counted wrongly.",
		Section: "Sessions",
		Hint:    2,
	},
	{
		Name:    order,
		Rule:    "The results of one call are in the order of End, then Start, then Key.",
		Why:     "Results in map order differ from run to run, so no two runs can be compared.",
		Section: "In which order",
		Hint:    3,
		After:   firing,
	},
	{
		Name:    isolation,
		Rule:    "Operators and assigners share nothing, returned slices are the caller's, and a second run gives the same as the first.",
		Why:     "A task manager runs many operators in one process; state that leaks between them corrupts both.",
		Section: "The API",
		Hint:    3,
		After:   firing,
	},
	{
		Name:    noSleep,
		Rule:    "The code neither sleeps nor reads the clock.",
		Why:     "Event time is what the records and watermarks say; a clock makes a replay give other windows than the first run.",
		Section: "What your code may use",
		After:   firing,
	},
	{
		Name:    deterministic,
		Rule:    "The outcome is the same under every random seed: it depends neither on map order nor on chance or scheduling.",
		Why:     "An operator that is right by luck fails on the day that it matters, and can't be debugged.",
		Section: "What your code may use",
		After:   firing,
	},
}

// checkOf is the check that a case is there for.
func checkOf(c schedule.Case) string { return planned(c).check() }
