// Package keyedstate is stage 02: what drives a solution through a case and
// judges what it did. The contract is in contract/, the model answer in
// reference/, what crosses the line to a guest in wire/.
//
// Start reading at [Suite]. A stream goes through reduction.go, with fold.go
// (an operator and what it did) and trace.go (the state that it was given); what
// it must come to is in oracle.go. Scripts are in script.go, operations.go and
// look.go, and model.go says what a state must be.
package keyedstate

import (
	"fmt"

	"github.com/flk-byo/de/grading"
)

// Suite is the stage as the harness sees it.
var Suite = grading.Suite{
	ID:            spec.Stage,
	Slug:          "keyed-state",
	Title:         "Keyed state",
	Spec:          spec,
	Checks:        checks,
	Explore:       sequences,
	Bound:         fmt.Sprintf("every sequence of 1 to %d operations on a state and its snapshots", sequenceLength),
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
