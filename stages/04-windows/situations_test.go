package windows

import (
	"slices"
	"testing"

	reference "github.com/flk-byo/de/stages/04-windows/reference"
)

// In each line's script a situation comes up, or does not.
func TestSituations(t *testing.T) {
	tests := []struct {
		name, script string
		comesUp      bool
	}{
		{"time-at-a-start", "tumbling 10 0, assign 10", true},
		{"time-at-a-start", "tumbling 10 0, assign 9", false},
		{"time-at-a-last", "tumbling 10 0, assign 9", true},
		{"time-at-a-last", "tumbling 1 0, assign 9", false},
		{"time-before-0", "tumbling 10 0, assign -1", true},
		{"time-before-0", "tumbling 10 0, assign -10", false},
		{"time-in-a-gap", "sliding 5 10 0, assign 5", true},
		{"time-in-a-gap", "sliding 5 10 0, assign 4", false},
		{"offset-beyond-the-size", "tumbling 10 11, assign 5", true},
		{"offset-beyond-the-size", "tumbling 10 10, assign 5", false},
		{"slide-that-does-not-divide-the-size", "sliding 10 4 0, assign 0", true},
		{"slide-that-does-not-divide-the-size", "sliding 10 5 0, assign 0", false},

		{"behind-the-watermark-and-in-time", "tumbling 10 0, operator 0, advance 8, record a 1 8", true},
		{"behind-the-watermark-and-in-time", "tumbling 10 0, operator 0, advance 9, record a 1 8", false},
		{"late-within-the-lateness", "tumbling 10 0, operator 5, record a 1 3, advance 13, record a 2 4", true},
		{"late-within-the-lateness", "tumbling 10 0, operator 5, record a 1 3, advance 14, record a 2 4", false},
		{"first-record-is-late", "tumbling 10 0, operator 5, advance 9, record a 1 3", true},
		{"first-record-is-late", "tumbling 10 0, operator 5, record a 1 3, advance 9, record a 1 3", false},
		{"late-by-the-last-watermark", "tumbling 10 0, operator 5, advance 13, record a 1 3", true},
		{"late-by-the-last-watermark", "tumbling 10 0, operator 5, advance 12, record a 1 3", false},
		{"late-by-one-watermark", "tumbling 10 0, operator 5, advance 14, record a 1 3", true},
		{"late-by-one-watermark", "tumbling 10 0, operator 5, advance 15, record a 1 3", false},
		{"late-beyond-the-lateness", "tumbling 10 0, operator 5, advance 15, record a 1 3", true},
		{"late-beyond-the-lateness", "tumbling 10 0, operator 0, advance 15, record a 1 3", false},
		{"some-windows-gone", "sliding 10 5 0, operator 0, advance 9, record a 1 8", true},
		{"some-windows-gone", "sliding 10 5 0, operator 0, advance 14, record a 1 8", false},
		{"gap-behind-the-watermark", "sliding 5 10 0, operator 0, advance 7, record a 1 7", true},
		{"gap-behind-the-watermark", "sliding 5 10 0, operator 0, advance 6, record a 1 7", false},
		{"late-records-out-of-order", "tumbling 10 0, operator 0, advance 50, record a 1 4, record a 1 3", true},
		{"late-records-out-of-order", "tumbling 10 0, operator 0, advance 50, record a 1 3, record a 1 4", false},
		{"lateness-beyond-the-range", "tumbling 10 0, operator max, advance 9, record a 1 3", true},
		{"lateness-beyond-the-range", "tumbling 10 0, operator max, advance -1, record a 1 -3", false},

		{"watermark-at-the-last-time", "tumbling 10 0, operator 0, record a 1 3, advance 9", true},
		{"watermark-at-the-last-time", "tumbling 10 0, operator 0, record a 1 3, advance 10", false},
		{"watermark-leaps-over-ends", "tumbling 10 0, operator 0, record a 1 3, record a 1 13, advance 19", true},
		{"watermark-leaps-over-ends", "tumbling 10 0, operator 0, record a 1 3, record b 1 3, advance 19", false},
		{"watermark-leaps-over-the-lateness", "tumbling 10 0, operator 5, record a 1 3, advance 14", true},
		{"watermark-leaps-over-the-lateness", "tumbling 10 0, operator 5, record a 1 3, advance 13", false},
		{"watermark-stays", "tumbling 10 0, operator 5, record a 1 3, advance 9, advance 9", true},
		{"watermark-stays", "tumbling 10 0, operator 0, record a 1 3, advance 9, advance 9", false},

		{"session-touches", "session 10 0, record a 1 0, record a 1 10", true},
		{"session-touches", "session 10 0, record a 1 0, record a 1 9, record b 1 10", false},
		{"session-just-misses", "session 10 0, record a 1 0, record a 1 11", true},
		{"session-just-misses", "session 10 0, record a 1 0, record a 1 10", false},
		{"sessions-merged-from-both-sides", "session 10 0, record a 1 0, record a 1 20, record a 1 10", true},
		{"sessions-merged-from-both-sides", "session 10 0, record a 1 0, record a 1 21, record a 1 10", false},
		{"record-within-a-session", "session 10 0, record a 1 0, record a 1 8, record a 1 3", true},
		{"record-within-a-session", "session 10 0, record a 1 0, record a 1 3, record a 1 8", false},
		{"fired-session-fires-again", "session 10 5, record a 1 0, advance 9, record a 1 0", true},
		{"fired-session-fires-again", "session 10 5, record a 1 0, advance 9, record a 1 5", false},
		{"fired-session-waits-again", "session 10 5, record a 1 0, advance 9, record a 1 5", true},
		{"fired-session-waits-again", "session 10 5, record a 1 0, advance 8, record a 1 5", false},
		{"late-record-saved-by-its-session", "session 10 0, record a 1 10, advance 15, record a 1 0", true},
		{"late-record-saved-by-its-session", "session 10 0, record b 1 10, advance 15, record a 1 0", false},
		{"late-for-its-session", "session 10 0, advance 9, record a 1 0", true},
		{"late-for-its-session", "session 10 5, advance 9, record a 1 0", false},
		{"session-that-is-gone", "session 10 0, record a 1 0, advance 9, record a 1 5", true},
		{"session-that-is-gone", "session 10 1, record a 1 0, advance 9, record a 1 5", false},
	}
	s := Native(reference.Solution{})
	for _, test := range tests {
		if seen := s.Run(script(t, test.script)).Situations(); slices.Contains(seen, test.name) != test.comesUp {
			t.Errorf("%s in %s: %t, want %t", test.name, test.script, !test.comesUp, test.comesUp)
		}
	}
}
