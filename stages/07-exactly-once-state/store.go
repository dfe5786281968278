package exactlyoncestate

import (
	"maps"

	"github.com/flk-byo/de/harness/fault"
	"github.com/flk-byo/de/stages/07-exactly-once-state/contract"
)

// An event is one call on the store that the host holds.
type event struct {
	op         string              // opLatest or opSave
	checkpoint contract.Checkpoint // saved, or returned
	found      bool                // by Latest
	marked     bool                // Latest: the checkpoint had been changed just before
	killed     bool                // the run was killed in it
	effect     bool                // Save: it took effect
	place      string              // in the solution, where known
}

// Calls on a store.
const (
	opLatest = "latest"
	opSave   = "save"
)

// A killPoint is a call in which a run is killed; the zero one is none.
type killPoint struct {
	op    string
	call  int // 1 for the first of its kind
	after bool
}

// A store is durable: it is the host's. It copies what it is given and what it
// gives, and takes note of every call. It serves one run after another.
type store struct {
	latest contract.Checkpoint
	found  bool

	events []event // of the run under way
	calls  map[string]int
	place  func() string // where in the solution the call under way comes from; or nil
	limit  int           // of events
	room   int           // for saved state, in bytes
	kill   killPoint
	from   int // the offset at which the run began
	every  int // records between two barriers of the run
	mark   int // the call of Latest before which the checkpoint is marked; 0 is none
}

// newStore returns the store for runs over n records: empty, or with a
// checkpoint that an earlier job left.
func newStore(left *contract.Checkpoint) *store {
	s := &store{}
	if left != nil {
		s.latest, s.found = clone(*left), true
	}
	return s
}

// begin prepares the store for the account of one run over n records. The
// limits leave room for asking at every record, saving twice at every barrier,
// and more.
func (s *store) begin(n int) {
	s.events, s.calls = nil, map[string]int{}
	s.limit, s.room = 1000+20*(n+1), 8<<20+64*(n+1)*(n+1)
	s.kill, s.mark, s.from = killPoint{}, 0, s.latest.Offset
}

func (s *store) Save(c contract.Checkpoint) {
	for key := range c.State {
		s.room -= len(key) + 16
	}
	e := s.note(event{op: opSave, checkpoint: clone(c)})
	if s.kill == (killPoint{opSave, s.calls[opSave], false}) {
		e.killed = true
		panic(fault.Kill)
	}
	s.latest, s.found, e.effect = clone(c), true, true
	if s.kill == (killPoint{opSave, s.calls[opSave], true}) {
		e.killed = true
		panic(fault.Kill)
	}
}

func (s *store) Latest() (contract.Checkpoint, bool) {
	e := s.note(event{op: opLatest})
	n := s.calls[opLatest]
	if s.kill == (killPoint{op: opLatest, call: n}) {
		e.killed = true
		panic(fault.Kill)
	}
	if s.mark == n && s.found {
		s.latest, e.marked = s.marked(), true
	}
	e.checkpoint, e.found = clone(s.latest), s.found
	return clone(s.latest), s.found
}

func (s *store) note(e event) *event {
	if len(s.events) == s.limit || s.room < 0 {
		panic(&fault.Fault{Kind: fault.TooManyCalls, Message: "it keeps calling its store without an end"})
	}
	if s.place != nil {
		e.place = s.place()
	}
	s.events = append(s.events, e)
	s.calls[e.op]++
	return &s.events[len(s.events)-1]
}

func clone(c contract.Checkpoint) contract.Checkpoint {
	c.State = maps.Clone(c.State)
	return c
}

// markedBy is how much more a marked checkpoint holds of its first key.
const markedBy = 1000

// marked returns the latest checkpoint changed in all its parts, so that what comes
// of it can be told from what comes of memory: a key that is in no record; by
// offset, more of the first key, nothing of it, or the key gone; a larger ID; and
// the offset of the barrier before, but none before that at which the run began,
// for a run may have cut its source there.
func (s *store) marked() contract.Checkpoint {
	c := clone(s.latest)
	if c.State == nil {
		c.State = map[string]int64{}
	}
	if key, ok := firstKey(c.State); ok {
		switch c.Offset % 3 {
		case 0:
			c.State[key] += markedBy
		case 1:
			c.State[key] = 0
		default:
			delete(c.State, key)
		}
	}
	c.State[markKey] = 1
	c.ID += 100
	c.Offset = max(c.Offset-s.every, s.from)
	return c
}

const markKey = "put there by the judge"

func firstKey(m map[string]int64) (string, bool) {
	first, found := "", false
	for key := range m {
		if !found || key < first {
			first, found = key, true
		}
	}
	return first, found
}
