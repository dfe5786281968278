package operators

import (
	"slices"
	"testing"

	"github.com/flk-byo/de/harness/schedule"
	reference "github.com/flk-byo/de/stages/01-operators/reference"
)

// In each line's script a situation comes up, or does not.
func TestSituations(t *testing.T) {
	s := Native(reference.Solution{})
	for _, test := range []struct {
		name, script string
		comesUp      bool
	}{
		{"empty-source", "map inc, run 0", true},
		{"empty-source", "map inc, run 1", false},
		{"nothing-comes-out", "filter none, run 2", true},
		{"nothing-comes-out", "filter none, run 0", false},
		{"more-comes-out-than-in", "flat_map twice, run 1", true},
		{"more-comes-out-than-in", "flat_map itself, run 1", false},
		{"source-comes-out", "filter all, run 2", true},
		{"source-comes-out", "map inc, run 2", false},
		{"start-of-the-source-comes-out", "filter start, run 3", true},
		{"start-of-the-source-comes-out", "filter even, run 3", false},
		{"value-at-a-limit", "map inc, process most", true},
		{"value-at-a-limit", "map inc, process 1", false},
		{"chain-of-none", "chain 0, process 1", true},
		{"chain-of-none", "chain 0, chain 1, process 1", false},
		{"chain-of-one", "map inc, chain 1, process 1", true},
		{"chain-of-one", "map inc, chain 1, run 0", false},
		{"chain-in-a-chain", "map inc, chain 1, chain 1, process 1", true},
		{"chain-in-a-chain", "map inc, map inc, chain 2, process 1", false},
		{"several-records-through-a-chain", "map inc, map inc, chain 2, run 2", true},
		{"several-records-through-a-chain", "map inc, map inc, chain 2, run 1", false},
		{"operator-twice-in-a-chain", "map inc, again, chain 2, process 1", true},
		{"operator-twice-in-a-chain", "map inc, map inc, chain 2, process 1", false},
		{"foreign-operator", "own tap, run 1", true},
		{"foreign-operator", "own tap, chain 1, run 1", false},
		{"foreign-operator-in-a-chain", "own tap, chain 1, run 1", true},
		{"foreign-operator-in-a-chain", "own tap, run 1", false},
		{"run-again", "map inc, run 1, run 1", true},
		{"run-again", "map inc, run 1, process 1", false},
		{"run-of-fewer-after-one-of-more", "map inc, run 2, run 1", true},
		{"run-of-fewer-after-one-of-more", "map inc, run 1, run 2", false},
		{"operators-in-turns", "map inc, map inc, process 1, swap, process 1, swap, process 1", true},
		{"operators-in-turns", "map inc, map inc, process 1, swap, process 1", false},
		{"operator-alone-and-in-a-chain", "map inc, process 1, chain 1, process 1", true},
		{"operator-alone-and-in-a-chain", "map inc, process 1, map inc, chain 1, process 1", false},
		{"operator-in-two-chains", "map inc, again, chain 1, process 1, swap, chain 1, process 1", true},
		{"operator-in-two-chains", "map inc, map inc, chain 1, process 1, swap, chain 1, process 1", false},
		{"function-that-remembers", "map number, process 1, process 1", true},
		{"function-that-remembers", "map number, process 1, process 2", false},
		{"filter-keeps-after-it-dropped", "filter even, process 1, process 2", true},
		{"filter-keeps-after-it-dropped", "filter even, process 2, process 1", false},
		{"filter-keeps-equal-records", "filter all, process 1, process 1", true},
		{"filter-keeps-equal-records", "filter all, process 1, process 2", false},
		{"map-returns-the-zero-record", "map zero, process 1", true},
		{"map-returns-the-zero-record", "map inc, process -1", false},
		{"map-returns-the-record-itself", "map same, process 1", true},
		{"map-returns-the-record-itself", "map inc, process 1", false},
		{"flat-map-emits-nothing", "flat_map split, process 1, process 0", true},
		{"flat-map-emits-nothing", "flat_map split, process 0, process 1", false},
		{"flat-map-emits-several", "flat_map around, process 1", true},
		{"flat-map-emits-several", "flat_map twice, process 1", false},
		{"flat-map-emits-equal-records", "flat_map twice, process 1", true},
		{"flat-map-emits-equal-records", "flat_map around, process 1", false},
		{"several-records-within-a-chain", "flat_map twice, map inc, chain 2, process 1", true},
		{"several-records-within-a-chain", "map inc, flat_map twice, chain 2, process 1", false},
		{"record-dropped-within-a-chain", "filter none, map inc, chain 2, process 1", true},
		{"record-dropped-within-a-chain", "map inc, filter none, chain 2, process 1", false},
	} {
		seen := s.Run(schedule.Case{ID: test.script, Script: script(test.script)}).Situations()
		if slices.Contains(seen, test.name) != test.comesUp {
			t.Errorf("%s in %s: %t, want %t", test.name, test.script, !test.comesUp, test.comesUp)
		}
	}
}
