package plain

import (
	"slices"
	"testing"

	reference "github.com/flk-byo/de/stages/06-checkpoint-barriers/reference"
	"github.com/flk-byo/de/stages/stream"
)

// The reference does what is asked for, also where its slices are overwritten.
func TestReference(t *testing.T) {
	var owner reproOwner
	aligner := reference.Solution{}.NewAligner(2)
	owner.goes(t, aligner.Receive(0, owner.barrier(1)))
	owner.goes(t, aligner.Receive(0, reproRecord("a1", 1, 1)))
	owner.goes(t, aligner.Receive(1, owner.barrier(1)), reproBarrier(1), reproRecord("a1", 1, 1))
	owner.goes(t, aligner.Receive(1, reproRecord("b1", 1, 1)), reproRecord("b1", 1, 1))
	owner.intact(t)
}

// Elements that differ have different words.
func TestWords(t *testing.T) {
	all := reproWords([]stream.Element{reproRecord("", 0, 0), reproBarrier(0), reproRecord("a", 1, 2), reproRecord("a", 2, 1)})
	slices.Sort(all)
	if len(slices.Compact(all)) != 4 {
		t.Errorf("some words are alike: %v", all)
	}
}
