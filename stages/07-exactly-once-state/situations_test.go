package exactlyoncestate

import (
	"slices"
	"testing"

	"github.com/flk-byo/de/harness/schedule"
	reference "github.com/flk-byo/de/stages/07-exactly-once-state/reference"
)

// To each line's case a situation comes, or does not, when the reference runs it.
func TestSituations(t *testing.T) {
	single := func(n, every, crash, saved int) schedule.Case { return job(scriptRecords(n), every, crash, saved) }
	history := func(script string) schedule.Case { return schedule.Case{ID: script, Script: parse(t, script)} }
	tests := []struct {
		name    string
		c       schedule.Case
		comesUp bool
	}{
		{"barrier-at-the-end", single(4, 2, none, noneSaved), true},
		{"barrier-at-the-end", single(5, 2, none, noneSaved), false},
		{"no-barrier", single(1, 2, none, noneSaved), true},
		{"no-barrier", single(2, 2, none, noneSaved), false},
		{"sum-that-wraps-around", single(4, 2, none, noneSaved), false},
		{"crash-before-the-first-checkpoint", single(4, 2, 1, noneSaved), true},
		{"crash-before-the-first-checkpoint", single(4, 2, 2, noneSaved), false},
		{"crash-on-a-barrier", single(4, 2, 2, noneSaved), true},
		{"crash-on-a-barrier", single(4, 2, 2, 1), false}, // it comes at offset 3
		{"crash-right-after-a-barrier", single(4, 2, 3, noneSaved), true},
		{"crash-right-after-a-barrier", single(4, 2, 1, noneSaved), false},
		{"crash-at-the-end", single(4, 2, 3, 1), true},
		{"crash-at-the-end", single(4, 2, 3, noneSaved), false},
		{"checkpoint-in-the-replay", single(4, 2, 1, noneSaved), true},
		{"checkpoint-in-the-replay", single(3, 2, 2, noneSaved), false},
		{"key-before-and-after-the-restored-offset", single(4, 3, 3, noneSaved), true},
		{"key-before-and-after-the-restored-offset", single(3, 1, 2, noneSaved), false},
		{"new-key-lost-in-the-crash", single(4, 2, 3, noneSaved), true},
		{"new-key-lost-in-the-crash", single(6, 3, 5, noneSaved), false},
		{"found-between-barriers", single(4, 2, none, 3), true},
		{"found-between-barriers", single(4, 2, none, 2), false},
		{"found-at-the-end", single(4, 2, none, 4), true},
		{"found-at-the-end", single(4, 2, none, 0), false},
		{"found-with-another-state", history("records 4; every 2; saved 1 2; run none"), true},
		{"found-with-another-state", history("records 4; every 2; kill_saved 1 none; run none"), false},
		{"killed-before-a-save-is-durable", history("records 4; every 2; kill_save 1 none; run none"), true},
		{"killed-before-a-save-is-durable", history("records 4; every 2; kill_saved 1 none; run none"), false},
		{"killed-after-a-save-is-durable", history("records 4; every 2; kill_saved 1 none; run none"), true},
		{"killed-after-a-save-is-durable", history("records 4; every 2; kill_save 1 none; run none"), false},
		{"killed-in-the-question-after-a-crash", history("records 4; every 2; kill_latest 2 1; run none"), true},
		{"killed-in-the-question-after-a-crash", history("records 4; every 2; kill_latest 1 1; run none"), false},
		{"killed-in-the-replay", history("records 4; every 2; kill_save 2 3; run none"), true},
		{"killed-in-the-replay", history("records 4; every 2; kill_save 1 3; run none"), false},
		{"killed-twice", history("records 4; every 2; kill_save 1 none; kill_save 1 none; run none"), true},
		{"killed-twice", history("records 4; every 2; kill_save 1 none; run none; run none"), false},
		{"killed-with-nothing-saved", history("records 4; every 2; kill_save 1 none; run none"), true},
		{"killed-with-nothing-saved", history("records 4; every 2; kill_save 2 none; run none"), false},
		{"begun-again-with-more-records", history("records 4; every 2; run none; records 5; run none"), true},
		{"begun-again-with-more-records", history("records 4; every 2; run none; run none"), false},
	}
	s := Native(reference.Solution{})
	for _, test := range tests {
		if seen := s.Run(test.c).Situations(); slices.Contains(seen, test.name) != test.comesUp {
			t.Errorf("%s in %s: %t, want %t", test.name, test.c.ID, !test.comesUp, test.comesUp)
		}
	}
}
