// Package contract is what stage 02 asks of a solution: state that is kept by
// key, can be photographed and put back, and an operator that lives off it.
//
// A solution exports a type Solution with the methods of [Stage], of the type
// or of its pointer. Its zero value is used.
package contract

import "github.com/flk-byo/de/stages/stream"

// A State holds at most one value for each key. It is Flink's keyed ValueState
// (getState, value, update, clear) for all keys at once, with the snapshot and
// the restore that Flink's heap state backend does behind it.
//
// A key is any string: the empty one, or one that is no valid UTF-8, is a key
// like any other. So is any int64 a value like any other: a key whose value is
// 0 is present.
//
// A State is used by one goroutine at a time.
type State interface {
	// Get returns the value of key and true, or 0 and false if key is absent.
	// It changes nothing.
	Get(key string) (int64, bool)

	// Put sets the value of key, whether it was present or not.
	Put(key string, value int64)

	// Delete makes key absent. An absent key stays so, and no other is touched.
	Delete(key string)

	// Keys returns the keys that are present, each once, sorted as Go compares
	// strings: byte by byte. The slice is the caller's, to change as it likes.
	// Without any key it is empty, or nil.
	Keys() []string

	// Snapshot returns what the state holds now. The map is the caller's: no
	// later call on the state changes it, and no change to it reaches the
	// state. Of an empty state it is empty, or nil.
	Snapshot() map[string]int64

	// Restore makes the state hold exactly what snapshot does: it replaces, it
	// does not merge. The map stays the caller's: the state neither changes it
	// nor sees what becomes of it later. It need not come from this state, or
	// from any. An empty map, or nil, empties the state.
	Restore(snapshot map[string]int64)
}

// An Operator takes one record and emits any number of others. It has the
// method of stage 01's Operator, and so, in Go, each of the two may stand for
// the other; it is declared again so that the stages can be written in any
// order.
type Operator interface {
	// Process hands r to the operator, which emits before it returns. The emit
	// that it is given is for this call only; it touches neither the operator
	// nor its state.
	Process(r stream.Record, emit func(stream.Record))
}

// A Stage is a solution of stage 02.
type Stage interface {
	// NewState returns an empty state. States share nothing.
	NewState() State

	// Reduce returns an operator that folds the records of each key, as
	// KeyedStream.reduce of Flink does. The accumulator of a key, acc for
	// short, is kept in s under that key, and nowhere else. For each record r
	// the operator
	//
	//   - looks in s for acc, under r.Key. If it is there, the new acc is
	//     f(acc, r.Value). If it is absent, r is the first of its key: the new
	//     acc is r.Value, and f is not called.
	//   - puts the new acc in s, and leaves all other keys as they are;
	//   - emits one record, of r.Key, the new acc, and r.Time.
	//
	// f is called once for each record but the first of its key, in the order of
	// the stream, with acc before the value: it may have side effects, and need
	// be neither commutative nor associative. It does not touch s.
	//
	// s may be any State, not only one that NewState made, and it may hold
	// something already. It is the caller's as well: between two calls of
	// Process keys may be put, deleted or restored, and the operator goes by
	// what it finds then. So a key that was deleted begins anew, and two
	// operators over one state share each acc; two over two states share
	// nothing. When Process returns, s is up to date.
	Reduce(s State, f func(acc, v int64) int64) Operator
}
