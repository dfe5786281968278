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
	Kill  []int // the first process is killed at moment Kill[0], the next at Kill[1] …
	Power bool  // a kill takes the power of the disk with it
	Stop  int   // the first process is stopped there, and goes on after the second; 0: it is not
	Hold  int   // the second is stopped there while the first goes on; 0: it ends before
}

// String is the scenario's ID: "clean", "kill=12", "kill=12,3", "power=12",
// "stop=5", "stop=5,9".
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
	if s.Power {
		return "power=" + strings.Join(at, ",")
	}
	return "kill=" + strings.Join(at, ",")
}

// Parse is the reverse of String.
func Parse(id string) (Scenario, error) {
	name, list, _ := strings.Cut(id, "=")
	var at []int
	for word := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(word)
		if list != "" && (err != nil || n < 1) {
			return Scenario{}, fmt.Errorf("%q is no scenario: %q is no number of a moment", id, word)
		}
		at = append(at, n)
	}
	switch {
	case id == "clean":
		return Scenario{}, nil
	case name == "kill" && list != "":
		return Scenario{Kill: at}, nil
	case name == "power" && list != "":
		return Scenario{Kill: at, Power: true}, nil
	case name == "stop" && list != "" && len(at) == 1:
		return Scenario{Stop: at[0]}, nil
	case name == "stop" && len(at) == 2:
		return Scenario{Stop: at[0], Hold: at[1]}, nil
	}
	return Scenario{}, fmt.Errorf("%q is no scenario, as clean, kill=12, kill=12,3, power=12, stop=5 or stop=5,9 are", id)
}

// An Outcome is what came of a scenario.
type Outcome struct {
	Scenario Scenario
	Places   []string // where processes were killed or stopped: "after PreCommit 1-1"
	Findings []Finding

	Moments  int // of the first process, up to where it ended or was killed
	Recovery int // of them in the second process, before it began to read

	Kills, Cuts, Starts           int // Cuts are those of the kills that took the power
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
	TwoOwners  = "two-owners" // a process saved a checkpoint after a newer one had claimed the job, or an epoch was claimed twice
	Collision  = "collision"  // a transaction's ID was used twice
	Stuck      = "stuck"      // the job does not end, however often it is started
	Loss       = "loss"       // a record is not in the output, or was and is not after a power cut
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
