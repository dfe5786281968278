package partitionedexchange

import (
	"slices"

	"github.com/flk-byo/de/grading"
	"github.com/flk-byo/de/stages/stream"
)

// rescaleSigns are told by what a call of Rescale has to do.
var rescaleSigns = grading.Signs[transfer]{
	{"scaled-up", "State goes to more subtasks than before.", func(t transfer) bool { return t.subtasks > len(t.old) && t.any(move.away) }},
	{"scaled-down", "State goes to fewer subtasks than before.", func(t transfer) bool { return t.subtasks < len(t.old) && t.any(move.away) }},
	{"same-number-of-subtasks", "State goes to as many subtasks as before.", func(t transfer) bool {
		return t.subtasks == len(t.old) && len(t.moves) > 0
	}},
	{"no-state", "There is no state to deal out.", func(t transfer) bool { return len(t.moves) == 0 }},
	{"old-subtask-without-state", "There is state, and a subtask that had none.", func(t transfer) bool {
		return len(t.moves) > 0 && slices.ContainsFunc(t.old, func(m map[string]int64) bool { return len(m) == 0 })
	}},
	{"old-state-that-is-nil", "There is state, and the map of a subtask that had none is nil.", func(t transfer) bool {
		return len(t.moves) > 0 && slices.ContainsFunc(t.old, func(m map[string]int64) bool { return m == nil })
	}},
	{"new-subtask-without-state", "There is state, and a new subtask that gets none.", func(t transfer) bool {
		got := map[int]bool{}
		for _, m := range t.moves {
			got[m.to] = true
		}
		return 0 < len(got) && len(got) < t.subtasks
	}},
	{"key-that-stays", "One key stays where it is, and another moves.", func(t transfer) bool {
		return t.any(move.away) && !t.all(move.away)
	}},
	{"states-brought-together", "Keys of two old subtasks go to one new subtask.", func(t transfer) bool {
		return t.anyTwo(func(m, n move) bool { return m.subtask != n.subtask && m.to == n.to })
	}},
	{"state-taken-apart", "Keys of one old subtask go to two new subtasks.", func(t transfer) bool {
		return t.anyTwo(func(m, n move) bool { return m.subtask == n.subtask && m.to != n.to })
	}},
	{"value-of-0", "The value of a key is 0.", func(t transfer) bool {
		return t.any(func(m move) bool { return m.value == 0 })
	}},
	{"value-beyond-32-bits", "The value of a key does not fit 32 bits.", func(t transfer) bool {
		return t.any(func(m move) bool { return int64(int32(m.value)) != m.value })
	}},
}

// A transfer is a rescaling, and where each key goes.
type transfer struct {
	rescaling
	moves []move
}

type move struct {
	entry
	to int // the new subtask
}

func (m move) away() bool { return m.to != m.subtask }

// transferred is the transfer of the state of records between two numbers of
// subtasks.
func transferred(before, after keyspace, records []stream.Record) transfer {
	t := transfer{rescaling: rescaling{keyspace: after, old: before.state(records)}}
	for _, e := range t.entries() {
		t.moves = append(t.moves, move{e, t.owner(e.key)})
	}
	return t
}

func (t transfer) any(like func(move) bool) bool { return slices.ContainsFunc(t.moves, like) }

func (t transfer) all(like func(move) bool) bool {
	return !t.any(func(m move) bool { return !like(m) })
}

// anyTwo tells whether two of the moves are like that.
func (t transfer) anyTwo(like func(m, n move) bool) bool {
	return t.any(func(m move) bool {
		return t.any(func(n move) bool { return like(m, n) })
	})
}
