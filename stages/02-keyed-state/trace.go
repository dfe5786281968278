package keyedstate

import (
	"fmt"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/grading/diff"
	"github.com/flk-byo/de/harness/fault"
)

// A tracedState is a state that the host holds. What is done to it is on
// record, and can't be forged.
type tracedState struct {
	model
	number int // from 1
	rows   *[]grading.Step
	limit  int // of calls still allowed; beyond it the solution has no end
	room   int // bytes of keys that it may still be handed
}

// newTracedState returns an empty state for a run over n records. Its limits
// leave room for a look at everything at every record, and more.
func newTracedState(n, number int, rows *[]grading.Step) *tracedState {
	return &tracedState{number: number, rows: rows, limit: 1000 + 100*n, room: 4 << 20}
}

// note puts a call on record. State is shown where the call may change it.
func (s *tracedState) note(action, note string, changes bool, bytes int) {
	s.limit--
	s.room -= bytes
	if s.limit < 0 || s.room < 0 {
		panic(&fault.Fault{Kind: fault.TooManyCalls, Message: "it keeps calling its state without an end"})
	}
	row := grading.Step{Object: fmt.Sprintf("state %d", s.number), Action: action, Note: note}
	if changes {
		row.State = s.model.String()
	}
	*s.rows = append(*s.rows, row)
}

func (s *tracedState) Get(key string) (int64, bool) {
	value, ok := s.model.Get(key)
	s.note("get "+diff.Key(key), fmt.Sprintf("returns %d, %t", value, ok), false, 0)
	return value, ok
}

func (s *tracedState) Put(key string, value int64) {
	s.model.Put(key, value)
	s.note(fmt.Sprintf("put %s %d", diff.Key(key), value), "", true, len(key))
}

func (s *tracedState) Delete(key string) {
	s.model.Delete(key)
	s.note("delete "+diff.Key(key), "", true, 0)
}

func (s *tracedState) Keys() []string {
	s.note("keys", "", false, 0)
	return s.model.Keys()
}

func (s *tracedState) Snapshot() map[string]int64 {
	s.note("snapshot", "", false, 0)
	return s.model.Snapshot()
}

func (s *tracedState) Restore(snapshot map[string]int64) {
	s.model.Restore(snapshot)
	bytes := 0
	for key := range snapshot {
		bytes += len(key)
	}
	s.note("restore", "", true, bytes)
}
