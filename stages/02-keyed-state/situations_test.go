package keyedstate

import (
	"slices"
	"strings"
	"testing"

	"github.com/flk-byo/de/harness/schedule"
	reference "github.com/flk-byo/de/stages/02-keyed-state/reference"
	"github.com/flk-byo/de/stages/stream"
)

func expectSituation(t *testing.T, name string, c schedule.Case, comesUp bool) {
	t.Helper()
	seen := Native(reference.Solution{}).Run(c).Situations()
	if slices.Contains(seen, name) != comesUp {
		t.Errorf("%s in %s: %t, want %t", name, c.ID, !comesUp, comesUp)
	}
}

// In each line's script a situation comes up, or does not.
func TestScriptSituations(t *testing.T) {
	for _, test := range []struct {
		name, script string
		comesUp      bool
	}{
		{"zero-put-over-another-value", "put a 1, put a 0", true},
		{"zero-put-over-another-value", "put a 0, put a 0", false},
		{"absent-key-deleted", "put a 1, delete b", true},
		{"absent-key-deleted", "put a 1, delete a, delete a", false},
		{"deleted-key-comes-back", "put a 1, delete a, put a 2", true},
		{"deleted-key-comes-back", "put a 1, delete b, put a 2", false},
		{"keys-out-of-order", "put a 1, put c 1, put b 1", true},
		{"keys-out-of-order", "put a 1, put b 1, put c 1", false},
		{"key-that-begins-another", "put ab 1, put a 1", true},
		{"key-that-begins-another", "put b 1, put a 1", false},
		{"two-states-with-one-key", "put a 1, state 2, put a 2", true},
		{"two-states-with-one-key", "put a 1, state 2, put b 2", false},
		{"put-after-a-snapshot", "put a 1, snapshot 1, put a 2", true},
		{"put-after-a-snapshot", "put a 1, snapshot 1, state 2, put a 2", false},
		{"delete-after-a-snapshot", "put a 1, snapshot 1, delete a", true},
		{"delete-after-a-snapshot", "snapshot 1, put a 1, delete a", false},
		{"snapshot-changed-by-its-owner", "snapshot 1, change 1 a 1", true},
		{"snapshot-changed-by-its-owner", "change 1 a 1, change 1 a 2", false},
		{"restore-drops-a-key", "snapshot 1, put a 1, restore 1", true},
		{"restore-drops-a-key", "put a 1, snapshot 1, put a 2, restore 1", false},
		{"restore-brings-a-key-back", "put a 1, snapshot 1, delete a, restore 1", true},
		{"restore-brings-a-key-back", "put a 1, snapshot 1, put b 2, restore 1", false},
		{"put-after-a-restore-of-nil", "restore_nil, put a 1", true},
		{"put-after-a-restore-of-nil", "restore_empty, put a 1", false},
		{"put-after-a-restore", "snapshot 1, restore 1, put a 1", true},
		{"put-after-a-restore", "snapshot 1, restore 1, restore_empty, put a 1", false},
		{"map-changed-after-its-restore", "snapshot 1, restore 1, change 1 a 1", true},
		{"map-changed-after-its-restore", "snapshot 1, change 1 a 1, restore 1", false},
		{"restored-twice-from-one-map", "snapshot 1, restore 1, put a 1, restore 1", true},
		{"restored-twice-from-one-map", "snapshot 1, restore 1, snapshot 1, put a 1, restore 1", false},
		{"restored-from-another-state", "snapshot 1, state 2, restore 1", true},
		{"restored-from-another-state", "snapshot 1, state 2, state 1, restore 1", false},
		{"acc-put-by-the-owner", "put a 1, reduce 1 sum, process 1 a 1", true},
		{"acc-put-by-the-owner", "put b 1, reduce 1 sum, process 1 a 1, process 1 a 1", false},
		{"key-gone-between-records", "reduce 1 sum, process 1 a 1, delete a, process 1 a 1", true},
		{"key-gone-between-records", "reduce 1 sum, process 1 a 1, delete b, process 1 b 1", false},
		{"acc-changed-between-records", "reduce 1 sum, process 1 a 1, put a 2, process 1 a 1", true},
		{"acc-changed-between-records", "reduce 1 sum, process 1 a 1, put a 1, process 1 a 1", false},
		{"acc-of-another-operator", "reduce 1 sum, reduce 2 sum, process 1 a 1, process 2 a 1", true},
		{"acc-of-another-operator", "reduce 1 sum, state 2, reduce 2 sum, process 1 a 1, process 2 a 1", false},
		{"operators-over-two-states", "reduce 1 sum, state 2, reduce 2 sum, process 1 a 1, process 2 a 1", true},
		{"operators-over-two-states", "reduce 1 sum, reduce 2 sum, process 1 a 1, process 2 a 1", false},
	} {
		id := "02/sequence/" + strings.NewReplacer(", ", ",", " ", "-").Replace(test.script)
		c, err := schedule.ParseSequence(id, spec)
		if err != nil {
			t.Fatal(err)
		}
		expectSituation(t, test.name, c, test.comesUp)
	}
}

// A stream is records of key a, each with its value and a time that rises, but
// for the last.
func TestStreamSituations(t *testing.T) {
	const sum, minus = 0, 2 // of functions
	for _, test := range []struct {
		name                        string
		values                      []int64
		f, state, forget, operators int
		comesUp                     bool
	}{
		{"acc-of-zero-in-a-stream", []int64{0, 1}, sum, stateOurs, 0, one, true},
		{"acc-of-zero-in-a-stream", []int64{1, 0}, sum, stateOurs, 0, one, false},
		{"acc-that-stays", []int64{1, 0}, sum, stateOurs, 0, one, true},
		{"acc-that-stays", []int64{0, 1}, sum, stateOurs, 0, one, false},
		{"same-call-again", []int64{1, 0, 0}, sum, stateOurs, 0, one, true},
		{"same-call-again", []int64{0, 0}, sum, stateOurs, 0, one, false},
		{"order-of-arguments-matters", []int64{1, 2}, minus, stateOurs, 0, one, true},
		{"order-of-arguments-matters", []int64{1, 2}, sum, stateOurs, 0, one, false},
		{"time-that-falls", []int64{1, 2, 3}, sum, stateOurs, 0, one, true},
		{"time-that-falls", []int64{1}, sum, stateOurs, 0, one, false},
		{"key-that-begins-anew", []int64{1, 2}, sum, stateOurs, 1, one, true},
		{"key-that-begins-anew", []int64{1, 2}, sum, stateOurs, 2, one, false},
		{"key-of-two-operators", []int64{1, 2}, sum, stateOurs, 0, shared, true},
		{"key-of-two-operators", []int64{1, 2}, sum, stateOurs, 0, apart, false},
		{"key-of-two-states", []int64{1, 2}, sum, stateOurs, 0, apart, true},
		{"key-of-two-states", []int64{1, 2}, sum, stateOurs, 0, shared, false},
		{"acc-that-was-restored", []int64{1, 2}, sum, stateRestored, 0, one, true},
		{"acc-that-was-restored", []int64{1, 2}, sum, stateOwn, 0, one, false},
	} {
		var records []stream.Record
		for i, v := range test.values {
			records = append(records, stream.Record{Key: "a", Value: v, Time: int64(i)})
		}
		records[len(records)-1].Time = -1
		expectSituation(t, test.name, reductionCase(records, test.f, test.state, test.forget, test.operators), test.comesUp)
	}
}
