package operators

import (
	"fmt"
	"iter"

	"github.com/flk-byo/de/harness/explore"
	"github.com/flk-byo/de/harness/schedule"
)

// Bounds of exploration: every chain of up to chainLength operators, of the few
// below, takes up to sourceLength records.
const (
	chainLength  = 3
	sourceLength = 4
)

// building are the operators that chains are explored of: one that changes, one
// that remembers, one that drops, and one that emits none, one or many.
var building = []string{"map number", "filter even", "filter second", "flat_map growing"}

// sequences yields a script for every chain and source, the shorter first.
func sequences() iter.Seq[schedule.Case] {
	return func(yield func(schedule.Case) bool) {
		for _, use := range []string{"run 0", "run 1", "run 2", "run 4", "process 1, process 2"} {
			if !yield(explored("chain 0, " + use)) {
				return
			}
		}
		all := func([]string) []string { return building }
		for operators := range explore.Sequences(chainLength, all) {
			for _, shape := range shapes(operators) {
				for _, use := range uses(len(operators)) {
					if !yield(explored(shape + ", " + use)) {
						return
					}
				}
			}
		}
	}
}

func explored(text string) schedule.Case {
	ops := script(text)
	return schedule.Case{ID: schedule.SequenceID(spec.Stage, ops), Script: ops}
}

// shapes are the chains that can be made of operators, without changing their
// order.
func shapes(operators []string) []string {
	switch o := operators; len(o) {
	case 1:
		return []string{o[0], o[0] + ", chain 1"}
	case 2:
		return []string{fmt.Sprintf("%s, %s, chain 2", o[0], o[1])}
	default:
		return []string{
			fmt.Sprintf("%s, %s, %s, chain 3", o[0], o[1], o[2]),
			fmt.Sprintf("%s, %s, chain 2, %s, chain 2", o[0], o[1], o[2]),
			fmt.Sprintf("%s, %s, %s, chain 2, chain 2", o[0], o[1], o[2]),
		}
	}
}

// uses are the sources that an operator of so many others is explored with.
func uses(operators int) []string {
	if operators == chainLength {
		return []string{"run 4"}
	}
	return []string{"run 0", "run 1", "run 2", "run 4", "process 1, process 2, process 3, process 4"}
}
