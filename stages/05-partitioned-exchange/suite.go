// Package partitionedexchange is stage 05: what drives a solution through a case
// and judges what it returned. The contract is in contract/, the model answer in
// reference/, what crosses the line to a guest in wire/.
//
// Start reading at [Suite]; a case goes through subject.go, and then, by its
// kind, script.go (KeyGroup, Subtask, Groups), exchange.go (Partition) or
// rescale.go (Rescale). What is right is in oracle.go.
package partitionedexchange

import (
	"fmt"

	"github.com/flk-byo/de/grading"
)

// Suite is the stage as the harness sees it.
var Suite = grading.Suite{
	ID:            spec.Stage,
	Slug:          "partitioned-exchange",
	Title:         "Partitioned exchange",
	Spec:          spec,
	Checks:        checks,
	Explore:       calls,
	Bound:         fmt.Sprintf("every group and every subtask with up to %d key groups, and %d odd keys", exploredGroups, len(namedKeys)),
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
