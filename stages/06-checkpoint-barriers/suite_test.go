package checkpointbarriers

import (
	"testing"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/harness/schedule"
	reference "github.com/flk-byo/de/stages/06-checkpoint-barriers/reference"
)

func expectPass(t *testing.T, s grading.Subject, c schedule.Case) {
	t.Helper()
	if o := s.Run(c); len(o.Findings) > 0 {
		t.Errorf("%s: %+v", c.ID, o.Findings[0])
	}
}

func TestReferencePassesSequences(t *testing.T) {
	s := Native(reference.Solution{})
	runs := map[int64]int{}
	for c := range sequences() {
		expectPass(t, s, c)
		runs[c.Script[0].Args[0]]++
	}
	t.Logf("sequences by channels: %v", runs)
}

func BenchmarkSequences(b *testing.B) {
	s := Native(reference.Solution{})
	for b.Loop() {
		for c := range sequences() {
			s.Run(c)
		}
	}
}

func BenchmarkSequencesAlone(b *testing.B) {
	for b.Loop() {
		for range sequences() {
		}
	}
}

func BenchmarkOracle(b *testing.B) {
	for b.Loop() {
		for c := range sequences() {
			answersTo(planOf(c))
		}
	}
}
