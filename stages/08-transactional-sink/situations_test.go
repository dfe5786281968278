package transactionalsink

import (
	"slices"
	"testing"

	"github.com/flk-byo/de/harness/schedule"
)

// Each line is a run written down, as in TestJudge, to which a situation comes
// or does not.
func TestJobSituations(t *testing.T) {
	tests := []struct {
		name                 string
		n, every, crash, lag int
		run                  string
		comesUp              bool
	}{
		{"empty-source", 0, 1, none, 0, "N P1 C1", true},
		{"empty-source", 1, 1, none, 0, "N W1 P1 C1", false},
		{"trailing-records-at-the-finish", 3, 2, none, 0, "N W1 W2 P1 C1 W3 P2 C2", true},
		{"trailing-records-at-the-finish", 2, 2, none, 0, "N W1 W2 P1 C1", false},
		{"no-trailing-records-at-the-finish", 2, 2, none, 0, "N W1 W2 P1 C1", true},
		{"no-trailing-records-at-the-finish", 0, 1, none, 0, "N P1 C1", false},
		{"several-pending-at-the-finish", 3, 1, none, 2, "N W1 P1 W2 P2 W3 P3 C1 C2 C3", true},
		{"several-pending-at-the-finish", 3, 1, none, 1, "N W1 P1 W2 P2 C1 W3 P3 C2 C3", false},
		{"lag-beyond-the-barriers", 2, 1, none, 3, "N W1 P1 W2 P2 C1 C2", true},
		{"lag-beyond-the-barriers", 2, 1, none, 2, "N W1 P1 W2 P2 C1 C2", false},
		{"notified-barriers-later", 3, 1, none, 2, "N W1 P1 W2 P2 W3 P3 C1 C2 C3", true},
		{"notified-barriers-later", 2, 1, none, 2, "N W1 P1 W2 P2 C1 C2", false},
		{"crash-on-a-barrier", 3, 2, 2, 0, "N W1 W2 P1 C1 N W3 P1 C1", true},
		{"crash-on-a-barrier", 3, 2, 1, 0, "N W1 O N W1 W2 W3 P1 C1", false},
		{"crash-right-after-a-barrier", 4, 2, 3, 0, "N W1 W2 P1 C1 W3 O N W3 W4 P1 C1", true},
		{"crash-right-after-a-barrier", 4, 2, 1, 0, "N W1 O N W1 W2 W3 W4 P1 C1", false},
		{"crash-right-before-a-barrier", 4, 2, 1, 0, "N W1 O N W1 W2 W3 W4 P1 C1", true},
		{"crash-right-before-a-barrier", 4, 1, 1, 0, "N W1 P1 C1 N W2 W3 W4 P1 C1", false},
		{"crash-with-nothing-to-abort", 2, 1, 1, 0, "N W1 P1 C1 N W2 P1 C1", true},
		{"crash-with-nothing-to-abort", 2, 1, 1, 1, "N W1 P1 A1 N W1 W2 P1 C1", false},
		{"crash-with-two-prepared", 3, 1, 2, 2, "N W1 P1 W2 P2 A1 A2 N W1 W2 W3 P1 C1", true},
		{"crash-with-two-prepared", 3, 1, 2, 1, "N W1 P1 W2 P2 C1 A2 N W2 W3 P1 C1", false},
		{"crash-with-open-and-prepared", 4, 2, 3, 1, "N W1 W2 P1 W3 O A1 N W1 W2 W3 W4 P1 C1", true},
		{"crash-with-open-and-prepared", 4, 2, 3, 0, "N W1 W2 P1 C1 W3 O N W3 W4 P1 C1", false},
		{"crash-with-committed-and-prepared", 3, 1, 2, 1, "N W1 P1 W2 P2 C1 A2 N W2 W3 P1 C1", true},
		{"crash-with-committed-and-prepared", 2, 1, 1, 1, "N W1 P1 A1 N W1 W2 P1 C1", false},
		{"notification-lost-in-the-crash", 2, 1, 1, 1, "N W1 P1 A1 N W1 W2 P1 C1", true},
		{"notification-lost-in-the-crash", 2, 1, 1, 2, "N W1 P1 A1 N W1 W2 P1 C1", false},
	}
	for _, test := range tests {
		c := job(letters(test.n, max(test.n, 1)), test.every, test.crash, test.lag)
		seen := jobSigns.In(read(c, written(t, c, test.run)))
		if slices.Contains(seen, test.name) != test.comesUp {
			t.Errorf("%s in %s: %t, want %t", test.name, c.ID, !test.comesUp, test.comesUp)
		}
	}
}

