// Package operators is stage 01: what drives a solution through a case and
// judges what it did. The contract is in contract/, the model answer in
// reference/, what crosses the line to a guest in wire/.
//
// Start reading at [Suite]; a case goes through plan.go (what is made of its
// operations), attempt.go (carrying them out), trace.go (what functions of ours
// saw of it), oracle.go and model.go (what is right), compare.go (what is not)
// and diagnose.go (which rule that breaks).
package operators

import (
	"fmt"

	"github.com/flk-byo/de/grading"
)

// Suite is the stage as the harness sees it.
var Suite = grading.Suite{
	ID:            spec.Stage,
	Slug:          "operators",
	Title:         "Operators",
	Spec:          spec,
	Checks:        checks,
	Explore:       sequences,
	Bound:         fmt.Sprintf("every chain of up to %d of %d operators, each nesting, on sources of up to %d records", chainLength, len(building), sourceLength),
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
