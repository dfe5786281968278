// Package barriers is your stage 06: barriers put into a stream, and aligned
// where several channels meet.
//
// The brief is STAGE.md, beside this file. Replace the panics one at a time:
// InjectBarriers first, then the aligner. After each, in the workspace's folder:
//
//	go test ./06-checkpoint-barriers   # a few plain tests, yours to extend
//	de test                            # the judge: every order of arrival, up to a bound
package barriers

import (
	"github.com/flk-byo/de/stages/06-checkpoint-barriers/contract"
	"github.com/flk-byo/de/stages/stream"
)

// Solution is how the judge finds your work. It stays an empty struct: what
// must be remembered belongs to an aligner.
type Solution struct{}

var _ contract.Stage = Solution{}

// InjectBarriers returns the records in order, with barrier 1, 2, ... after
// every `every` of them.
//
// A barrier is a pointer. What would it point at if all of them came from one
// variable?
func (Solution) InjectBarriers(rs []stream.Record, every int) []stream.Element {
	panic(stream.NotImplemented("Solution.InjectBarriers"))
}

// NewAligner returns an aligner of channels 0 to channels-1. No two aligners
// may share anything.
func (Solution) NewAligner(channels int) contract.Aligner {
	return &aligner{}
}

// An aligner lets barrier n downstream once every channel has delivered it.
type aligner struct {
	// What must be known of each channel? What of the barrier being aligned?
	// And in which order must what is held back come out: each channel's own,
	// or that of all channels together?
}

// Receive takes the next element of channel ch and returns what goes downstream
// now. It may be nothing, and it may be much.
//
// Which of the barriers that can come here begins an alignment? Which completes
// one, which gives one up, and which means nothing any more? What becomes of a
// barrier that comes on a channel which is held back?
func (a *aligner) Receive(ch int, e stream.Element) []stream.Element {
	panic(stream.NotImplemented("Aligner.Receive"))
}

// Finish tells that channel ch ends, and returns what goes downstream now.
//
// Who still waits for a channel that has ended? And has it ended, as long as
// something of it is held back?
func (a *aligner) Finish(ch int) []stream.Element {
	panic(stream.NotImplemented("Aligner.Finish"))
}
