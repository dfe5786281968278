// Package checkpointbarriers is stage 06 as the harness sees it: it runs a
// solution's InjectBarriers and its aligners through the cases of schedules and
// of its own exploration, and judges what comes out after every arrival.
//
// Start reading at [Suite]; what is right is told in oracle.go, and once more in
// right.go.
package checkpointbarriers

import (
	"github.com/flk-byo/de/grading"
)

// Suite is stage 06 as the harness sees it.
var Suite = grading.Suite{
	ID:            spec.Stage,
	Slug:          "checkpoint-barriers",
	Title:         "Checkpoint barriers",
	Spec:          spec,
	Checks:        checks,
	Explore:       sequences,
	Bound:         boundText,
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
