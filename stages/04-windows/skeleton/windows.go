// Package windows is your stage 04: windows over event time, and operators that
// sum and count in them.
//
// The brief is STAGE.md, beside this file. Replace the panics one at a time:
// the assigners first, then the operator over their windows, the sessions last.
// After each, in the workspace's folder:
//
//	go test ./04-windows   # a few plain tests, yours to extend
//	de test                # the judge: many orders of records and watermarks
package windows

import (
	"github.com/flk-byo/de/stages/04-windows/contract"
	"github.com/flk-byo/de/stages/stream"
)

// Solution is how the judge finds your work. It stays an empty struct: what
// must be remembered belongs to an assigner or an operator.
type Solution struct{}

var _ contract.Stage = Solution{}

// Tumbling returns an assigner of windows that follow one another.
//
// Is a tumbling window a special case of something?
func (Solution) Tumbling(size, offset int64) contract.Assigner {
	return assigner{}
}

// Sliding returns an assigner of windows that overlap.
func (Solution) Sliding(size, slide, offset int64) contract.Assigner {
	return assigner{}
}

type assigner struct {
	// What does Assign need to know of its windows?
}

// Assign returns the windows that contain t.
//
// Which is the last window that begins at t or before? What is -1 % 10 in Go,
// and what should it be here?
func (a assigner) Assign(t int64) []contract.Window {
	panic(stream.NotImplemented("Assigner.Assign"))
}

// NewWindowOperator returns an operator over the windows of a.
func (Solution) NewWindowOperator(a contract.Assigner, lateness int64) contract.Operator {
	return &operator{}
}

// NewSessionOperator returns an operator over sessions.
//
// How much of it is the operator that you have already? Only the window that a
// record goes to is found in another way.
func (Solution) NewSessionOperator(gap, lateness int64) contract.Operator {
	return &operator{}
}

// An operator holds, for each window of each key that has records and is not
// gone, its totals.
type operator struct {
	// By what are the totals found again? What else must be remembered from one
	// call to the next?
}

// Process takes r into each of its windows that is not gone.
//
// Ask of each window: has the watermark reached its end? And the end of its
// lateness? There are three answers, and each has a consequence of its own.
func (o *operator) Process(r stream.Record) []contract.Result {
	panic(stream.NotImplemented("Operator.Process"))
}

// Advance moves the watermark on, and returns what fires by that.
//
// Which windows have fired before, and must not again? And what if a single
// watermark passes the end of a window and that of its lateness?
func (o *operator) Advance(w stream.Watermark) []contract.Result {
	panic(stream.NotImplemented("Operator.Advance"))
}

// Late returns all late records so far.
//
// The caller may overwrite the slice. Does your operator notice?
func (o *operator) Late() []stream.Record {
	panic(stream.NotImplemented("Operator.Late"))
}