func TestEqualRecordsComeUp(t *testing.T) {
	for distinct, comesUp := range map[int]bool{1: true, 2: false} {
		c := job(letters(2, distinct), 1, 1, 0)
		seen := jobSigns.In(read(c, written(t, c, "N W1 P1 C1 N W2 P1 C1")))
		for _, name := range []string{"equal-records", "replayed-record-equals-a-committed-one"} {
			if slices.Contains(seen, name) != comesUp {
				t.Errorf("%s with %d different records: %t", name, distinct, !comesUp)
			}
		}
	}
}

func TestSinkSituations(t *testing.T) {
	tests := []struct {
		name, script string
		comesUp      bool
	}{
		{"commit-again", "pre_commit-1,commit-1,commit-1", true},
		{"commit-again", "pre_commit-1,abort-1,commit-1", false},
		{"commit-of-an-aborted-id", "pre_commit-1,abort-1,commit-1", true},
		{"commit-of-an-aborted-id", "pre_commit-1,commit-1,abort-1,commit-1", false},
		{"commit-of-an-unknown-id", "pre_commit-1,commit-2", true},
		{"commit-of-an-unknown-id", "pre_commit-1,pre_commit-2,commit-2,commit-2", false},
		{"pre-commit-of-an-id-told-before", "commit-1,pre_commit-1", true},
		{"pre-commit-of-an-id-told-before", "commit-1,pre_commit-2,abort-2", false},
		{"commit-out-of-order", "pre_commit-2,pre_commit-1,commit-1", true},
		{"commit-out-of-order", "pre_commit-2,pre_commit-1,commit-2,commit-1", false},
		{"abort-of-a-committed-id", "pre_commit-1,commit-1,abort-1", true},
		{"abort-of-a-committed-id", "pre_commit-1,abort-1,abort-1", false},
		{"abort-with-others-prepared", "pre_commit-1,pre_commit-2,abort-1", true},
		{"abort-with-others-prepared", "pre_commit-1,pre_commit-2,commit-2,abort-1", false},
		{"abort-open-with-something-open", "write-1,pre_commit-1,write-2,abort_open", true},
		{"abort-open-with-something-open", "write-1,pre_commit-1,abort_open", false},
		{"abort-open-with-nothing-open", "write-1,pre_commit-1,abort_open", true},
		{"abort-open-with-nothing-open", "write-1,abort_open", false},
		{"equal-records-in-a-sink", "write-1,pre_commit-1,write-1", true},
		{"equal-records-in-a-sink", "write-1,abort_open,write-1", false},
		{"two-sinks-with-the-same-id", "pre_commit-1,sink-2,pre_commit-1", true},
		{"two-sinks-with-the-same-id", "pre_commit-1,commit-1,sink-2,pre_commit-1", false},
		{"returned-slice-overwritten", "write-1,pre_commit-1,commit-1,change", true},
		{"returned-slice-overwritten", "write-1,pre_commit-1,change,commit-1", false},
	}
	for _, test := range tests {
		c, err := schedule.ParseSequence("08/sequence/"+test.script, spec)
		if err != nil {
			t.Fatal(err)
		}
		seen := sinkSigns.During(moments(c.Script))
		if slices.Contains(seen, test.name) != test.comesUp {
			t.Errorf("%s in %s: %t, want %t", test.name, test.script, !test.comesUp, test.comesUp)
		}
	}
}
