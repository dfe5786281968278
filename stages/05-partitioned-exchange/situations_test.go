package partitionedexchange

import (
	"slices"
	"testing"

	"github.com/flk-byo/de/harness/schedule"
	reference "github.com/flk-byo/de/stages/05-partitioned-exchange/reference"
	"github.com/flk-byo/de/stages/stream"
)

func expectSituation(t *testing.T, name string, c schedule.Case, comesUp bool) {
	t.Helper()
	seen := Native(reference.Solution{}).Run(c).Situations()
	if slices.Contains(seen, name) != comesUp {
		t.Errorf("%s in %s: %t, want %t", name, c.ID, !comesUp, comesUp)
	}
}

func TestCallSituations(t *testing.T) {
	for _, test := range []struct {
		name, call string
		comesUp    bool
	}{
		{"hash-with-its-top-bit-set", "group-a-3", true},
		{"hash-with-its-top-bit-set", "group-hashmaxint-3", false},
		{"hash-without-an-absolute-value", "group-hashminint-10", true},
		{"hash-without-an-absolute-value", "group-hashminint1-10", false},
		{"key-of-bytes-from-128", "group-x80-10", true},
		{"key-of-bytes-from-128", "group-x7f-10", false},
		{"key-that-is-no-utf-8", "group-latin1-10", true},
		{"key-that-is-no-utf-8", "group-umlaut-10", false},
		{"groups-that-are-no-power-of-two", "group-foobar-10", true},
		{"groups-that-are-no-power-of-two", "group-foobar-16", false},
		{"first-group-of-a-subtask", "subtask-4-10-3", true},
		{"first-group-of-a-subtask", "subtask-3-10-3", false},
		{"last-group-of-a-subtask", "subtask-3-10-3", true},
		{"last-group-of-a-subtask", "subtask-9-10-3", false},
		{"product-beyond-16-bits", "subtask-32767-32768-3", true},
		{"product-beyond-16-bits", "subtask-32767-32768-2", false},
		{"owner-that-a-float-misses", "table-44-30", true},
		{"owner-that-a-float-misses", "table-8-4", false},
		{"range-that-a-float-misses", "groups-10-25-11", true},
		{"range-that-a-float-misses", "groups-1-8-4", false},
		{"range-that-is-smaller", "groups-1-10-3", true},
		{"range-that-is-smaller", "groups-0-10-3", false},
		{"range-that-is-larger", "groups-0-10-3", true},
		{"range-that-is-larger", "groups-1-10-3", false},
	} {
		c, err := schedule.ParseSequence("05/sequence/"+test.call, spec)
		if err != nil {
			t.Fatal(err)
		}
		expectSituation(t, test.name, c, test.comesUp)
	}
}

// With 10 groups and 3 subtasks, a and d go to subtask 0, e to 1, b and c to 2;
// with 4 subtasks, d goes to 1 and c to 3.
func TestExchangeSituations(t *testing.T) {
	of := func(keys string) []stream.Record {
		var rs []stream.Record
		for i, key := range keys {
			rs = append(rs, stream.Record{Key: string(key), Value: 1, Time: int64(i)})
		}
		return rs
	}
	for _, test := range []struct {
		name, keys string
		subtasks   int
		to         int
		comesUp    bool
	}{
		{"subtask-without-records", "ab", 3, exchangeOnly, true},
		{"subtask-without-records", "aeb", 3, exchangeOnly, false},
		{"keys-in-turns", "ada", 3, exchangeOnly, true},
		{"keys-in-turns", "aea", 3, exchangeOnly, false},
		{"keys-out-of-order", "da", 3, exchangeOnly, true},
		{"keys-out-of-order", "ea", 3, exchangeOnly, false},
		{"more-than-twelve-for-a-subtask", "aaaaaaadddddd", 3, exchangeOnly, true},
		{"more-than-twelve-for-a-subtask", "aaaaaaaeeeeee", 3, exchangeOnly, false},
		{"record-before-time-0", "a", 3, exchangeOnly, false},

		{"scaled-up", "d", 3, 4, true},
		{"scaled-up", "d", 3, 3, false},
		{"key-that-stays", "ad", 3, 4, true},
		{"key-that-stays", "d", 3, 4, false},
		{"states-brought-together", "ac", 4, 1, true},
		{"states-brought-together", "aa", 4, 1, false},
		{"new-subtask-without-state", "a", 3, 4, true},
		{"new-subtask-without-state", "adbc", 3, 1, true}, // on the way back, 1 gets none
		{"new-subtask-without-state", "adbce", 3, 1, false},
		{"value-of-0", "a", 3, 4, false},
	} {
		expectSituation(t, test.name, job(of(test.keys), 10, test.subtasks, test.to), test.comesUp)
	}
}
