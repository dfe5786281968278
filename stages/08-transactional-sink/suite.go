// Package transactionalsink is stage 08: what drives a solution through a case
// and judges what it did. The contract is in contract/, the model answer in
// reference/, what crosses the line to a guest in wire/.
//
// Start reading at [Suite]; a run of the job goes through subject.go (run),
// trace.go (what the sinks saw), account.go (what it amounts to), and
// judge_run.go and judge_recovery.go (the rules). Scripts are in script.go.
package transactionalsink

import "github.com/flk-byo/de/grading"

// Suite is the stage as the harness sees it.
var Suite = grading.Suite{
	ID:            spec.Stage,
	Slug:          "transactional-sink",
	Title:         "Transactional sink",
	Spec:          spec,
	Checks:        checks,
	Gate:          eosOutput,
	Explore:       jobs,
	Bound:         jobsBound,
	Sweep:         sweep,
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
