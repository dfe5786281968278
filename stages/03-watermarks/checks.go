package watermarks

import "github.com/flk-byo/de/grading"

// Names of the checks.
const (
	delay         = "delay"
	progress      = "progress"
	underflow     = "underflow"
	minimum       = "minimum"
	firstReport   = "first-report"
	neverBack     = "never-back"
	idle          = "idle"
	allIdle       = "all-idle"
	resume        = "resume"
	finish        = "finish"
	end           = "end"
	isolation     = "isolation"
	noSleep       = "no-sleep"
	deterministic = "deterministic"
)

var checks = []grading.Check{
	{
		Name:    delay,
		Rule:    "The watermark that a generator tells is the largest time seen - maxDelay - 1.",
		Why:     "One too high, and a record that is just late enough to be allowed counts as late; one too low, and every window closes later than it could.",
		Section: "The generator",
		Hint:    1,
	},
	{
		Name:    progress,
		Rule:    "A generator tells a watermark when it has advanced, and only then; the first record always tells one.",
		Why:     "A watermark that is kept back delays results, and one that goes backwards takes back a promise that windows were closed on.",
		Section: "The generator",
		Hint:    2,
		After:   delay,
	},
	{
		Name:    underflow,
		Rule:    "Where the largest time - maxDelay - 1 would be less than math.MinInt64, the generator's watermark is math.MinInt64.",
		Why:     "A difference that wraps round is a watermark at the end of time: it closes every window there will ever be.",
		Section: "The generator",
		Hint:    3,
		After:   delay,
	},
	{
		Name:    minimum,
		Rule:    "A merger tells the minimum over its channels, as soon as that has advanced.",
		Why:     "A promise about all channels holds only as far as the slowest of them has come; with more, records of the slow ones are late and lost.",
		Section: "The merger",
		Hint:    2,
	},
	{
		Name:    firstReport,
		Rule:    "A merger tells nothing as long as an active channel has not reported.",
		Why:     "Of a channel that has said nothing, nothing is known: its first record may be older than all that the others have sent.",
		Section: "The merger",
		Hint:    2,
		After:   minimum,
	},
	{
		Name:    neverBack,
		Rule:    "Neither the merged watermark nor that of a channel goes backwards, and nothing is told twice.",
		Why:     "Windows were closed on what was told; it can't be taken back.",
		Section: "The merger",
		Hint:    2,
		After:   minimum,
	},
	{
		Name:    idle,
		Rule:    "An idle channel does not hold the others back, from the moment on that it becomes idle.",
		Why:     "One quiet partition would stop the clock of the whole job.",
		Section: "Idle channels",
		Hint:    2,
		After:   minimum,
	},
	{
		Name:    allIdle,
		Rule:    "A merger tells nothing while all its channels are idle.",
		Why:     "The minimum over nothing is the end of time: told once, it makes every later record late.",
		Section: "Idle channels",
		Hint:    1,
		After:   minimum,
	},
	{
		Name:    resume,
		Rule:    "An idle channel is active again from its next Update on: it counts, wherever it has come to, and the merged watermark waits for it.",
		Why:     "Its records are coming again; those that are told to be late without need are lost.",
		Section: "Idle channels",
		Hint:    3,
		After:   minimum,
	},
	{
		Name:    finish,
		Rule:    "A finished channel neither holds the others back nor carries them along, be they idle or active, and what is called for it later has no effect.",
		Why:     "A stream that has ended says nothing about those that go on.",
		Section: "Finished channels",
		Hint:    3,
		After:   minimum,
	},
	{
		Name:    end,
		Rule:    "When every channel is finished, the merger tells stream.MaxWatermark, once.",
		Why:     "It is what closes the last windows; without it the end of the input never comes out.",
		Section: "Finished channels",
		Hint:    3,
		After:   minimum,
	},
	{
		Name:    isolation,
		Rule:    "Generators and mergers share nothing, neither with each other nor with those of an earlier run.",
		Why:     "A task manager runs many of them in one process; one that advances another's watermark makes its records late.",
		Section: "The API",
		After:   minimum,
	},
	{
		Name:    noSleep,
		Rule:    "The code neither sleeps nor reads the clock.",
		Why:     "Event time is what the records say; with the clock in it, a replay tells other watermarks than the first run.",
		Section: "What your code may use",
		After:   minimum,
	},
	{
		Name:    deterministic,
		Rule:    "The outcome is the same under every random seed: it depends neither on map order nor on chance or scheduling.",
		Why:     "A watermark that depends on luck makes other records late in every run.",
		Section: "What your code may use",
		After:   minimum,
	},
}
