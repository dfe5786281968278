// Package windows is stage 04: what drives a solution through a case and judges
// what it returned. The contract is in contract/, the model answer in
// reference/, what crosses the line to a guest in wire/.
//
// Start reading at [Suite]. Every case becomes a plan, a list of steps with what
// each must return (plan.go), which oracle.go and sessions.go work out from the
// whole history at once; then subject.go takes a solution through the plan as
// often as it needs, and pass.go does so once.
package windows

import (
	"fmt"

	"github.com/flk-byo/de/grading"
)

// Suite is the stage as the harness sees it.
var Suite = grading.Suite{
	ID:            spec.Stage,
	Slug:          "windows",
	Title:         "Windows",
	Spec:          spec,
	Checks:        checks,
	Explore:       sequences,
	Bound:         fmt.Sprintf("every order of 1 to %d records and rising watermarks of small alphabets, for tumbling and sliding windows; of 1 to %d, for sessions", fixedLength, sessionLength),
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
