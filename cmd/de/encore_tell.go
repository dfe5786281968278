package main

import (
	"fmt"
	"strings"

	"github.com/flk-byo/de/stages/encore"
)

// tellEncore prints the story, and returns the failure that has its exit code.
func (e *env) tellEncore(q encoreRun, s encore.Story) error {
	if s.First == nil {
		fmt.Fprintf(e.stdout, "PASS  %s, on %s: exactly once\n\n", q.subject, q.store)
	} else {
		e.tellFirst(q, *s.First)
	}
	e.tellNumbers(q, s)
	if s.First == nil {
		return &failure{code: exitPass}
	}
	fmt.Fprintln(e.stdout, "\nRun just this one")
	fmt.Fprintf(e.stdout, "  de encore %s--scenario %s\n", q.again(), s.First.Scenario)
	return &failure{code: exitFail}
}

// tellFirst shows the first run in which something is wrong.
func (e *env) tellFirst(q encoreRun, o encore.Outcome) {
	fmt.Fprintf(e.stdout, "FAIL  %s, on %s: %s\n\n", q.subject, q.store, o.Findings[0].Sign)
	for _, f := range o.Findings {
		fmt.Fprint(e.stdout, "  "+wrap(f.Message, e.width-2, 4))
	}
	fmt.Fprintln(e.stdout)
	for i, place := range o.Places {
		did := "stopped"
		if i < o.Kills {
			did = "killed"
		}
		if i < o.Cuts {
			did = "cut off"
		}
		fmt.Fprintf(e.stdout, "  process %d  %-7s  %s\n", i+1, did, place)
	}
	if len(o.Places) == 0 && o.Kills == 0 {
		fmt.Fprintln(e.stdout, "  nothing was killed: this is a run without a fault")
	}
	why := map[string]string{
		encore.TwoOwners:  "An old process must not save over a newer one, so no epoch is claimed twice.",
		encore.Collision:  "The name of a transaction is its name for good, whichever process gave it.",
		encore.Stuck:      "A job that can't be started again has lost all that was still to come.",
		encore.Loss:       "What the checkpoint has read must be committed, or it is never written.",
		encore.Duplicates: "What is visible must be in the checkpoint, or it is written again.",
		encore.Orphans:    "What is left prepared holds locks and space, and may block readers for good.",
	}
	fmt.Fprintf(e.stdout, "\n  why   %s\n  read  \"Recovery\" in encore/STAGE.md; or de encore --hint 1\n\n", why[o.Findings[0].Sign])
}

// tellNumbers prints what happened, over all runs.
func (e *env) tellNumbers(q encoreRun, s encore.Story) {
	line := func(name, format string, args ...any) {
		fmt.Fprintf(e.stdout, "  %-13s %s\n", name, fmt.Sprintf(format, args...))
	}
	line("source", "%s, a barrier after every %d", counted(len(q.Records), "record"), q.BarrierEvery)
	line("runs", "%d, each on a store of its own", s.Runs)
	line("kills", "%d by SIGKILL, and %d processes stopped and let go on", s.Kills, s.Stops)
	if s.Cuts > 0 {
		line("power cuts", "%d, one with each of these kills", s.Cuts)
	}
	line("restarts", "%d", s.Restarts)
	line("transactions", "%d committed, %d of them on recovery; %d aborted", s.Committed, s.Recovered, s.Aborted)
	line("rows", "%d visible, and %d are right", s.Rows, s.Right)
	for _, sign := range encore.Signs() {
		if n := s.Signs[sign]; n > 0 {
			line(sign, "in %d of the runs", n)
		}
	}
}

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// again is the flags that are needed to run a scenario of q again.
func (q encoreRun) again() string {
	var flags strings.Builder
	if q.subject == "the reference" {
		flags.WriteString("--impl reference ")
	} else if q.subject != "your job" {
		flags.WriteString("--impl " + q.subject + " ")
	}
	if q.store != encore.Stores()[0] {
		fmt.Fprintf(&flags, "--store %s ", q.store)
	}
	if q.named {
		flags.WriteString("--dsn DSN ") // there may be a password in it
	}
	if len(q.Records) != defaultRecords {
		fmt.Fprintf(&flags, "--records %d ", len(q.Records))
	}
	if q.BarrierEvery != defaultBarrierEvery {
		fmt.Fprintf(&flags, "--barrier-every %d ", q.BarrierEvery)
	}
	return flags.String()
}
