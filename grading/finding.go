package grading

import (
	"fmt"
	"strings"

	"github.com/flk-byo/de/harness/fault"
)

// Broken is the finding that a rule was broken at the given step, or -1. The
// problem is one sentence.
func Broken(check string, step int, problem string, args ...any) *Finding {
	return &Finding{Check: check, Kind: fault.RuleBroken, Step: step, Problem: fmt.Sprintf(problem, args...)}
}

// Died is the finding that a solution died in a case at the given step, or -1.
func Died(check string, f *fault.Fault, step int) Finding {
	return Finding{Check: check, Kind: f.Kind, Problem: strings.TrimRight(death(f), ".!") + ".", Step: step, Fault: f}
}

// deaths is how a sentence begins that goes on with the message of a fault.
var deaths = map[fault.Kind]string{
	fault.Panic:           "It panicked: ",
	fault.Deadlock:        "It is stuck for ever: ",
	fault.StackExhausted:  "It ran out of stack: ",
	fault.MemoryExhausted: "It ran out of memory: ",
	fault.ProtocolBroken:  "It broke the harness's protocol: ",
}

// death says in a sentence how a solution died.
func death(f *fault.Fault) string {
	if rest, ok := strings.CutPrefix(f.Message, "it "); ok {
		return "It " + rest
	}
	if f.Kind == fault.MemoryExhausted && f.Message == "out of memory" {
		return "It ran out of memory"
	}
	return deaths[f.Kind] + f.Message
}

// Plural returns "1 record" or "2 records", for problems.
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// ClockFunctions are what a solution that sleeps or reads the clock must call,
// for [Suite.Watch]. The last is what the others may be inlined to.
var ClockFunctions = []string{
	"time.Now", "time.Since", "time.Until", "time.Sleep",
	"time.NewTimer", "time.After", "time.AfterFunc", "time.NewTicker", "time.Tick",
	"time.(*Timer).Reset", "time.(*Ticker).Reset", "time.newTimer",
}

// Slept returns the finding that one of [ClockFunctions] was called, or nil.
func Slept(check string, watched func(function string) bool) *Finding {
	for _, function := range ClockFunctions {
		if !watched(function) {
			continue
		}
		if function == "time.newTimer" {
			function = "a timer of package time"
		}
		f := Broken(check, -1, "It called %s.", function)
		f.Kind = fault.Slept
		return f
	}
	return nil
}
