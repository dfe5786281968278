// Package watermarks is stage 03: what drives a solution through a case and
// judges what it did. The contract is in contract/, the model answer in
// reference/, what crosses the line to a guest in wire/.
//
// Start reading at [Suite]. A case becomes a plan of calls (plan.go), which is
// carried out step by step (subject.go) and compared with what the oracle tells
// (oracle.go, and once more right.go); a difference is named after the rule it
// breaks (judge.go).
package watermarks

import "github.com/flk-byo/de/grading"

// Suite is the stage as the harness sees it.
var Suite = grading.Suite{
	ID:            spec.Stage,
	Slug:          "watermarks",
	Title:         "Watermarks",
	Spec:          spec,
	Checks:        checks,
	Explore:       sequences,
	Bound:         boundText,
	Long:          long,
	LongScripts:   longScripts,
	Situations:    situations,
	Compare:       compare,
	CheckOf:       checkOf,
	Bind:          bind,
	Watch:         grading.ClockFunctions,
	Deterministic: deterministic,
	Isolation:     isolation,
	Repro:         repro,
}
