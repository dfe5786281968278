package keyedstate

import (
	"fmt"

	"github.com/flk-byo/de/grading/diff"
	"github.com/flk-byo/de/harness/fault"
)

// A tracedState is a state that the host holds. What is done to it is on
// record, and can't be forged.
type tracedState struct {
	model
	number int // from 1
	rows   *timeline
	limit  int // of calls still allowed; beyond it the solution has no end
	room   int // bytes of keys that it may still be handed
}

// newTracedState returns an empty state for a run over n records. Its limits
// leave room for several looks at everything at every record.
func newTracedState(n, number int, rows *timeline) *tracedState {
	return &tracedState{number: number, rows: rows, limit: min(1000+20*(n+1)*(n+1), 200_000), room: 4 << 20}
}

// note puts a call on record, with the state as it is then if the call may have
// changed it. Bytes are those of the keys that it brought.
func (s *tracedState) note(action func() string, changes bool, bytes int) {
	s.limit--
	s.room -= bytes
	if s.limit < 0 || s.room < 0 {
		panic(&fault.Fault{Kind: fault.TooManyCalls, Message: "it keeps calling its state without an end"})
	}
	r := row{object: "state", number: s.number, action: action}
	if changes {
		r.state = s.model.summary()
	}
	s.rows.add(r)
}

func (s *tracedState) Get(key string) (int64, bool) {
	value, ok := s.model.Get(key)
	get := onKey("get", key)
	s.note(func() string { return fmt.Sprintf("%s: %d, %t", get(), value, ok) }, false, 0)
	return value, ok
}

func (s *tracedState) Put(key string, value int64) {
	s.model.Put(key, value)
	s.note(func() string { return fmt.Sprintf("put %s %d", diff.Key(key), value) }, true, len(key))
}

func (s *tracedState) Delete(key string) {
	s.model.Delete(key)
	s.note(onKey("delete", key), true, 0)
}

func (s *tracedState) Keys() []string {
	s.note(action("keys"), false, 0)
	return s.model.Keys()
}

func (s *tracedState) Snapshot() map[string]int64 {
	s.note(action("snapshot"), false, 0)
	return s.model.Snapshot()
}

func (s *tracedState) Restore(snapshot map[string]int64) {
	s.model.Restore(snapshot)
	bytes := 0
	for key := range snapshot {
		bytes += len(key)
	}
	s.note(action("restore"), true, bytes)
}

// onKey is an action on a key, of which no more is kept than is shown.
func onKey(name, key string) func() string {
	text := diff.Key(key)
	return func() string { return name + " " + text }
}
