// Package state is your stage 02: state that is kept by key, and an operator
// that lives off it.
//
// The brief is STAGE.md, beside this file. Replace the panics one at a time:
// the state first, then Reduce. After each, in the workspace's folder:
//
//	go test ./02-keyed-state   # a few plain tests, yours to extend
//	de test 02                 # the judge: every sequence of operations
package state

import (
	"github.com/flk-byo/de/stages/02-keyed-state/contract"
	"github.com/flk-byo/de/stages/stream"
)

// Solution is how the judge finds your work. It stays an empty struct: what
// must be remembered belongs to a state.
type Solution struct{}

var _ contract.Stage = Solution{}

// NewState returns an empty state. No two states may share anything.
func (Solution) NewState() contract.State {
	return &keyedState{}
}

// A keyedState holds at most one value for each key.
type keyedState struct {
	// What finds a value by its key? And what is it before the first Put?
}

// Get returns the value of key and true, or 0 and false if key is absent.
//
// A value may well be 0. How do you tell that from "not there"?
func (s *keyedState) Get(key string) (int64, bool) {
	panic(stream.NotImplemented("State.Get"))
}

// Put sets the value of key, whether it was present or not.
func (s *keyedState) Put(key string, value int64) {
	panic(stream.NotImplemented("State.Put"))
}

// Delete makes key absent. What must happen if it is absent already?
func (s *keyedState) Delete(key string) {
	panic(stream.NotImplemented("State.Delete"))
}

// Keys returns the keys that are present, sorted.
//
// The caller may overwrite the slice. Does your state notice?
func (s *keyedState) Keys() []string {
	panic(stream.NotImplemented("State.Keys"))
}

// Snapshot returns what the state holds now, for good: whatever is done to the
// state afterwards, the snapshot stays as it is.
//
// A map in Go is a reference. Who else has a hold of the one you return?
func (s *keyedState) Snapshot() map[string]int64 {
	panic(stream.NotImplemented("State.Snapshot"))
}

// Restore makes the state hold exactly what snapshot does.
//
// What of a key that the state holds and the snapshot does not? And if the same
// snapshot is restored a second time, what must be in it then?
func (s *keyedState) Restore(snapshot map[string]int64) {
	panic(stream.NotImplemented("State.Restore"))
}

// Reduce returns an operator that folds the records of each key with f, keeps
// the accumulators in s, and emits the new accumulator for every record.
//
// What must your operator remember from one record to the next, besides what is
// in s? Section "Reduce" of STAGE.md has the rules, and a run drawn step by step.
func (Solution) Reduce(s contract.State, f func(acc, v int64) int64) contract.Operator {
	return &reducer{}
}

// A reducer is the operator that Reduce returns.
type reducer struct {
}

// Process folds r into the accumulator of its key, and emits that.
//
// f needs two values to make one. Which are there at the first record of a key?
func (o *reducer) Process(r stream.Record, emit func(stream.Record)) {
	panic(stream.NotImplemented("Operator.Process"))
}
