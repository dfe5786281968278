package transactionalsink

import (
	"math/rand/v2"
	"slices"

	"github.com/flk-byo/de/harness/schedule"
)

// longScripts is how many long scripts are run, by seeds from 1 on. Those from
// severalSinks on are about several sinks, and those from wasted on about
// transactions that come to nothing; in the last one all do.
const (
	longScripts  = 25
	severalSinks = 17
	wasted       = 21
)

// longest is how many operations a long script has, nearly.
const longest = 200

// A longScript grows by chance.
type longScript struct {
	*rand.Rand
	ops  []schedule.Op
	sink *lived // the one at hand
	next func(*lived) int64
}

// lived is what a sink has behind it.
type lived struct {
	prepared, dead []int64 // IDs; dead are those committed or aborted
	used           map[int64]bool
	newest         int64
}

func newLived() *lived { return &lived{used: map[int64]bool{}} }

// long makes a script from a seed: many prepared at once; a long life with few
// prepared; commits that lag behind; or long outputs; then, several sinks in turn.
func long(seed uint64) []schedule.Op {
	l := &longScript{Rand: rand.New(rand.NewPCG(seed, 8)), sink: newLived()}
	l.next = []func(*lived) int64{l.nearby, l.far, l.falling, l.scattered}[l.IntN(4)]
	switch kind := seed % 4; {
	case seed == longScripts:
		l.nothing(140)
	case seed >= wasted:
		l.waste(oddKeys * int64(seed%2))
	case seed >= severalSinks:
		l.inTurn(2 + l.IntN(4))
	case kind == 0:
		l.crowd(65 + l.IntN(20))
	case kind == 1:
		l.life(longest)
	case kind == 2:
		l.lag(3 + l.IntN(20))
	default:
		l.large()
	}
	return l.ops
}

func (l *longScript) add(name string, args ...int64) { l.ops = append(l.ops, spec.Op(name, args...)) }

// write writes up to so many records, each of another value.
func (l *longScript) write(atMost int) {
	for range l.IntN(atMost + 1) {
		l.add(opWrite, int64(len(l.ops)+1))
	}
}

// preCommit pre-commits by an ID that the sink has not seen.
func (l *longScript) preCommit() {
	id := l.next(l.sink)
	l.sink.newest, l.sink.used[id] = id, true
	l.sink.prepared = append(l.sink.prepared, id)
	l.add(opPreCommit, id)
}

// nearby are IDs that count up, with small gaps.
func (l *longScript) nearby(s *lived) int64 { return s.newest + 1 + l.Int64N(3)/2 }

// far are IDs that go up in leaps, so that some have the last 32 bits in common.
func (l *longScript) far(s *lived) int64 { return s.newest + 1<<(32*l.IntN(2)) }

// falling are IDs that count down.
func (l *longScript) falling(s *lived) int64 {
	if s.newest == 0 {
		return maxID
	}
	return s.newest - 1 - l.Int64N(3)/2
}

// scattered are IDs in no order.
func (l *longScript) scattered(s *lived) int64 {
	for {
		if id := 1 + l.Int64N(1<<(1+l.IntN(40))); !s.used[id] {
			return id
		}
	}
}

// settle commits or aborts the i-th prepared transaction.
func (l *longScript) settle(i int) {
	id := l.sink.prepared[i]
	l.sink.prepared = slices.Delete(l.sink.prepared, i, i+1)
	l.sink.dead = append(l.sink.dead, id)
	l.commitOrAbort(id)
}

// commitOrAbort commits an ID two times out of three.
func (l *longScript) commitOrAbort(id int64) {
	if l.IntN(3) == 0 {
		l.add(opAbort, id)
	} else {
		l.add(opCommit, id)
	}
}

// disturb does what must have no effect, or only on what is open: it comes back
// to an ID that is long dead, or never was, or aborts what is open.
func (l *longScript) disturb() {
	switch n := l.IntN(9); {
	case n < 5 && len(l.sink.dead) > 0:
		l.commitOrAbort(l.sink.dead[l.IntN(len(l.sink.dead))])
	case n < 6:
		if id := 1 + l.Int64N(maxID); !l.sink.used[id] {
			l.commitOrAbort(id)
		}
	default:
		l.write(2)
		l.add(opAbortOpen)
	}
}

// crowd prepares many transactions before it commits or aborts one.
func (l *longScript) crowd(prepared int) {
	for range prepared {
		l.write(1)
		l.preCommit()
	}
	for len(l.sink.prepared) > 0 {
		l.settle(l.IntN(len(l.sink.prepared)))
		if l.IntN(5) == 0 {
			l.disturb()
		}
	}
}

// life goes on for so many operations, with a few prepared at a time.
func (l *longScript) life(operations int) {
	for end := len(l.ops) + operations; len(l.ops) < end; {
		switch n := l.IntN(10); {
		case n < 3:
			l.write(2)
		case n < 5:
			l.preCommit()
		case n < 7 && len(l.sink.prepared) > 0:
			l.settle(l.IntN(len(l.sink.prepared)))
		default:
			l.disturb()
		}
	}
}

// lag commits each transaction when so many have been prepared after it.
func (l *longScript) lag(barriers int) {
	for len(l.ops) < longest {
		l.write(2)
		l.preCommit()
		if len(l.sink.prepared) > barriers {
			l.settle(0)
		}
		if l.IntN(8) == 0 {
			l.disturb()
		}
	}
}

// waste aborts every other transaction, and some more, while the next is open
// already, which is then committed. The values of its records begin with first.
func (l *longScript) waste(first int64) {
	write := func() {
		for range 1 + l.IntN(3) {
			l.add(opWrite, first+int64(len(l.ops)))
		}
	}
	for abort := true; len(l.ops) < longest; abort = !abort || l.IntN(4) == 0 {
		write()
		l.preCommit()
		write()
		id := l.sink.newest
		l.sink.prepared, l.sink.dead = nil, append(l.sink.dead, id)
		if abort {
			l.add(opAbort, id)
		} else {
			l.add(opCommit, id)
		}
	}
}

// nothing aborts each of so many transactions, whose commit comes too late.
func (l *longScript) nothing(transactions int) {
	l.next = l.nearby
	for range transactions {
		l.add(opWrite, int64(len(l.ops)+1))
		l.preCommit()
		l.add(opAbort, l.sink.newest)
		l.add(opCommit, l.sink.newest)
	}
}

// inTurn goes from one sink to another, and comes back. They may have the same
// IDs, and the caller overwrites what they show.
func (l *longScript) inTurn(sinks int) {
	lives := make([]*lived, sinks)
	for i := range lives {
		lives[i] = newLived()
	}
	for len(l.ops) < longest {
		i := l.IntN(sinks)
		l.sink = lives[i]
		l.add(opSink, int64(i+1))
		l.life(1 + l.IntN(8))
		if l.IntN(5) == 0 {
			l.add(opChange)
		}
	}
}

// large commits a few transactions, each of a hundred records and more.
func (l *longScript) large() {
	for range 2 {
		for range 3 {
			l.write(120)
		}
		l.preCommit()
	}
	for len(l.sink.prepared) > 0 {
		l.add(opCommit, l.sink.prepared[0])
		l.sink.prepared = l.sink.prepared[1:]
		l.life(6)
	}
}
