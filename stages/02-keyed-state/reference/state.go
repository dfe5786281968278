// Package state is the model answer of stage 02.
package state

import (
	"maps"
	"slices"

	"github.com/flk-byo/de/stages/02-keyed-state/contract"
	"github.com/flk-byo/de/stages/stream"
)

// Solution solves stage 02.
type Solution struct{}

var _ contract.Stage = Solution{}

// NewState returns an empty state.
func (Solution) NewState() contract.State {
	return &keyedState{values: map[string]int64{}}
}

type keyedState struct {
	values map[string]int64
}

func (s *keyedState) Get(key string) (int64, bool) {
	value, ok := s.values[key]
	return value, ok
}

func (s *keyedState) Put(key string, value int64) {
	s.values[key] = value
}

func (s *keyedState) Delete(key string) {
	delete(s.values, key)
}

func (s *keyedState) Keys() []string {
	return slices.Sorted(maps.Keys(s.values))
}

func (s *keyedState) Snapshot() map[string]int64 {
	return maps.Clone(s.values)
}

func (s *keyedState) Restore(snapshot map[string]int64) {
	s.values = map[string]int64{}
	maps.Copy(s.values, snapshot)
}

// Reduce returns an operator that folds the records of each key.
func (Solution) Reduce(s contract.State, f func(acc, v int64) int64) contract.Operator {
	return reducer{s, f}
}

// A reducer remembers nothing itself: what it must know of a key is in the state.
type reducer struct {
	state contract.State
	f     func(acc, v int64) int64
}

func (o reducer) Process(r stream.Record, emit func(stream.Record)) {
	acc, ok := o.state.Get(r.Key)
	if ok {
		acc = o.f(acc, r.Value)
	} else {
		acc = r.Value
	}
	o.state.Put(r.Key, acc)
	emit(stream.Record{Key: r.Key, Value: acc, Time: r.Time})
}
