package encore

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/flk-byo/de/stages/encore/protocol"
)

// A Scenario says at which moments of its run a process is killed or stopped.
// Moments are before and after each of the job's calls, and numbered from 1.
type Scenario struct {
	Kill []int // the first process is killed at moment Kill[0], the next at Kill[1] …
	Stop int   // the first process is stopped there, and goes on after the second; 0: it is not
	Hold int   // the second is stopped there while the first goes on; 0: it ends before
}

// String is the scenario's ID: "clean", "kill=12", "kill=12,3", "stop=5",
// "stop=5,9".
func (s Scenario) String() string {
	switch {
	case s.Stop > 0 && s.Hold > 0:
		return fmt.Sprintf("stop=%d,%d", s.Stop, s.Hold)
	case s.Stop > 0:
		return fmt.Sprintf("stop=%d", s.Stop)
	case len(s.Kill) == 0:
		return "clean"
	}
	var at []string
	for _, k := range s.Kill {
		at = append(at, strconv.Itoa(k))
	}
	return "kill=" + strings.Join(at, ",")
}

// An Outcome is what came of a scenario.
type Outcome struct {
	Scenario Scenario
	Places   []string // where processes were killed or stopped: "after PreCommit 1-1"
	Findings []Finding

	Moments  int // of the first process, if it was let run to its end
	Recovery int // of them in the second process, before it began to read

	Kills, Starts                 int
	Committed, Recovered, Aborted int // transactions; Recovered were committed by a later process
	Rows                          int // visible
}

// A Finding is what is wrong.
type Finding struct {
	Sign    string // one of the Signs
	Message string
}

// Signs of what is wrong, in the order in which they are told.
const (
	TwoOwners  = "two-owners" // a process saved a checkpoint after a newer one had claimed the job
	Collision  = "collision"  // a transaction's ID was used twice
	Stuck      = "stuck"      // the job does not end, however often it is started
	Loss       = "loss"       // a record is not in the output
	Duplicates = "duplicates" // a record is in the output more than once, or never was in the input
	Orphans    = "orphans"    // a transaction was left open or prepared
)

// place is a moment in words.
func place(m protocol.Moment) string {
	when := "before"
	if m.After {
		when = "after"
	}
	return strings.TrimSpace(when + " " + m.Call + " " + m.Detail)
}
