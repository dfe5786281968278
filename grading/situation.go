package grading

import (
	"iter"
	"slices"
)

// Signs are situations that cases of one kind can come to, each with how it
// shows in a T: what a stage keeps of a case, or of a moment in one.
type Signs[T any] []struct {
	Name, Doc string // as those of a [Situation]
	Shows     func(T) bool
}

// Situations are what the signs are of.
func (s Signs[T]) Situations() []Situation {
	all := make([]Situation, len(s))
	for i, sign := range s {
		all[i] = Situation{sign.Name, sign.Doc}
	}
	return all
}

// In returns the names of the situations that show in t, for
// [Outcome.Situations].
func (s Signs[T]) In(t T) []string { return s.During(slices.Values([]T{t})) }

// During returns the names of those that show in any of the moments, which are
// gone through once.
func (s Signs[T]) During(moments iter.Seq[T]) []string {
	var names []string
	shown := make([]bool, len(s))
	for m := range moments {
		for i, sign := range s {
			if !shown[i] && sign.Shows(m) {
				shown[i], names = true, append(names, sign.Name)
			}
		}
	}
	return names
}
