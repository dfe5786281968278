// Package explore enumerates what a solution can be put through. It knows no
// stage: what may follow is told by the stage, and running it is another's work.
package explore

import (
	"iter"
	"slices"
)

// Sequences yields every sequence of 1 to length operations, all shorter ones
// first, where next returns the operations that may follow a sequence. The
// order is that of next, so it is the same at every call. A yielded sequence is
// the caller's; next must not keep or change the one it is given.
func Sequences[Op any](length int, next func([]Op) []Op) iter.Seq[[]Op] {
	return func(yield func([]Op) bool) {
		for n := 1; n <= length; n++ {
			if !extend(nil, n, next, yield) {
				return
			}
		}
	}
}

// extend yields all sequences that continue prefix by n operations.
func extend[Op any](prefix []Op, n int, next func([]Op) []Op, yield func([]Op) bool) bool {
	if n == 0 {
		return yield(slices.Clone(prefix))
	}
	for _, op := range next(prefix) {
		if !extend(append(prefix[:len(prefix):len(prefix)], op), n-1, next, yield) {
			return false
		}
	}
	return true
}
