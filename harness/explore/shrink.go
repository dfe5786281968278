package explore

import "slices"

// Shrink removes operations from a sequence that fails for as long as it still
// does, and returns what is left: a sequence that fails, and that does not if
// any single operation is removed from it. Fails tells whether a sequence fails;
// it must say no to one that may not be, must not keep the sequence it is given,
// and is called at most limit times. The given sequence stays as it is.
func Shrink[Op any](sequence []Op, limit int, fails func([]Op) bool) []Op {
	left := slices.Clone(sequence)
	for size := max(len(left)/2, 1); limit > 0; size = max(size/2, 1) {
		removed := false
		for at := len(left) - size; at > -size && limit > 0; at -= size { // the end first: what follows a failure is idle
			from := max(at, 0)
			shorter := slices.Concat(left[:from], left[at+size:])
			if limit--; fails(shorter) {
				left, removed = shorter, true
			}
		}
		if size == 1 && !removed {
			break
		}
	}
	return left
}
