package checkpointbarriers

import (
	"slices"
	"testing"

	"github.com/flk-byo/de/harness/schedule"
	reference "github.com/flk-byo/de/stages/06-checkpoint-barriers/reference"
	"github.com/flk-byo/de/stages/stream"
)

// In each line's script a situation comes up, or does not.
func TestAlignerSituations(t *testing.T) {
	tests := []struct {
		name, script string
		comesUp      bool
	}{
		{"one-channel", "channels-1,barrier-0-1", true},
		{"one-channel", "channels-2,barrier-0-1,barrier-1-1", false},
		{"record-held-back", "channels-2,barrier-0-1,record-0", true},
		{"record-held-back", "channels-2,barrier-0-1,record-1", false},
		{"record-beside-an-alignment", "channels-2,barrier-0-1,record-1", true},
		{"record-beside-an-alignment", "channels-2,barrier-0-1,barrier-1-1,record-1", false},
		{"barrier-held-back", "channels-2,barrier-0-1,barrier-0-2", true},
		{"barrier-held-back", "channels-2,barrier-0-1,barrier-1-2", false},
		{"two-barriers-held-back-on-one-channel", "channels-3,barrier-0-1,barrier-0-2,barrier-0-3", true},
		{"two-barriers-held-back-on-one-channel", "channels-3,barrier-0-1,barrier-1-1,barrier-0-2,barrier-1-2", false},
		{"two-channels-released", "channels-3,barrier-0-1,barrier-1-1,record-0,record-1,barrier-2-1", true},
		{"two-channels-released", "channels-3,barrier-0-1,barrier-1-1,record-0,record-0,barrier-2-1", false},
		{"release-holds-back-again", "channels-2,barrier-0-1,barrier-0-2,barrier-1-1", true},
		{"release-holds-back-again", "channels-2,barrier-0-1,record-0,barrier-1-1", false},
		{"two-barriers-at-one-arrival", "channels-2,barrier-0-1,barrier-0-2,finish-1", true},
		{"two-barriers-at-one-arrival", "channels-2,barrier-0-1,barrier-0-2,barrier-1-1,finish-1", false},
		{"newer-barrier-cancels", "channels-2,barrier-0-1,barrier-1-2", true},
		{"newer-barrier-cancels", "channels-2,barrier-0-1,barrier-0-2", false},
		{"barrier-held-back-cancels", "channels-3,barrier-0-1,barrier-0-2,barrier-1-1,barrier-1-3,barrier-2-1", true},
		{"barrier-held-back-cancels", "channels-2,barrier-0-1,barrier-0-2,barrier-1-2", false},
		{"late-barrier-repeats-the-newest", "channels-1,barrier-0-2,barrier-0-2", true},
		{"late-barrier-repeats-the-newest", "channels-1,barrier-0-2,barrier-0-1", false},
		{"late-barrier-is-older", "channels-1,barrier-0-2,barrier-0-1", true},
		{"late-barrier-is-older", "channels-2,barrier-0-2,barrier-1-1", false},
		{"late-barrier-while-aligning", "channels-2,barrier-0-2,barrier-1-1", true},
		{"late-barrier-while-aligning", "channels-2,barrier-0-2,barrier-0-1", false},
		{"late-barrier-was-held-back", "channels-3,barrier-0-1,barrier-0-3,barrier-1-1,barrier-1-2,barrier-2-1", true},
		{"late-barrier-was-held-back", "channels-3,barrier-0-1,barrier-0-2,barrier-1-1,barrier-1-3,barrier-2-1", false},
		{"late-barrier-was-given-up", "channels-3,barrier-0-1,barrier-1-2,barrier-2-1", true},
		{"late-barrier-was-given-up", "channels-3,barrier-0-2,barrier-1-3,barrier-2-1", false},
		{"finish-with-nothing-aligned", "channels-2,finish-0", true},
		{"finish-with-nothing-aligned", "channels-2,barrier-0-1,finish-1", false},
		{"finish-completes-an-alignment", "channels-2,barrier-0-1,finish-1", true},
		{"finish-completes-an-alignment", "channels-2,barrier-0-1,finish-0", false},
		{"finish-while-others-are-missing", "channels-3,barrier-0-1,finish-1", true},
		{"finish-while-others-are-missing", "channels-2,barrier-0-1,finish-1", false},
		{"finish-behind-a-barrier-held-back", "channels-2,barrier-0-1,barrier-0-2,finish-0", true},
		{"finish-behind-a-barrier-held-back", "channels-2,barrier-0-1,record-0,finish-0", false},
		{"barrier-after-a-finish", "channels-2,finish-0,barrier-1-1", true},
		{"barrier-after-a-finish", "channels-2,barrier-1-1,finish-0", false},
		{"two-aligners", "channels-2,barrier-0-1,aligner-2,record-0", true},
		{"two-aligners", "channels-2,barrier-0-1,barrier-1-1,aligner-2,record-0", false},
	}
	s := Native(reference.Solution{})
	for _, test := range tests {
		c, err := schedule.ParseSequence("06/sequence/"+test.script, spec)
		if err != nil {
			t.Fatal(err)
		}
		if seen := s.Run(c).Situations(); slices.Contains(seen, test.name) != test.comesUp {
			t.Errorf("%s in %s: %t, want %t", test.name, test.script, !test.comesUp, test.comesUp)
		}
	}
}

func TestInjectionSituations(t *testing.T) {
	a := stream.Record{Key: "a"}
	tests := []struct {
		name    string
		records []stream.Record
		every   int
		comesUp bool
	}{
		{"barrier-at-the-end", []stream.Record{a, a}, 2, true},
		{"barrier-at-the-end", nil, 2, false},
		{"rest-behind-the-last-barrier", []stream.Record{a, a, a}, 2, true},
		{"rest-behind-the-last-barrier", []stream.Record{a}, 2, false},
		{"no-barrier", []stream.Record{a}, 2, true},
		{"no-barrier", []stream.Record{a, a}, 2, false},
		{"zero-record-in-a-source", []stream.Record{a, {}}, 1, true},
		{"zero-record-in-a-source", []stream.Record{a}, 1, false},
	}
	s := Native(reference.Solution{})
	for _, test := range tests {
		c := schedule.Case{Records: test.records, Params: []schedule.Setting{{Name: barrierEvery, Value: test.every}, {Name: channels}}}
		if seen := s.Run(c).Situations(); slices.Contains(seen, test.name) != test.comesUp {
			t.Errorf("%s in %v, every %d: %t, want %t", test.name, test.records, test.every, !test.comesUp, test.comesUp)
		}
	}
}
