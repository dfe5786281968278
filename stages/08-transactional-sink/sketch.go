package transactionalsink

import (
	"math/bits"

	"github.com/flk-byo/de/stages/08-transactional-sink/wire"
	"github.com/flk-byo/de/stages/stream"
)

// A sketch is a model small enough to be copied for each operation that may
// follow: what one sink holds and shows. Records are the indices of their
// writes, IDs those of [wire.Batch]. Tests compare it with [model].
type sketch struct {
	open, visible indices
	prepared      [wire.MaxArg]indices // by ID
	live          uint16               // the IDs that are prepared, as a set
	ids           byte                 // how many were pre-committed
	committed     byte                 // 1 + the newest ID that was, or 0
	aborted       byte                 // likewise
	over          byte                 // the newer of the two
}

// indices are those of records, in order. They have no pointers, so that the
// garbage collector takes no notice of copies.
type indices struct {
	space [wire.MaxArg + 1]byte
	n     byte
}

func (x *indices) all() []byte { return x.space[:x.n] }

func (x *indices) add(more ...byte) { x.n += byte(copy(x.space[x.n:], more)) }

// A scene is what a sequence has come to: one or two sinks of one solution.
type scene struct {
	sinks  [2]sketch
	now    byte // the sink that is operated on
	used   byte // how many there are
	writes byte
	moved  bool // the last operation was to go on with another sink
}

// unknown is the index of an ID that no sequence pre-commits.
const unknown = wire.MaxArg

// unknownID is that ID.
const unknownID = 1000

// exploredRecords and exploredIDs are what indices stand for.
func exploredRecords() []stream.Record {
	rs := make([]stream.Record, wire.MaxArg+1)
	for i := range rs {
		rs[i] = scriptRecord(int64(i + 1))
	}
	return rs
}

func exploredIDs() []stream.CheckpointID {
	ids := make([]stream.CheckpointID, wire.MaxArg+1)
	for i := range ids {
		ids[i] = stream.CheckpointID(i + 1)
	}
	ids[unknown] = unknownID
	return ids
}

// after returns the scene after one more operation.
func (from *scene) after(op byte) scene {
	s := *from
	arg := op % (wire.MaxArg + 1)
	k := &s.sinks[s.now]
	s.moved = false
	switch op - arg {
	case wire.OpWrite:
		k.open.add(arg)
		s.writes++
	case wire.OpPreCommit:
		k.prepared[arg], k.open = k.open, indices{}
		k.live |= 1 << arg
		k.ids++
	case wire.OpCommit:
		if k.end(arg) {
			k.visible.add(k.prepared[arg].all()...)
			k.committed, k.over = arg+1, arg+1
		}
	case wire.OpAbort:
		if k.end(arg) {
			k.aborted, k.over = arg+1, arg+1
		}
	case wire.OpAbortOpen:
		k.open = indices{}
	case wire.OpSink:
		s.now, s.used, s.moved = arg, max(s.used, arg+1), true
	}
	return s
}

// end ends the transaction of an ID, if it is prepared.
func (k *sketch) end(id byte) bool {
	live := id != unknown && k.live&(1<<id) != 0
	if live {
		k.live &^= 1 << id
	}
	return live
}

// next appends the operations that the scope lets follow.
func (s *scene) next(sc scope, ops []byte) []byte {
	k := &s.sinks[s.now]
	ops = append(ops, wire.OpWrite+s.writes, wire.OpPreCommit+k.ids, wire.OpAbortOpen)
	ids := k.live
	if sc.sinks > 1 {
		ids |= s.sinks[1-s.now].live // unknown to this one, perhaps
	}
	for ; ids != 0; ids &= ids - 1 {
		id := byte(bits.TrailingZeros16(ids))
		ops = append(ops, wire.OpCommit+id, wire.OpAbort+id)
	}
	for _, id := range k.dead(sc.dead) {
		if id != 0 {
			ops = append(ops, wire.OpCommit+id-1, wire.OpAbort+id-1)
		}
	}
	if sc.sinks > 1 && !s.moved {
		ops = append(ops, wire.OpSink+1-s.now)
	}
	return ops
}

// dead returns some IDs that are not prepared, each plus 1, or 0.
func (k *sketch) dead(kinds dead) [3]byte {
	switch {
	case kinds == everyKind:
		return [3]byte{k.committed, k.aborted, unknown + 1}
	case kinds == newestDead && k.over != 0:
		return [3]byte{k.over}
	case kinds == newestDead:
		return [3]byte{unknown + 1}
	default:
		return [3]byte{}
	}
}
