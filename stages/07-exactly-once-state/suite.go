// Package exactlyoncestate is stage 07: what drives a solution through a case
// and judges what it did. The contract is in contract/, the model answer in
// reference/, what crosses the line to a guest in wire/.
//
// Start reading at [Suite]; a case goes through subject.go (which runs),
// store.go (what the store saw), run.go (what that amounts to), and
// judge.go and judge_recovery.go (the rules). A second opinion on each run is in
// right.go. Histories of several runs, some of them killed, are in script.go.
package exactlyoncestate

import (
	"github.com/flk-byo/de/grading"
)

// Suite is the stage as the harness sees it.
var Suite = grading.Suite{
	ID:            spec.Stage,
	Slug:          "exactly-once-state",
	Title:         "Exactly-once state",
	Spec:          spec,
	Checks:        checks,
	Explore:       histories,
	Bound:         bound,
	Long:          long,
	LongScripts:   longScripts,
	Situations:    situations,
	Repro:         repro,
	Compare:       compare,
	CheckOf:       checkOf,
	Bind:          bind,
	Watch:         grading.ClockFunctions,
	Deterministic: deterministic,
	Isolation:     isolation,
}
