package watermarks

import (
	"slices"
	"testing"

	"github.com/flk-byo/de/harness/schedule"
	reference "github.com/flk-byo/de/stages/03-watermarks/reference"
)

// In each line's script a situation comes up, or does not.
func TestSituations(t *testing.T) {
	tests := []struct {
		name, script string
		comesUp      bool
	}{
		{"late-record", "max_delay-2,observe-5,observe-4", true},
		{"late-record", "max_delay-2,observe-5,observe-5,observe-6", false},
		{"tied-record", "max_delay-2,observe-5,observe-5", true},
		{"tied-record", "max_delay-2,observe-5,observe-6,observe-5", false},
		{"advance-by-1", "max_delay-2,observe-5,observe-6", true},
		{"advance-by-1", "max_delay-2,observe-5,observe-7,observe-6", false},
		{"first-watermark-not-positive", "max_delay-2,observe-3", true},
		{"first-watermark-not-positive", "max_delay-2,observe-4,observe--9", false},
		{"watermark-below-the-range", "max_delay-0,observe-min", true},
		{"watermark-below-the-range", "max_delay-0,observe--9223372036854775807", false},
		{"watermark-still-below-the-range", "max_delay-1,observe-min,observe--9223372036854775807", true},
		{"watermark-still-below-the-range", "max_delay-0,observe-min,observe--9223372036854775807", false},
		{"two-generators", "max_delay-0,observe-9,max_delay-0,observe-5", true},
		{"two-generators", "max_delay-0,observe-5,max_delay-0,observe-9", false},

		{"held-back-by-a-silent-channel", "channels-2,update-0-5", true},
		{"held-back-by-a-silent-channel", "channels-2,idle-1,update-0-5", false},
		{"fastest-advances", "channels-2,update-0-5,update-1-3,update-0-6", true},
		{"fastest-advances", "channels-2,update-0-5,update-1-3,update-1-4", false},
		{"slowest-overtakes", "channels-2,update-0-5,update-1-3,update-1-6", true},
		{"slowest-overtakes", "channels-2,update-0-5,update-1-3,update-1-5", false},
		{"channel-goes-back", "channels-1,update-0-5,update-0-4", true},
		{"channel-goes-back", "channels-1,update-0-5,idle-0,update-0-4", false},
		{"idle-tells", "channels-2,update-0-5,update-1-3,idle-1", true},
		{"idle-tells", "channels-2,update-0-5,update-1-3,idle-0", false},
		{"idle-channel-is-the-slowest", "channels-2,update-0-5,update-1-3,idle-1,update-0-6", true},
		{"idle-channel-is-the-slowest", "channels-2,update-0-5,update-1-3,idle-0,update-1-4", false},
		{"all-idle", "channels-2,idle-0,idle-1", true},
		{"all-idle", "channels-2,idle-0,finish-1", false},
		{"all-idle-the-slowest-last", "channels-2,update-0-5,update-1-3,idle-0,idle-1", true},
		{"all-idle-the-slowest-last", "channels-2,update-0-5,update-1-3,idle-1,idle-0", false},
		{"only-idle-and-finished-left", "channels-2,idle-0,finish-1", true},
		{"only-idle-and-finished-left", "channels-2,idle-0,idle-1,finish-1", false},
		{"resumed-behind", "channels-2,update-0-2,update-1-5,idle-0,update-0-3", true},
		{"resumed-behind", "channels-2,update-0-2,update-1-5,idle-0,update-0-6", false},
		{"resumed-with-less", "channels-1,update-0-5,idle-0,update-0-4", true},
		{"resumed-with-less", "channels-1,update-0-5,idle-0,update-0-6,update-0-4", false},
		{"channel-goes-back-after-it-resumed", "channels-1,update-0-5,idle-0,update-0-6,update-0-4", true},
		{"channel-goes-back-after-it-resumed", "channels-1,update-0-5,idle-0,update-0-4", false},
		{"resumed-channel-is-waited-for", "channels-2,update-0-2,update-1-5,idle-0,update-0-3,update-1-9", true},
		{"resumed-channel-is-waited-for", "channels-2,update-0-2,update-1-5,idle-0,update-0-6,update-1-9", false},
		{"finish-tells", "channels-2,update-0-5,update-1-3,finish-1", true},
		{"finish-tells", "channels-2,update-0-5,update-1-3,finish-0", false},
		{"finish-of-an-idle-channel", "channels-2,idle-0,finish-0", true},
		{"finish-of-an-idle-channel", "channels-2,finish-0,idle-0,finish-0", false},
		{"finish-of-the-last", "channels-2,finish-0,finish-1", true},
		{"finish-of-the-last", "channels-2,finish-0,finish-0", false},
		{"finish-of-the-last-with-nothing-to-tell", "channels-1,update-0-max,finish-0", true},
		{"finish-of-the-last-with-nothing-to-tell", "channels-1,update-0-5,finish-0", false},
		{"update-after-the-finish", "channels-2,finish-0,update-0-3", true},
		{"update-after-the-finish", "channels-1,finish-0,update-0-3", false},
		{"two-mergers", "channels-1,update-0-5,channels-1,update-0-3", true},
		{"two-mergers", "channels-2,update-0-5,channels-1,update-0-3", false},
	}
	s := Native(reference.Solution{})
	for _, test := range tests {
		c, err := schedule.ParseSequence("03/sequence/"+test.script, spec)
		if err != nil {
			t.Fatal(err)
		}
		if seen := s.Run(c).Situations(); slices.Contains(seen, test.name) != test.comesUp {
			t.Errorf("%s in %s: %t, want %t", test.name, test.script, !test.comesUp, test.comesUp)
		}
	}
}
